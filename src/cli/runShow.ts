import { readRecordingFile } from './readRecordingFile.ts';
import { formatRecording } from './recordingTable.ts';

/** How wide a line may be where the output is no terminal. */
const WIDTH = 120;

/** Prints a recording, a line a message; gives the exit code. */
export async function runShow(file: string): Promise<number> {
  const entries = await readRecordingFile(file);
  if (entries === undefined) return 1;
  const width = process.stdout.isTTY ? process.stdout.columns : WIDTH;
  process.stdout.write(formatRecording(entries, width));
  return 0;
}
