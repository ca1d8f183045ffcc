import { describe, expect, test } from 'vitest';
import { lower, type Setting } from './asking.ts';

const SAMPLE = 'sampling/createMessage';
const text = (words: string): string => `{ "type":"text","text":"${words}" }`;
const IMAGE = '{"type":"image","data":"AA==","mimeType":"image/png"}';
const AUDIO = '{"type":"audio","data":"AA==","mimeType":"audio/wav"}';
const USE = '{"type":"tool_use","id":"1","name":"t","input":{}}';
const message = (content: string, role = 'user'): string =>
  `{"role":"${role}","content":${content}}`;
const params = (messages: string, more = ''): string =>
  `{"messages":[${messages}],"maxTokens":1e2${more}}`;
const sample = (text: string, setting: Setting = {}): unknown => lower(SAMPLE, text, setting);
const bare = { capabilities: ['sampling'] };
const OLDER = ['2024-11-05', '2025-03-26', '2025-06-18'] as const;

test('what a client can be asked keeps its bytes, advice and unknown members included', () => {
  const more =
    ',"includeContext":"allServers","modelPreferences":{"hints":[{"name":"x"}],"costPriority":0.50},"_meta":{"k":-0},"task":{"ttl":1},"metadata":{"a":null},"temperature":1.0,"x":1';
  const whole = params(`${message(text('a'))},${message(IMAGE, 'assistant')}`, more);
  for (const to of [...OLDER, '2025-11-25', '2026-07-28', 'draft'] as const) {
    expect(sample(whole, { to, ...bare })).toEqual({ params: whole, steps: [] });
  }
  const tools = params(
    `${message(`[${text('a')},${AUDIO}]`)},${message(`[${USE}]`, 'assistant')}`,
    ',"tools":[{"name":"t","inputSchema":{}}],"toolChoice":{"mode":"required"}',
  );
  for (const to of ['2025-11-25', '2026-07-28', 'draft'] as const) {
    expect(sample(tools, { to })).toEqual({ params: tools, steps: [] });
  }
});

describe.each(OLDER)('a message for %s', (to) => {
  test('is one block', () => {
    expect(sample(params(message(`[ ${text('a')} ]`)), { to, ...bare })).toEqual({
      params: params(message(text('a'))),
      steps: ['sampling-tools /messages/0/content none'],
    });
  });

  test('becomes a message for each block, where the policy allows it', () => {
    const several = params(`${message(text('a'))},${message(`[${text('b')},${IMAGE}]`)}`);
    expect(sample(several, { to })).toEqual({
      refused: 'sampling-tools /messages/1/content',
      liftable: true,
    });
    expect(sample(several, { to, policy: 'sampling-tools' })).toEqual({
      params: params(`${message(text('a'))},${message(text('b'))},${message(IMAGE)}`),
      steps: ['sampling-tools /messages/1/content lossy'],
    });
  });

  test.each([USE, `[${USE}]`, '[{"type":"tool_result","toolUseId":"1","content":[]}]'])(
    'cannot be %s',
    (content) => {
      const asked = params(message(content));
      expect(sample(asked, { to, policy: 'permissive' })).toMatchObject({ liftable: false });
    },
  );
});

test('sound is for clients from 2025-03-26 on', () => {
  const sound = params(message(AUDIO));
  expect(sample(sound, { to: '2025-03-26' })).toEqual({ params: sound, steps: [] });
  expect(sample(sound, { to: '2024-11-05', policy: 'permissive' })).toEqual({
    refused: 'audio-in-prompt /messages/0/content',
    liftable: false,
  });
});

test('a block that no revision has becomes text for a client of a dated legacy revision', () => {
  const link = '{"type":"resource_link","uri":"file:///a","name":"a"}';
  const asked = params(message(link));
  expect(sample(asked)).toEqual({
    refused: 'content-block /messages/0/content',
    liftable: true,
  });
  expect(sample(asked, { policy: 'content-block' })).toEqual({
    params: params(message(JSON.stringify({ type: 'text', text: link }))),
    steps: ['content-block /messages/0/content lossy'],
  });
  expect(sample(asked, { to: '2026-07-28' })).toEqual({ params: asked, steps: [] });
});

describe('tools while sampling', () => {
  const TOOLS = ',"tools":[{"name":"t","inputSchema":{}}]';
  const settings: [string, Setting][] = [
    ['of 2025-11-25 that does not declare them', bare],
    ['of 2025-06-18, whatever it declares', { to: '2025-06-18' }],
  ];

  test.each(settings)('are refused to a client %s', (_name, setting) => {
    expect(sample(params(message(text('a')), TOOLS), setting)).toEqual({
      refused: 'sampling-tools /tools',
      liftable: true,
    });
  });

  test.each(['', ',"toolChoice":{}', ',"toolChoice":{"mode":"auto"}'])(
    'are left out where the model may do without them and the policy allows it (%s)',
    (choice) => {
      const asked = params(message(text('a')), `${TOOLS}${choice}`);
      expect(sample(asked, { ...bare, policy: 'sampling-tools' })).toEqual({
        params: params(message(text('a'))),
        steps: ['sampling-tools /tools lossy'],
      });
    },
  );

  test.each([
    ',"tools":[]',
    ',"toolChoice":{"mode":"auto"}',
    `${TOOLS},"toolChoice":{"mode":"none"}`,
  ])('that the model would not use are left out under every policy (%s)', (more) => {
    expect(sample(params(message(text('a')), more), bare)).toEqual({
      params: params(message(text('a'))),
      steps: [expect.stringMatching(/^sampling-tools \/tool(s|Choice) none$/)],
    });
  });

  test.each([
    params(message(text('a')), `${TOOLS},"toolChoice":{"mode":"required"}`),
    params(message(USE, 'assistant'), TOOLS),
  ])('that the model must use are refused under every policy', (asked) => {
    expect(sample(asked, { ...bare, policy: 'permissive' })).toEqual({
      refused: 'sampling-tools /tools',
      liftable: false,
    });
  });
});

describe('the result of a tool within a conversation', () => {
  const result = (more: string): string =>
    params(message(`{"type":"tool_result","toolUseId":"1","content":[${text('a')}]${more}}`));

  test('is judged like any other', () => {
    const list = result(',"structuredContent":[1.0]');
    expect(sample(list)).toEqual({
      refused: 'tool-structured-any /messages/0/content/structuredContent',
      liftable: true,
    });
    expect(sample(list, { policy: 'tool-structured-any' })).toEqual({
      params: params(
        message(
          `{"type":"tool_result","toolUseId":"1","content":[${text('a')},{"type":"text","text":"[1.0]"}]}`,
        ),
      ),
      steps: ['tool-structured-any /messages/0/content/structuredContent lossy'],
    });
    expect(sample(list, { to: '2026-07-28' })).toEqual({ params: list, steps: [] });
  });

  test('is never refused where it is an error', () => {
    expect(sample(result(',"structuredContent":[1.0],"isError":true'))).toMatchObject({
      steps: ['tool-structured-any /messages/0/content/structuredContent lossy'],
    });
  });
});

test('nulls mean absent', () => {
  const block = '{"type":"text","text":"a","annotations":null}';
  const asked = params(message(block), ',"systemPrompt":null,"tools":null');
  expect(sample(asked, bare)).toEqual({
    params: params(message('{"type":"text","text":"a"}')),
    steps: [
      'null-member /systemPrompt none',
      'null-member /tools none',
      'null-member /messages/0/content/annotations none',
    ],
  });
});
