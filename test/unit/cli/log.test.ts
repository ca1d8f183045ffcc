import { expect, test } from 'vitest';
import type { BridgeEvent } from '../../../src/bridge/events.ts';
import { createLog, logEvent } from '../../../src/cli/log.ts';

const ODD = '\u001b]0;title\u0007\u202eodd\nmcp-rosetta: forged';

test('whatever a server says or calls itself, the log is one line a message and drives no terminal', () => {
  const lines: string[] = [];
  const log = createLog('debug', (line) => lines.push(line));
  const step = { feature: 'cancel', path: `/${ODD}`, before: ODD, after: ODD, loss: 'lossy' };
  const events = [
    { kind: 'report', method: 'tools/call', tool: ODD, steps: [step] },
    { kind: 'refusal', method: 'tools/call', tool: ODD, refusal: { feature: 'cancel', hint: ODD } },
    { kind: 'warning', topic: 'envelope', message: ODD, count: 1 },
    { kind: 'state', state: { kind: 'failed', message: ODD } },
    { kind: 'stderr', line: ODD },
    { kind: 'session', session: ODD, client: { name: ODD, version: '1', revision: '2025-11-25' } },
  ] as unknown as BridgeEvent[];
  for (const event of events) logEvent(log, ODD, event);
  expect(lines).toHaveLength(events.length);
  const text = lines.map((line) => line.slice(0, -1)).join('');
  expect(text.match(/\p{C}/gu)).toBeNull();
  expect(lines.every((line) => line.startsWith('mcp-rosetta: [') && line.endsWith('\n'))).toBe(
    true,
  );
});
