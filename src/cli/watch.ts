import { openLineFile, type LineFile } from '../base/lineFile.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { createRecorder, recordingHead } from '../bridge/recording/recorder.ts';
import type { Redact } from '../config/redactor.ts';
import type { ResolvedServer } from '../config/resolve.ts';
import type { CommonOptions } from './command.ts';
import { reportLines } from './reportLines.ts';

/** Writes what the bridges tell into the files that the user asked for. */
export interface Watch {
  /** `redact` takes out of a text what must not be in a file. */
  readonly watch: (bridge: Bridge, server: ResolvedServer, redact: Redact) => void;
  readonly close: () => void;
}

/** Opens the files, or says which of them cannot be written. */
export function openWatch(
  { reportFile, recordFile }: CommonOptions,
  version: string,
  onFailed: (message: string) => void,
): { kind: 'open'; watch: Watch } | { kind: 'failed'; message: string } {
  const files: LineFile[] = [];
  const watchers: Watch['watch'][] = [];
  if (reportFile !== undefined) {
    const opened = openLineFile(reportFile, 'report file', onFailed);
    if (opened.kind === 'failed') return opened;
    const { file } = opened;
    files.push(file);
    watchers.push((bridge, _server, redact) => {
      bridge.onEvent((event) => file.write(...reportLines(bridge.name, event).map(redact)));
    });
  }
  if (recordFile !== undefined) {
    const opened = openLineFile(recordFile, 'recording', onFailed);
    if (opened.kind === 'failed') return opened;
    const { file } = opened;
    files.push(file);
    file.write(recordingHead(version));
    watchers.push((bridge, server, redact) => {
      const recorder = createRecorder({
        server: server.name,
        redact,
        now: () => new Date(),
        write: (line) => file.write(line),
      });
      bridge.record(recorder.onTraffic);
      bridge.onEvent(recorder.onEvent);
    });
  }
  return {
    kind: 'open',
    watch: {
      watch: (bridge, server, redact) => {
        for (const each of watchers) each(bridge, server, redact);
      },
      close: () => {
        for (const file of files) file.close();
      },
    },
  };
}
