import { readFile } from 'node:fs/promises';
import { fileProblem } from '../base/fileProblem.ts';
import { readRecording, type Entry } from '../bridge/recording/recording.ts';

/** The entries of a recording; where it cannot be read, stderr says why. */
export async function readRecordingFile(file: string): Promise<readonly Entry[] | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    process.stderr.write(`mcp-rosetta: Cannot read ${file}: ${fileProblem(error, 'read')}\n`);
    return undefined;
  }
  const reading = readRecording(text);
  if (reading.kind === 'recording') return reading.entries;
  process.stderr.write(`mcp-rosetta: ${file}: ${reading.message}\n`);
  return undefined;
}
