import type { Frame } from '../../protocol/frame.ts';
import { readMessage } from '../../protocol/jsonRpc.ts';
import { getMember, rawJsonFrom, stringOf, type RawJson } from '../../protocol/rawJson.ts';
import type { Traffic } from './traffic.ts';

/** One line of a recording. */
export type Entry = { readonly time: Date; readonly server: string } & (
  | ({ readonly kind: 'message' } & Traffic)
  /** A change, a refusal or a warning, as the report file has it. */
  | { readonly kind: 'note'; readonly raw: RawJson }
);

export type RecordingReading =
  | { readonly kind: 'recording'; readonly entries: readonly Entry[] }
  /** `message` says what is wrong with which line. */
  | { readonly kind: 'failed'; readonly message: string };

const LEGS = new Map([
  ['downstream', 'downstream'],
  ['upstream', 'upstream'],
] as const);
const SPEAKERS = new Map([
  ['client', 'client'],
  ['bridge', 'bridge'],
  ['server', 'server'],
] as const);

/** Reads a recording; a last line that was cut off while it was written is passed over. */
export function readRecording(text: string): RecordingReading {
  const lines = text.split('\n');
  const complete = lines.slice(0, -1);
  const head = rawJsonFrom(Buffer.from(complete[0] ?? ''));
  const format = head && getMember(head, 'format')?.toString('latin1');
  if (head === undefined || stringOf(getMember(head, 'kind')) !== 'recording' || format !== '1') {
    return { kind: 'failed', message: 'It does not begin like a recording of this program.' };
  }
  const entries: Entry[] = [];
  for (const [index, line] of complete.entries()) {
    const raw = rawJsonFrom(Buffer.from(line));
    if (raw === undefined) return { kind: 'failed', message: `Line ${index + 1} is no JSON.` };
    // A recording may be continued by a later run.
    if (stringOf(getMember(raw, 'kind')) === 'recording') continue;
    const entry = entryFrom(raw);
    if (entry === undefined) {
      return { kind: 'failed', message: `Line ${index + 1} is no line of a recording.` };
    }
    entries.push(entry);
  }
  return { kind: 'recording', entries };
}

function entryFrom(raw: RawJson): Entry | undefined {
  const text = (key: string): string | undefined => stringOf(getMember(raw, key));
  const time = new Date(text('time') ?? '');
  const server = text('server');
  if (Number.isNaN(time.getTime()) || server === undefined) return undefined;
  if (text('kind') !== 'message') return { kind: 'note', time, server, raw };
  const leg = LEGS.get(text('leg') as Traffic['leg']);
  const from = SPEAKERS.get(text('from') as Traffic['from']);
  const conversation = Number(getMember(raw, 'conversation')?.toString('latin1'));
  const frame = frameFrom(getMember(raw, 'message'));
  if (leg === undefined || from === undefined || frame === undefined) return undefined;
  return Number.isInteger(conversation)
    ? { kind: 'message', time, server, leg, conversation, from, frame }
    : undefined;
}

function frameFrom(message: RawJson | undefined): Frame | undefined {
  const reading = message && readMessage(message);
  return reading?.kind === 'frame' ? reading.frame : undefined;
}
