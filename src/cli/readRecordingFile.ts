import { readFile } from 'node:fs/promises';
import { readRecording, type Entry } from '../bridge/recording/recording.ts';

/** The entries of a recording; where it cannot be read, stderr says why. */
export async function readRecordingFile(file: string): Promise<readonly Entry[] | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`mcp-rosetta: Cannot read the recording: ${reason}\n`);
    return undefined;
  }
  const reading = readRecording(text);
  if (reading.kind === 'recording') return reading.entries;
  process.stderr.write(`mcp-rosetta: ${file}: ${reading.message}\n`);
  return undefined;
}
