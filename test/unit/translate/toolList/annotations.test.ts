import { expect, test } from 'vitest';
import { lowerText, lowerTools, textOf } from './lowering.ts';

test('hints declared false arrive', () => {
  const text =
    '{"tools":[{"name":"upsert","title":"Top title","inputSchema":{"type":"object"},"annotations":{"title":"Ann title","readOnlyHint":false,"destructiveHint":false,"idempotentHint":false,"openWorldHint":false}},{"name":"bare","inputSchema":{"type":"object"}}]}';
  for (const to of [
    '2024-11-05',
    '2025-03-26',
    '2025-06-18',
    '2025-11-25',
    '2026-07-28',
  ] as const) {
    for (const reader of ['spec', 'vscode'] as const) {
      expect(lowerText(text, { to, reader }).kind).toBe('unchanged');
    }
  }
});

test('hints of a wrong type are dropped under every policy, never guessed', () => {
  const text =
    '{"tools":[{"name":"t","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":"true", "destructiveHint":false,"idempotentHint":null,"title":7,"x-new":[1.0]}}]}';
  const outcome = lowerText(text);
  expect(textOf(outcome, text)).toBe(
    '{"tools":[{"name":"t","inputSchema":{"type":"object"},"annotations":{"destructiveHint":false,"x-new":[1.0]}}]}',
  );
  expect(outcome.steps.map(({ feature, path, loss }) => [feature, path, loss])).toEqual([
    ['tool-hints', '/annotations/readOnlyHint', 'lossy'],
    ['null-member', '/annotations/idempotentHint', 'none'],
    ['tool-hints', '/annotations/title', 'lossy'],
  ]);
});

test.each([['x'], [[]], [true]])('annotations of %j are dropped', (annotations) => {
  const tools = [{ name: 't', inputSchema: { type: 'object' }, annotations }];
  const outcome = lowerTools(tools);
  expect(textOf(outcome, '')).toBe('{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}');
  expect(outcome.steps).toMatchObject([
    { feature: 'tool-hints', path: '/annotations', loss: 'lossy' },
  ]);
});

test('a reader that knows no annotations gets them as they are', () => {
  const tools = [{ name: 't', inputSchema: { type: 'object' }, annotations: { readOnlyHint: 1 } }];
  expect(lowerTools(tools, { to: '2024-11-05' }).kind).toBe('unchanged');
});
