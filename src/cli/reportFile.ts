import { appendFileSync, openSync, closeSync } from 'node:fs';
import type { BridgeEvent } from '../bridge/events.ts';

/**
 * Writes one JSON line for each step, each refusal and the first warning of each kind; the file is appended to, so that
 * runs follow each other. It never throws.
 */
export interface ReportFile {
  add(server: string, event: BridgeEvent): void;
  close(): void;
}

/** Opens a report file, or says why it cannot be written; one that fails later is told of once, and left as it is. */
export function openReportFile(
  path: string,
  onFailed: (message: string) => void,
): { kind: 'open'; file: ReportFile } | { kind: 'failed'; message: string } {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'a', 0o600);
  } catch (error) {
    return { kind: 'failed', message: `Cannot write the report file: ${reasonOf(error)}` };
  }
  let failed = false;
  const attempt = (action: () => void): void => {
    if (failed) return;
    try {
      action();
    } catch (error) {
      // A disk that is full, for one; the conversation goes on without its report.
      failed = true;
      onFailed(`Cannot go on with the report file: ${reasonOf(error)}`);
    }
  };
  return {
    kind: 'open',
    file: {
      add: (server, event) => {
        const lines = linesOf(server, event);
        if (lines.length > 0) attempt(() => appendFileSync(descriptor, `${lines.join('\n')}\n`));
      },
      close: () => attempt(() => closeSync(descriptor)),
    },
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function linesOf(server: string, event: BridgeEvent): string[] {
  if (event.kind === 'report') {
    const { steps, kind, ...subject } = event;
    return steps.map((step) => JSON.stringify({ kind, server, ...subject, ...step }));
  }
  if (event.kind === 'refusal') {
    const { refusal, kind, ...subject } = event;
    return [JSON.stringify({ kind, server, ...subject, ...refusal })];
  }
  if (event.kind === 'warning' && event.count === 1) {
    const { kind, topic, message } = event;
    return [JSON.stringify({ kind, server, topic, message })];
  }
  return [];
}
