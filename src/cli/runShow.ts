import { readRecordingFile } from './readRecordingFile.ts';
import { RecordingTable } from './recordingTable.ts';

/** How wide a line may be where the output is no terminal. */
const WIDTH = 120;

/** Prints a recording, a line a message; gives the exit code. */
export async function runShow(file: string): Promise<number> {
  const table = new RecordingTable(process.stdout.isTTY ? process.stdout.columns : WIDTH);
  if (!(await readRecordingFile(file, (entry) => table.take(entry)))) return 1;
  for (const line of table.lines()) process.stdout.write(`${line}\n`);
  return 0;
}
