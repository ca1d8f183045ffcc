import { describe, expect } from 'vitest';

import { modernServer } from '../../fixtures/raw/scripts.ts';
import type { Members } from '../../support/rawClient.ts';
import { answers, legacy } from './support/rules.ts';
import { test, type ReportLine, type Stage } from './support/stage.ts';

const VSCODE = ['--reader', 'vscode'];
const PERMISSIVE = ['--degrade', 'permissive'];

interface Tool {
  readonly name: string;
  readonly inputSchema: Members;
  readonly outputSchema?: Members;
}

/** What a client is shown of a list, which is written as the server writes it. */
async function shown(stage: Stage, list: string, flags: readonly string[]): Promise<Tool[]> {
  const cli = await stage.stdio(legacy('2025-11-25', answers('tools/list', list)), { flags });
  const { result } = await cli.client.request(2, 'tools/list');
  return result?.['tools'] as Tool[];
}

function refusals(stage: Stage): ReportLine[] {
  return stage.report.filter(({ kind }) => kind === 'refusal');
}

function steps(stage: Stage, tool?: string): ReportLine[] {
  return stage.report.filter((line) => line.kind === 'report' && line.tool === tool);
}

describe('tool names', () => {
  const long = 'n'.repeat(128);
  const names = ['catalog.get-entity', 'catalog_get-entity', 'a/b', long, 'naïve', 'x', 'x'];
  const tools = names.map((name) => ({ name, inputSchema: { type: 'object' } }));
  const list = JSON.stringify({ resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools });

  test('get legal, stable and unique aliases for the editor, by which calls find the original', async ({
    stage,
  }) => {
    const url = await stage.http(modernServer(answers('tools/list', list)));
    const { client } = await stage.stdio(url, { flags: VSCODE });
    const { result } = await client.request(2, 'tools/list');
    const aliases = (result?.['tools'] as Tool[]).map(({ name }) => name);
    for (const alias of aliases) expect(alias).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(new Set(aliases).size).toBe(aliases.length);
    expect(aliases).toHaveLength(6);
    expect(aliases[1]).toBe('catalog_get-entity');
    expect(aliases[5]).toBe('x');
    const again = await client.request(3, 'tools/list');
    expect((again.result?.['tools'] as Tool[]).map(({ name }) => name)).toEqual(aliases);

    for (const [i, name] of aliases.entries()) {
      await client.request(10 + i, 'tools/call', { name, arguments: {} });
    }
    const calls = stage.run.of('tools/call').map(({ params }) => params?.['name']);
    expect(calls).toEqual(names.slice(0, 6));
    const headers = stage.run.requests
      .filter(({ headers: given }) => given['mcp-method'] === 'tools/call')
      .map(({ headers: given }) => given['mcp-name']);
    const encoded = `=?base64?${Buffer.from('naïve').toString('base64')}?=`;
    expect(headers).toEqual(names.slice(0, 6).map((name) => (name === 'naïve' ? encoded : name)));
    expect(refusals(stage)[0]).toMatchObject({ feature: 'tool-name', tool: 'x', path: '/name' });
  });

  test('cross as they are to a client that takes them, and a repeated one is told', async ({
    stage,
  }) => {
    expect((await shown(stage, list, [])).map(({ name }) => name)).toEqual(names);
    expect(stage.report).toMatchObject([
      { kind: 'report', feature: 'tool-name', tool: 'x', loss: 'warning' },
    ]);
  });
});

describe('schemas of several dialects', () => {
  const list =
    '{"tools":[{"name":"shot","inputSchema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"p":{"type":"array","prefixItems":[{"type":"number"}]}}},"outputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}}]}';

  test('are put into draft-07 for the editor without a loss, under strict', async ({ stage }) => {
    const [tool] = await shown(stage, list, VSCODE);
    expect(tool).toEqual({
      name: 'shot',
      inputSchema: {
        type: 'object',
        properties: { p: { type: 'array', items: [{ type: 'number' }] } },
      },
      outputSchema: { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' },
    });
    expect(steps(stage, 'shot')).toMatchObject([
      { feature: 'schema-dialect', path: '/inputSchema/properties/p/prefixItems', loss: 'none' },
      { feature: 'schema-dialect', path: '/inputSchema/$schema', loss: 'none' },
    ]);
    expect(refusals(stage)).toEqual([]);
  });

  test('cross byte for byte to a client that takes them', async ({ stage }) => {
    const { client } = await stage.stdio(legacy('2025-11-25', answers('tools/list', list)));
    client.write('{"jsonrpc":"2.0","id":2,"method":"tools/list"}');
    expect(await client.responseLine(2)).toBe(`{"jsonrpc":"2.0","id":2,"result":${list}}`);
    expect(stage.report).toEqual([]);
  });

  test('with keywords that have no equal are told of, and only they are lost', async ({
    stage,
  }) => {
    const dependent = { a: ['b'] };
    const schema = {
      type: 'object',
      properties: { a: {}, b: {} },
      dependentRequired: dependent,
      unevaluatedProperties: false,
    };
    const inputSchema = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema };
    const tools = JSON.stringify({ tools: [{ name: 'shot', inputSchema }] });
    const [tool] = await shown(stage, tools, [...VSCODE, ...PERMISSIVE]);
    expect(tool?.inputSchema['dependencies']).toEqual(dependent);
    expect(Object.keys(tool?.inputSchema ?? {})).not.toContain('unevaluatedProperties');
    const told = steps(stage, 'shot').map(({ path }) => path);
    expect(told).toContain('/inputSchema/unevaluatedProperties');
    expect(told).toContain('/inputSchema/dependentRequired');
  });

  test('with keywords that have no equal cost strict their tool alone', async ({ stage }) => {
    const properties = { a: { type: 'array', items: {}, contains: {}, minContains: 2 } };
    const inputSchema = { type: 'object', properties };
    const fine = { name: 'fine', inputSchema: { type: 'object' } };
    const tools = [{ name: 'shot', inputSchema }, fine];
    expect(await shown(stage, JSON.stringify({ tools }), VSCODE)).toEqual([fine]);
    expect(refusals(stage)).toMatchObject([
      { feature: 'schema-dialect', tool: 'shot', path: '/inputSchema/properties/a/minContains' },
    ]);
  });
});

describe('incomplete schemas', () => {
  const fine = '{"name":"fine","inputSchema":{"type":"object"}}';

  test.for([
    ['{}', '/inputSchema/type', { type: 'object' }],
    ['{"properties":{}}', '/inputSchema/type', { type: 'object', properties: {} }],
    [
      '{"type":"object","properties":{"ids":{"type":"array"}}}',
      '/inputSchema/properties/ids/items',
      { type: 'object', properties: { ids: { type: 'array', items: {} } } },
    ],
    [
      '{"type":"object","properties":{"ids":{"type":"array","items":true}}}',
      '/inputSchema/properties/ids/items',
      { type: 'object', properties: { ids: { type: 'array', items: {} } } },
    ],
    [
      '{"type":"object","properties":{"a":{"type":["array","null"]}}}',
      '/inputSchema/properties/a/items',
      { type: 'object', properties: { a: { type: ['array', 'null'], items: {} } } },
    ],
  ] as const)(
    '%s: completed for the editor at %s under strict, since it loses nothing',
    async ([schema, path, completed], { stage }) => {
      const list = `{"tools":[{"name":"t","inputSchema":${schema}},${fine}]}`;
      const [tool, other] = await shown(stage, list, VSCODE);
      expect(tool).toEqual({ name: 't', inputSchema: completed });
      expect(other).toEqual(JSON.parse(fine));
      expect(steps(stage, 't')).toMatchObject([{ path, loss: 'none' }]);
      expect(steps(stage, 'fine')).toEqual([]);
    },
  );

  test('that are missing altogether take any object', async ({ stage }) => {
    const [tool] = await shown(stage, `{"tools":[{"name":"t"},${fine}]}`, VSCODE);
    expect(tool).toEqual({ name: 't', inputSchema: { type: 'object' } });
    expect(steps(stage, 't')).toMatchObject([{ path: '/inputSchema', loss: 'none' }]);
  });

  test('that can be no schema withhold their tool alone, with its name and pointer', async ({
    stage,
  }) => {
    const list = `{"tools":[{"name":"t","inputSchema":{"type":"string"}},${fine}]}`;
    const tools = await shown(stage, list, PERMISSIVE);
    expect(tools.map(({ name }) => name)).toEqual(['fine']);
    expect(refusals(stage)).toMatchObject([
      { feature: 'tool-definition', tool: 't', path: '/inputSchema/type' },
    ]);
  });
});

describe('references in schemas', () => {
  const list =
    '{"tools":[{"name":"n","inputSchema":{"type":"object","properties":{"root":{"$ref":"#/$defs/Node"},"k":{"$ref":"#/$defs/Kind"}},"$defs":{"Kind":{"enum":["a","b"]},"Node":{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/Node"}}}}}}},{"name":"net","inputSchema":{"type":"object","properties":{"z":{"$ref":"http://169.254.169.254/s.json"}}}},{"name":"gone","inputSchema":{"type":"object","properties":{"z":{"$ref":"#/$defs/None"}}}}]}';

  test('are written out for the editor, recursion to a stated depth; bad ones cost their tool alone', async ({
    stage,
  }) => {
    const [tool, ...others] = await shown(stage, list, [...VSCODE, ...PERMISSIVE]);
    expect(others).toEqual([]);
    const { k } = tool?.inputSchema['properties'] as Members;
    expect(k).toEqual({ enum: ['a', 'b'] });
    const text = JSON.stringify(tool);
    expect(text).not.toContain('$ref');
    expect(text.split('"kids"').length - 1).toBe(3);
    expect(steps(stage, 'n')).toMatchObject([
      {
        feature: 'schema-reference',
        loss: 'lossy',
        after: expect.stringContaining('3 levels') as string,
      },
      { feature: 'schema-reference', loss: 'none' },
    ]);
    expect(refusals(stage).map(({ tool: name, path }) => [name, path])).toEqual([
      ['net', '/inputSchema/properties/z/$ref'],
      ['gone', '/inputSchema/properties/z/$ref'],
    ]);
  });

  test('to a definition that contains itself stay under strict, where they lead somewhere', async ({
    stage,
  }) => {
    const [tool] = await shown(stage, list, VSCODE);
    const { root, k } = tool?.inputSchema['properties'] as Members;
    expect(root).toEqual({ $ref: '#/$defs/Node' });
    expect(k).toEqual({ enum: ['a', 'b'] });
    expect(tool?.inputSchema['$defs']).toHaveProperty('Node');
  });

  test('stay as they are for a client that can follow them', async ({ stage }) => {
    const tools = await shown(stage, list, []);
    const [first] = (JSON.parse(list) as { tools: unknown[] }).tools;
    expect(tools).toEqual([first]);
    expect(refusals(stage).map(({ tool }) => tool)).toEqual(['net', 'gone']);
  });

  test('to an address are never fetched', async ({ stage }) => {
    const url = await stage.http({ rules: [{ on: '*', steps: [] }] });
    const schema = `{"type":"object","properties":{"z":{"$ref":"${url}"}}}`;
    const listed = `{"tools":[{"name":"net","inputSchema":${schema}}]}`;
    expect(await shown(stage, listed, [...VSCODE, ...PERMISSIVE])).toEqual([]);
    expect(stage.run.requests).toEqual([]);
  });

  test('that double twenty times cost their tool, not the memory', async ({ stage }) => {
    const level = (n: number): [string, unknown] => {
      const next = { $ref: `#/$defs/L${n + 1}` };
      return [`L${n}`, n === 20 ? { type: 'string' } : { properties: { a: next, b: next } }];
    };
    const $defs = Object.fromEntries(Array.from({ length: 21 }, (_, n) => level(n)));
    const inputSchema = { type: 'object', properties: { z: { $ref: '#/$defs/L0' } }, $defs };
    const fine = { name: 'fine', inputSchema: { type: 'object' } };
    const tools = [{ name: 'bomb', inputSchema }, fine];
    const listed = await shown(stage, JSON.stringify({ tools }), [...VSCODE, ...PERMISSIVE]);
    expect(listed).toEqual([fine]);
    expect(refusals(stage)).toMatchObject([{ feature: 'schema-reference', tool: 'bomb' }]);
  });
});
