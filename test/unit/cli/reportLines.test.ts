import { expect, test } from 'vitest';
import type { BridgeEvent } from '../../../src/bridge/events.ts';
import { reportLines } from '../../../src/cli/reportLines.ts';

const warning: BridgeEvent = { kind: 'warning', topic: 'envelope', message: 'odd', count: 1 };

test('a warning is one line the first time, and none afterwards', () => {
  expect(reportLines('s', warning)).toEqual([
    '{"kind":"warning","server":"s","topic":"envelope","message":"odd"}',
  ]);
  expect(reportLines('s', { ...warning, count: 2 })).toEqual([]);
});
