import type { Frame } from '../../protocol/frame.ts';
import { readMessage } from '../../protocol/jsonRpc.ts';
import { getMember, rawJsonFrom, stringOf, type RawJson } from '../../protocol/rawJson.ts';
import type { Traffic } from './traffic.ts';

/** One line of a recording. */
export type Entry = {
  readonly time: Date;
  readonly server: string;
  /** Counts the runs that have written into the file, from 1. */
  readonly run: number;
} & (
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
  if (head === undefined || !isRecordingHead(head)) {
    const what = text === '' ? 'the file is empty' : 'it does not begin like one';
    return { kind: 'failed', message: `no recording of this program: ${what}.` };
  }
  const entries: Entry[] = [];
  let run = 0;
  for (const [index, line] of complete.entries()) {
    const raw = rawJsonFrom(Buffer.from(line));
    if (raw === undefined) return { kind: 'failed', message: `line ${index + 1} is no JSON.` };
    // A recording may be continued by a later run.
    if (stringOf(getMember(raw, 'kind')) === 'recording') {
      run++;
      continue;
    }
    const entry = entryFrom(raw, run);
    if (entry === undefined) {
      return { kind: 'failed', message: `line ${index + 1} is no line of a recording.` };
    }
    entries.push(entry);
  }
  return { kind: 'recording', entries };
}

/** Whether this is the line that a recording begins with, in the format that is read here. */
export function isRecordingHead(line: RawJson): boolean {
  const format = getMember(line, 'format')?.toString('latin1');
  return stringOf(getMember(line, 'kind')) === 'recording' && format === '1';
}

function entryFrom(raw: RawJson, run: number): Entry | undefined {
  const text = (key: string): string | undefined => stringOf(getMember(raw, key));
  const time = new Date(text('time') ?? '');
  const server = text('server');
  if (Number.isNaN(time.getTime()) || server === undefined) return undefined;
  if (text('kind') !== 'message') return { kind: 'note', time, server, run, raw };
  const leg = LEGS.get(text('leg') as Traffic['leg']);
  const from = SPEAKERS.get(text('from') as Traffic['from']);
  const conversation = Number(getMember(raw, 'conversation')?.toString('latin1'));
  const frame = frameFrom(getMember(raw, 'message'));
  if (leg === undefined || from === undefined || frame === undefined) return undefined;
  return Number.isInteger(conversation)
    ? { kind: 'message', time, server, run, leg, conversation, from, frame }
    : undefined;
}

function frameFrom(message: RawJson | undefined): Frame | undefined {
  const reading = message && readMessage(message);
  return reading?.kind === 'frame' ? reading.frame : undefined;
}
