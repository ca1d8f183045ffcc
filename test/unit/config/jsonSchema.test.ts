import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { configJsonSchema } from '../../../src/config/jsonSchema.ts';
import { parseConfig } from '../../../src/config/parseConfig.ts';

const path = new URL('../../../media/mcp-rosetta.schema.json', import.meta.url);

test('the schema on disk is the one made from the source (else run scripts/writeSchema.ts)', () => {
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(configJsonSchema());
});

const validate = new Ajv({ strict: false }).compile(configJsonSchema());

test.each([
  {},
  { $schema: 'x', servers: {}, inputs: [] },
  { servers: { a: { command: 'n', args: ['x'], env: { A: null, B: 1, C: '' } } } },
  { servers: { a: { type: 'http', url: 'https://h', headers: { X: 'y' }, disabled: true } } },
  { servers: { a: { type: 'sse', url: 'https://h/sse', revision: '2024-11-05' } } },
  { servers: { a: { url: 'unix:///tmp/s.sock' }, b: { type: 'socket', url: 'pipe:///pipe/s' } } },
  {
    servers: {
      a: { url: 'unix:///tmp/s.sock#/mcp', headers: { X: 'y' } },
      b: { type: 'http', url: 'unix:///tmp/s.sock' },
      c: { type: 'sse', url: 'pipe:///pipe/s#/sse' },
    },
  },
  { servers: { a: { url: '${env:URL}', revision: 'draft', timeouts: { probeMs: 1 } } } },
  {
    inputs: [
      { id: 'a', type: 'promptString', password: true },
      { id: 'b', type: 'pickString', options: ['x', { value: 'y' }] },
    ],
  },
])('the schema and the parser accept %j', (value) => {
  expect(parseConfig(JSON.stringify(value)).problems).toEqual([]);
  expect(validate(value)).toBe(true);
});

test.each([
  [],
  { mcpServers: {} },
  { servers: { a: {} } },
  { servers: { a: { comand: 'n' } } },
  { servers: { a: { command: '' } } },
  { servers: { a: { command: 'n', args: [1] } } },
  { servers: { a: { command: 'n', env: { A: true } } } },
  { servers: { a: { command: 'n', url: 'http://h' } } },
  { servers: { a: { type: 'sse', url: 'http://h', revision: '2026-07-28' } } },
  { servers: { a: { type: 'sse' } } },
  { servers: { a: { type: 'sse', url: 'zap+tcp://h:1' } } },
  { servers: { a: { type: 'socket', url: 'http://h' } } },
  { servers: { a: { url: 'unix://tmp/s' } } },
  { servers: { a: { url: 'ftp://h' } } },
  { servers: { a: { command: 'n', revision: '2025-01-01' } } },
  { servers: { a: { command: 'n', timeouts: { startMs: 0 } } } },
  { inputs: [{ id: 'a', type: 'command' }] },
  { inputs: [{ id: 'a', type: 'pickString', options: [] }] },
])('the schema and the parser refuse %j', (value) => {
  expect(parseConfig(JSON.stringify(value)).problems).not.toEqual([]);
  expect(validate(value)).toBe(false);
});

test('every member that can be written is described', () => {
  const bare: string[] = [];
  const visit = (schema: unknown, at: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    for (const [key, value] of Object.entries(schema)) {
      if (key === 'properties') {
        for (const [name, member] of Object.entries(value as Record<string, object>)) {
          if (!('description' in member)) bare.push(`${at}.${name}`);
          visit(member, `${at}.${name}`);
        }
      } else if (key !== 'defaultSnippets') visit(value, at);
    }
  };
  visit(configJsonSchema(), '');
  expect(bare).toEqual([]);
});
