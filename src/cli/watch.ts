import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { openLineFile, type LineFile } from '../base/lineFile.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { createRecorder, recordingHead } from '../bridge/recording/recorder.ts';
import type { Redact } from '../config/redactor.ts';
import type { ResolvedServer } from '../config/resolve.ts';
import { isRecordingHead } from '../bridge/recording/recording.ts';
import { getMember, rawJsonFrom, stringOf, type RawJson } from '../protocol/rawJson.ts';
import type { CommonOptions } from './command.ts';
import { reportLines } from './reportLines.ts';

/** No line of ours that a file begins with is longer. */
const MAX_LINE_BYTES = 1024 * 1024;

/** Writes what the bridges tell into the files that the user asked for. */
export interface Watch {
  /** `redact` takes out of a text what must not be in a file. */
  readonly watch: (bridge: Bridge, server: ResolvedServer, redact: Redact) => void;
  readonly close: () => void;
}

/** The whole lines at the beginning of a file that is there already; undefined where there is nothing to be lost. */
function beginningOf(path: string): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!fstatSync(descriptor).isFile()) return undefined;
    const bytes = Buffer.alloc(MAX_LINE_BYTES);
    const length = readSync(descriptor, bytes);
    return length === 0 ? undefined : (bytes.toString('utf8', 0, length).split('\n')[0] ?? '');
  } catch {
    // Not there yet, or not to be read; opening it to write says so.
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Why nothing may be added to a file: it is somebody's, and none that an earlier run has written. */
function foreignProblem(
  path: string,
  flag: string,
  isOurs: (head: RawJson) => boolean,
): string | undefined {
  const line = beginningOf(path);
  if (line === undefined) return undefined;
  const head = rawJsonFrom(Buffer.from(line));
  if (head !== undefined && isOurs(head)) return undefined;
  return `${path} exists and was not written by --${flag}; nothing is added to it. Name another file.`;
}

const REPORT_KINDS: ReadonlySet<string | undefined> = new Set(['report', 'refusal', 'warning']);

function isReportLine(line: RawJson): boolean {
  const text = (key: string): string | undefined => stringOf(getMember(line, key));
  return REPORT_KINDS.has(text('kind')) && text('server') !== undefined;
}

/** Opens the files, or says which of them cannot be written. */
export function openWatch(
  { reportFile, recordFile }: CommonOptions,
  version: string,
  onFailed: (message: string) => void,
): { kind: 'open'; watch: Watch } | { kind: 'failed'; message: string } {
  const foreign =
    (reportFile === undefined ? undefined : foreignProblem(reportFile, 'report', isReportLine)) ??
    (recordFile === undefined ? undefined : foreignProblem(recordFile, 'record', isRecordingHead));
  if (foreign !== undefined) return { kind: 'failed', message: foreign };
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
