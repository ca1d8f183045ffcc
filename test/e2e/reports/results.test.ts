import { describe, expect } from 'vitest';

import type { Script } from '../../fixtures/raw/script.ts';
import { modernServer } from '../../fixtures/raw/scripts.ts';
import { answers, legacy } from './support/rules.ts';
import { test, type Setup } from './support/stage.ts';

const STRICT: Setup = {};
const PERMISSIVE: Setup = { flags: ['--degrade', 'permissive'] };

describe('a modern list without what the revision demands of it', () => {
  const list =
    '{"tools":[{"name":"whoami","inputSchema":{"type":"object"}}],"ttlMs":-5,"cacheScope":"shared"}';

  test('is refused by strict, which names each member', async ({ stage }) => {
    const cli = await stage.stdio(modernServer(answers('tools/list', list)));
    const { error } = await cli.client.request(4, 'tools/list');
    expect(error?.code).toBe(-32603);
    for (const member of ['result.resultType', 'result.ttlMs', 'result.cacheScope']) {
      expect(error?.message).toContain(member);
    }
    expect(error?.data).toMatchObject({ bridge: { refused: 'result-completion' } });
    const [refusal, ...others] = stage.report.filter(({ kind }) => kind === 'refusal');
    expect(others).toEqual([]);
    expect(refusal?.hint).toContain('result.resultType, result.ttlMs, result.cacheScope');
  });

  test('is read by permissive, with one warning each', async ({ stage }) => {
    const cli = await stage.stdio(modernServer(answers('tools/list', list)), PERMISSIVE);
    const { result } = await cli.client.request(4, 'tools/list');
    expect(result).toMatchObject({ tools: [{ name: 'whoami' }] });
    expect(stage.report.map(({ feature, path, after }) => [feature, path, after])).toEqual([
      ['result-completion', '/resultType', 'read as complete'],
      ['result-completion', '/ttlMs', 'read as 0'],
      ['result-completion', '/cacheScope', 'read as private'],
    ]);
  });

  test('is no fault of a legacy server', async ({ stage }) => {
    const plain = '{"tools":[{"name":"whoami","inputSchema":{"type":"object"}}]}';
    const cli = await stage.stdio(legacy('2025-11-25', answers('tools/list', plain)));
    cli.client.write('{"jsonrpc":"2.0","id":4,"method":"tools/list"}');
    expect(await cli.client.responseLine(4)).toBe(`{"jsonrpc":"2.0","id":4,"result":${plain}}`);
    expect(stage.report).toEqual([]);
    expect(cli.stderr).not.toContain('warning');
  });
});

describe('structured content that is no object', () => {
  const list =
    '{"resultType":"complete","ttlMs":0,"cacheScope":"public","tools":[{"name":"tags","inputSchema":{"type":"object"},"outputSchema":{"type":"array","items":{"type":"string"}}},{"name":"ok","inputSchema":{"type":"object"}}]}';
  const called = (value: string): string =>
    `{"resultType":"complete","content":[],"structuredContent":${value}}`;
  const script = (value: string): Script =>
    modernServer(answers('tools/list', list), answers('tools/call', called(value)));

  test.for(['["a","b"]', 'null', '0', 'false', '""'])(
    '%s: crosses as text where it may',
    async (value, { stage }) => {
      const cli = await stage.stdio(script(value), PERMISSIVE);
      const { result } = await cli.client.request(2, 'tools/list');
      expect(result?.['tools']).toEqual([
        { name: 'tags', inputSchema: { type: 'object' } },
        { name: 'ok', inputSchema: { type: 'object' } },
      ]);
      const call = await cli.client.request(3, 'tools/call', { name: 'tags' });
      expect(call.result).toEqual({
        resultType: 'complete',
        content: [{ type: 'text', text: value }],
      });
      expect(stage.report.map(({ feature, path, tool }) => [feature, path, tool])).toEqual([
        ['tool-structured-any', '/outputSchema', 'tags'],
        ['tool-structured-any', '/structuredContent', 'tags'],
      ]);
    },
  );

  test('costs strict the call, never the list', async ({ stage }) => {
    const cli = await stage.stdio(script('["a","b"]'), STRICT);
    const { result } = await cli.client.request(2, 'tools/list');
    expect(result?.['tools']).toMatchObject([{ name: 'tags' }, { name: 'ok' }]);
    const call = await cli.client.request(3, 'tools/call', { name: 'tags' });
    expect(call.result).toMatchObject({
      isError: true,
      _meta: { bridge: { refused: 'tool-structured-any', policy: 'strict' } },
    });
  });

  test('is not repeated where a text block holds it already', async ({ stage }) => {
    const told =
      '{"resultType":"complete","content":[{"type":"text","text":"[\\"a\\", \\"b\\"]"}],"structuredContent":["a","b"]}';
    const cli = await stage.stdio(modernServer(answers('tools/call', told)), STRICT);
    const call = await cli.client.request(3, 'tools/call', { name: 'tags' });
    expect(call.result).toEqual({
      resultType: 'complete',
      content: [{ type: 'text', text: '["a", "b"]' }],
    });
  });
});

describe('content blocks that the client does not know', () => {
  const text = '{"type":"text","text":"see"}';
  const link = '{"type":"resource_link","uri":"file:///r/a.txt","name":"a.txt"}';
  const audio = '{"type":"audio","data":"AAAA","mimeType":"audio/wav"}';
  const json = '{"type":"json","json":{"x":1}}';
  const old: Setup = { ...PERMISSIVE, revision: '2024-11-05' };
  const script = (...blocks: string[]): Script =>
    legacy('2025-06-18', answers('tools/call', `{"content":[${blocks.join(',')}]}`));

  test('are put into what it knows, in their order', async ({ stage }) => {
    const cli = await stage.stdio(script(text, link, audio, json), old);
    const { result } = await cli.client.request(9, 'tools/call', { name: 'echo' });
    expect(result?.['content']).toEqual([
      { type: 'text', text: 'see' },
      { type: 'text', text: 'a.txt: file:///r/a.txt' },
      {
        type: 'resource',
        resource: { uri: expect.any(String) as string, mimeType: 'audio/wav', blob: 'AAAA' },
      },
      { type: 'text', text: json },
    ]);
    expect(stage.report.map(({ feature, path, loss }) => [feature, path, loss])).toEqual([
      ['tool-resource-link', '/content/1', 'lossy'],
      ['tool-audio-content', '/content/2', 'none'],
      ['content-block', '/content/3', 'lossy'],
    ]);
  });

  test.for([
    [link, 'tool-resource-link', '2024-11-05'],
    [json, 'content-block', '2024-11-05'],
    [json, 'content-block', '2025-11-25'],
  ] as const)('%s: refused by strict as %s', async ([block, feature, revision], { stage }) => {
    const cli = await stage.stdio(script(text, block), { revision });
    const { result } = await cli.client.request(9, 'tools/call', { name: 'echo' });
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining(feature) as string }],
      _meta: { bridge: { refused: feature, path: '/content/1' } },
    });
    expect(stage.report).toMatchObject([{ kind: 'refusal', feature, path: '/content/1' }]);
  });

  test('cross strict where they lose nothing', async ({ stage }) => {
    const cli = await stage.stdio(script(audio), { revision: '2024-11-05' });
    const { result } = await cli.client.request(9, 'tools/call', { name: 'echo' });
    expect(result?.['content']).toMatchObject([{ type: 'resource', resource: { blob: 'AAAA' } }]);
  });

  test('cross byte for byte to a client that does', async ({ stage }) => {
    const cli = await stage.stdio(script(text, link, audio), { revision: '2025-06-18' });
    cli.client.write('{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"echo"}}');
    const line = await cli.client.responseLine(9);
    expect(line).toBe(`{"jsonrpc":"2.0","id":9,"result":{"content":[${text},${link},${audio}]}}`);
    expect(stage.report).toEqual([]);
  });
});

describe('a result without content', () => {
  const bare = '{"structuredContent":{"items":[1,2]}}';

  test.for([['strict'], ['permissive']] as const)(
    'gains its structured content as text under %s',
    async ([policy], { stage }) => {
      const script = legacy('2025-06-18', answers('tools/call', bare));
      const cli = await stage.stdio(script, { flags: ['--degrade', policy] });
      const { result } = await cli.client.request(9, 'tools/call', { name: 'echo' });
      expect(result).toEqual({
        content: [{ type: 'text', text: '{"items":[1,2]}' }],
        structuredContent: { items: [1, 2] },
      });
      expect(stage.report).toMatchObject([{ feature: 'result-content', loss: 'none' }]);
    },
  );

  test('gains an empty one where it holds nothing at all', async ({ stage }) => {
    const cli = await stage.stdio(legacy('2025-06-18', answers('tools/call', '{}')));
    const { result } = await cli.client.request(9, 'tools/call', { name: 'echo' });
    expect(result).toEqual({ content: [] });
  });

  test('is told from one whose text block is left alone', async ({ stage }) => {
    const whole = '{"content":[{"type":"text","text":"two"}],"structuredContent":{"items":[1,2]}}';
    const cli = await stage.stdio(legacy('2025-06-18', answers('tools/call', whole)));
    cli.client.write('{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"echo"}}');
    expect(await cli.client.responseLine(9)).toBe(`{"jsonrpc":"2.0","id":9,"result":${whole}}`);
  });
});

describe('a result without the structured content that its tool promises', () => {
  const list =
    '{"tools":[{"name":"sum","inputSchema":{"type":"object"},"outputSchema":{"type":"object"}}]}';
  const script = legacy(
    '2025-06-18',
    answers('tools/list', list),
    answers('tools/call', '{"content":[{"type":"text","text":"3"}]}'),
  );

  test('is refused by strict', async ({ stage }) => {
    const cli = await stage.stdio(script);
    await cli.client.request(2, 'tools/list');
    const { result } = await cli.client.request(3, 'tools/call', { name: 'sum' });
    expect(result).toMatchObject({
      isError: true,
      _meta: { bridge: { refused: 'tool-structured-output' } },
    });
  });

  test('passes permissive, and the next list promises nothing', async ({ stage }) => {
    const cli = await stage.stdio(script, PERMISSIVE);
    await cli.client.request(2, 'tools/list');
    const { result } = await cli.client.request(3, 'tools/call', { name: 'sum' });
    expect(result).toEqual({ content: [{ type: 'text', text: '3' }] });
    const again = await cli.client.request(4, 'tools/list');
    expect(again.result?.['tools']).toEqual([{ name: 'sum', inputSchema: { type: 'object' } }]);
  });
});

describe('numbers that JavaScript cannot hold', () => {
  const result =
    '{"content":[{"type":"text","text":"ok"}],"structuredContent":{"id":725653563933458433,"price":1.0,"tiny":1e-400,"big":12345678901234567890}}';
  const call =
    '{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"del","arguments":{"id":725653563933458433}}}';

  test.for([
    [
      'modern',
      modernServer(answers('tools/call', result.replace('{', '{"resultType":"complete",'))),
    ],
    ['legacy', legacy('2025-11-25', answers('tools/call', result))],
  ] as const)('keep their digits to and from a %s server', async ([, script], { stage }) => {
    const cli = await stage.stdio(script);
    cli.client.write(call);
    const line = await cli.client.responseLine(10);
    expect(line).toContain(result.slice(1));
    expect(stage.run.lines.at(-1)).toContain('"arguments":{"id":725653563933458433}');
    expect(stage.report).toEqual([]);
  });

  test('keep them in the text that stands for structured content', async ({ stage }) => {
    const cli = await stage.stdio(legacy('2025-11-25', answers('tools/call', result)), {
      ...PERMISSIVE,
      revision: '2025-03-26',
    });
    cli.client.write(call);
    const { result: given } = await cli.client.response(10);
    expect(given?.['content']).toEqual([
      { type: 'text', text: 'ok' },
      {
        type: 'text',
        text: '{"id":725653563933458433,"price":1.0,"tiny":1e-400,"big":12345678901234567890}',
      },
    ]);
  });
});
