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

/** A line of a file, and whether its end was written, too. */
export interface RecordingLine {
  readonly bytes: Buffer;
  readonly isComplete: boolean;
}

/** Lines that cannot be read: `first` is the number of the first one, and `problem` says of it what it is not. */
export interface DamagedLines {
  readonly count: number;
  readonly first: number;
  readonly problem: string;
}

export type RecordingReading =
  | { readonly kind: 'recording'; readonly damaged: DamagedLines | undefined }
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

/**
 * Reads a recording, and gives each of its entries away at once: it can be larger than what fits into memory. What a
 * program wrote that was ended in the middle is passed over, and so are damaged lines, which are told of.
 */
export async function readRecording(
  lines: AsyncIterable<RecordingLine>,
  take: (entry: Entry) => void,
): Promise<RecordingReading> {
  let number = 0;
  let run = 0;
  let entries = 0;
  let damaged: DamagedLines | undefined;
  for await (const { bytes, isComplete } of lines) {
    number++;
    const raw = rawJsonFrom(number === 1 ? withoutMark(bytes) : bytes);
    if (number === 1 && (raw === undefined || !isRecordingHead(raw))) {
      return { kind: 'failed', message: `${NO_RECORDING} it does not begin like one.` };
    }
    // A recording may be continued by a later run.
    if (raw !== undefined && stringOf(getMember(raw, 'kind')) === 'recording') {
      run++;
      continue;
    }
    const entry = raw && entryFrom(raw, run);
    if (entry !== undefined) {
      entries++;
      take(entry);
    } else if (isComplete) {
      const problem = raw === undefined ? 'no JSON' : 'no line of a recording';
      damaged = { first: number, problem, ...damaged, count: (damaged?.count ?? 0) + 1 };
    }
  }
  if (number === 0) return { kind: 'failed', message: `${NO_RECORDING} the file is empty.` };
  if (entries === 0 && damaged !== undefined) {
    return { kind: 'failed', message: `line ${damaged.first} is ${damaged.problem}.` };
  }
  return { kind: 'recording', damaged };
}

const NO_RECORDING = 'no recording of this program:';
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

function withoutMark(line: Buffer): Buffer {
  const { length } = BYTE_ORDER_MARK;
  return line.subarray(0, length).equals(BYTE_ORDER_MARK) ? line.subarray(length) : line;
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
