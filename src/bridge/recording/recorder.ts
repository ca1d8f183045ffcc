import type { Frame } from '../../protocol/frame.ts';
import { messageBytes } from '../../protocol/jsonRpc.ts';
import { setMember, splice } from '../../protocol/rawEdit.ts';
import { getAt, rawJsonFrom, toRaw, type RawJson } from '../../protocol/rawJson.ts';
import type { BridgeEvent } from '../events.ts';
import type { OnTraffic } from './traffic.ts';

/** Where a state stands that a server gives a client to carry, and that may hold anything of the server's. */
const STATES = [
  ['params', 'requestState'],
  ['result', 'requestState'],
] as const;

/** Turns what passes a bridge into the lines of a recording. */
export interface Recorder {
  readonly onTraffic: OnTraffic;
  readonly onEvent: (event: BridgeEvent) => void;
}

export interface RecorderOptions {
  readonly server: string;
  /** Takes the server's secrets out of a text. */
  readonly redact: (text: string) => string;
  readonly now: () => Date;
  /** Takes one line of the recording, without its end. */
  readonly write: (line: string) => void;
}

/** The line that a recording begins with. */
export function recordingHead(version: string): string {
  return JSON.stringify({ kind: 'recording', format: 1, by: `mcp-rosetta ${version}` });
}

export function createRecorder({ server, redact, now, write }: RecorderOptions): Recorder {
  /** The same state is the same placeholder, so that a replay can follow it. */
  const states = new Map<string, string>();
  const line = (members: object, message?: RawJson): void => {
    const head = toRaw({ time: now().toISOString(), server, ...members });
    const whole = message === undefined ? head : setMember(head, 'message', message);
    // Between the values of JSON alone can line ends stand as they are.
    const text = redact(whole.toString('utf8').replace(/[\r\n]/g, ' '));
    // A secret can be a number, too, and what stands in its place then is none.
    const isJson = rawJsonFrom(Buffer.from(text)) !== undefined;
    write(isJson ? text : setMember(head, 'message', toRaw(text)).toString('utf8'));
  };
  return {
    onTraffic: ({ leg, conversation, from, frame }) =>
      line(
        { kind: 'message', leg, conversation, from, ...provenanceOf(frame) },
        withoutStates(frame, states),
      ),
    onEvent: (event) => {
      switch (event.kind) {
        case 'report':
        case 'refusal':
          line(event);
          return;
        case 'warning':
          if (event.count === 1) line(event);
          return;
        case 'state':
        case 'stderr':
        case 'session':
        case 'tools':
      }
    },
  };
}

/** What ZAP carries beside the message, which JSON-RPC has no place for. */
function provenanceOf({ provenance }: Frame): object {
  if (provenance === undefined) return {};
  const { session, seq, subject, sig } = provenance;
  return { provenance: { session, seq: String(seq), subject, sig: sig.toString('hex') } };
}

function withoutStates(frame: Frame, states: Map<string, string>): RawJson {
  let message: RawJson = messageBytes(frame);
  for (const path of STATES) {
    const state = getAt(message, path);
    if (state === undefined) continue;
    const text = state.toString('utf8');
    const placeholder = states.get(text) ?? `redacted state ${states.size + 1}`;
    states.set(text, placeholder);
    message = splice(message, path, toRaw(placeholder));
  }
  return message;
}
