import { createReadStream } from 'node:fs';
import { fileProblem } from '../base/fileProblem.ts';
import { visible } from '../base/visibleText.ts';
import {
  readRecording,
  type DamagedLines,
  type Entry,
  type RecordingLine,
  type RecordingReading,
} from '../bridge/recording/recording.ts';

const LINE_FEED = 0x0a;

/** Gives the entries of a recording one by one; false where it cannot be read. What is wrong with it, stderr says. */
export async function readRecordingFile(
  file: string,
  take: (entry: Entry) => void,
): Promise<boolean> {
  let reading: RecordingReading;
  try {
    reading = await readRecording(linesOf(file), take);
  } catch (error) {
    say(`Cannot read ${file}: ${fileProblem(error, 'read')}`);
    return false;
  }
  if (reading.kind === 'failed') {
    say(`${file}: ${reading.message}`);
    return false;
  }
  if (reading.damaged !== undefined) say(`${file}: ${describeDamaged(reading.damaged)}`);
  return true;
}

function describeDamaged({ count, first, problem }: DamagedLines): string {
  return count === 1
    ? `line ${first} is ${problem}; it is left out.`
    : `${count} lines cannot be read and are left out; the first of them, line ${first}, is ${problem}.`;
}

async function* linesOf(file: string): AsyncGenerator<RecordingLine> {
  let begun: Buffer[] = [];
  for await (const data of createReadStream(file)) {
    const chunk = data as Buffer;
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, from);
      if (end < 0) break;
      begun.push(chunk.subarray(from, end));
      yield { bytes: Buffer.concat(begun), isComplete: true };
      begun = [];
      from = end + 1;
    }
    if (from < chunk.length) begun.push(chunk.subarray(from));
  }
  if (begun.length > 0) yield { bytes: Buffer.concat(begun), isComplete: false };
}

function say(message: string): void {
  process.stderr.write(`mcp-rosetta: ${visible(message)}\n`);
}
