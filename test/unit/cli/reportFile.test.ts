import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { BridgeEvent } from '../../../src/bridge/events.ts';
import { openReportFile, type ReportFile } from '../../../src/cli/reportFile.ts';

const warning: BridgeEvent = { kind: 'warning', topic: 'envelope', message: 'odd', count: 1 };
const LINE = '{"kind":"warning","server":"s","topic":"envelope","message":"odd"}\n';

function open(path: string): { file: ReportFile; failures: string[] } {
  const failures: string[] = [];
  const opened = openReportFile(path, (message) => failures.push(message));
  if (opened.kind === 'failed') throw new Error(opened.message);
  return { file: opened.file, failures };
}

test('runs follow each other in one file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rosetta-report-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'report.jsonl');
  for (let run = 0; run < 2; run++) {
    const { file, failures } = open(path);
    file.add('s', warning);
    file.add('s', { ...warning, count: 2 });
    file.close();
    expect(failures).toEqual([]);
  }
  expect(readFileSync(path, 'utf8')).toBe(LINE + LINE);
});

test('a file that cannot be opened says why', () => {
  const opened = openReportFile('/no-such-folder/report.jsonl', () => undefined);
  if (opened.kind === 'open') throw new Error('It was opened.');
  expect(opened.message).toMatch(/^Cannot write the report file: ENOENT/);
});

test('a disk that is full is told of once, and throws nothing', () => {
  const { file, failures } = open('/dev/full');
  file.add('s', warning);
  file.add('s', warning);
  file.close();
  expect(failures).toEqual([expect.stringMatching(/^Cannot go on with the report file: ENOSPC/)]);
});
