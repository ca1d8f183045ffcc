import type { Entry } from '../bridge/recording/recording.ts';
import { replay } from '../bridge/recording/replay.ts';
import { serveStdio } from '../transports/stdio/stdioServerTransport.ts';
import { readRecordingFile } from './readRecordingFile.ts';

/** Answers the client on stdin and stdout from a recording, until it leaves; gives the exit code. */
export async function runReplay(file: string): Promise<number> {
  const entries: Entry[] = [];
  if (!(await readRecordingFile(file, (entry) => entries.push(entry)))) return 1;
  await new Promise<void>((resolve) => {
    serveStdio(replay(entries), { onClose: () => resolve() });
  });
  return 0;
}
