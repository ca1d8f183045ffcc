import { expect, test } from 'vitest';
import { CallFindings } from '../../../../src/extension/servers/callFindings.ts';
import { PERMISSIVE, STRICT } from '../../../../src/translate/policy.ts';
import type { BridgeEvent } from '../../../../src/bridge/events.ts';

const subject = {
  session: 's',
  method: 'tools/call',
  tool: 'paint',
  from: '2026-07-28',
  to: '2025-11-25',
} as const;
const refusal: BridgeEvent = {
  kind: 'refusal',
  refusal: {
    feature: 'tool-structured-any',
    path: '/structuredContent',
    hint: 'Allow it.',
    liftable: true,
  },
  ...subject,
};
const loss: BridgeEvent = {
  kind: 'report',
  steps: [
    {
      feature: 'tool-structured-any',
      path: '/structuredContent',
      before: 'an array',
      after: 'a text',
      loss: 'lossy',
    },
  ],
  ...subject,
};
const same = (text: string): string => text;

test('what is alike is one finding with a count', () => {
  const findings = new CallFindings();
  findings.add(refusal, same);
  findings.add(refusal, same);
  expect(findings.list()).toEqual([
    {
      severity: 'error',
      code: 'tool-structured-any',
      message: '"paint" result refused: Allow it. (2026-07-28 → 2025-11-25)',
      count: 2,
      remedy: 'tool-structured-any',
    },
  ]);
});

test('the policy that allows a feature lifts its refusals, and the one that forbids it its losses', () => {
  const findings = new CallFindings();
  findings.add(refusal, same);
  findings.add(loss, same);
  findings.obey(PERMISSIVE);
  expect(findings.list().map(({ severity }) => severity)).toEqual(['warning']);
  findings.obey(STRICT);
  expect(findings.list()).toEqual([]);
});

test('what no policy can change stays under every policy', () => {
  const findings = new CallFindings();
  const final = { feature: 'client-capability', path: '', hint: 'It cannot be asked.' } as const;
  findings.add({ ...refusal, refusal: final }, same);
  findings.add({ kind: 'warning', topic: 'not-json', message: 'Text on stdout', count: 3 }, same);
  findings.obey(PERMISSIVE);
  findings.obey(STRICT);
  expect(findings.list().map(({ code, count }) => [code, count])).toEqual([
    ['client-capability', 1],
    ['not-json', 3],
  ]);
});

test('what a tool list comes to is not gathered here', () => {
  const findings = new CallFindings();
  findings.add({ ...refusal, method: 'tools/list' }, same);
  findings.add({ ...loss, method: 'tools/list' }, same);
  expect(findings.list()).toEqual([]);
});
