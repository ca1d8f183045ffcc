import { expect, test } from 'vitest';
import { readRecording, type RecordingLine } from '../../../src/bridge/recording/recording.ts';
import { RecordingTable } from '../../../src/cli/recordingTable.ts';

/** More than one text can hold. */
const BYTES = 600 * 1024 * 1024;

async function* recording(): AsyncGenerator<RecordingLine> {
  const isComplete = true;
  yield { bytes: Buffer.from('{"kind":"recording","format":1}'), isComplete };
  const head =
    '{"time":"2026-01-01T00:00:00.000Z","server":"s","kind":"message","leg":"downstream","conversation":1,"from":"client",';
  const params = 'x'.repeat(8 * 1024 * 1024);
  const message = `"message":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"text":"${params}"}}}`;
  const bytes = Buffer.from(head + message);
  for (let length = 0; length < BYTES; length += bytes.length) yield { bytes, isComplete };
}

test('a recording is shown however long it is', async () => {
  const table = new RecordingTable(80);
  const reading = await readRecording(recording(), (entry) => table.take(entry));
  expect(reading).toEqual({ kind: 'recording', damaged: undefined });
  const lines = [...table.lines()];
  expect(lines).toHaveLength(75);
  expect(lines.every((line) => line.length === 80 && line.endsWith('x…'))).toBe(true);
});
