import { expect, test } from 'vitest';
import { mergeServers } from '../../../../src/config/editors/mergeServers.ts';
import type { TakenServer } from '../../../../src/config/editors/takeOver.ts';
import { parseConfig } from '../../../../src/config/parseConfig.ts';

const token = { id: 'token', value: { id: 'token', type: 'promptString' } };
const server: TakenServer = {
  name: 'a',
  entry: { command: 'x', args: ['${input:token}'] },
  inputs: [token],
};

test('a new file is one that is valid', () => {
  const { text, outcomes } = mergeServers(undefined, [server, { ...server, name: 'b' }]);
  expect(outcomes).toEqual([
    { kind: 'added', name: 'a' },
    { kind: 'added', name: 'b' },
  ]);
  expect(JSON.parse(text)).toEqual({
    servers: { a: server.entry, b: server.entry },
    inputs: [token.value],
  });
  expect(text).toMatch(/^\{\n {2}"servers": \{\n {4}"a": \{\n[^]*\}\n$/);
  expect(parseConfig(text).problems).toEqual([]);
});

test('what is there stays: comments, indentation, line breaks, byte order mark, trailing commas', () => {
  const text = `\uFEFF// mine
{
\t"servers": { // all of them
\t\t/* first */ "z": {"command":"z"},
\t},
\t"inputs": [
\t\t{ "id": "other", "type": "promptString" }, // last
\t]
}`.replaceAll('\n', '\r\n');
  const merged = mergeServers(text, [server]).text;
  let rest = merged;
  for (const piece of text.split('\r\n').flatMap((line) => line.split(','))) {
    const at = rest.indexOf(piece);
    expect(at).toBeGreaterThanOrEqual(0);
    rest = rest.slice(at + piece.length);
  }
  expect(merged).toContain('\r\n\t\t"a": {\r\n\t\t\t"command": "x"');
  expect(merged.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  expect(parseConfig(merged)).toMatchObject({ problems: [], isComplete: true });
  expect(parseConfig(merged).servers.map(({ name }) => name)).toEqual(['z', 'a']);
});

test('a server that is there already is the same however it is written', () => {
  const text = '{"inputs":[], "servers":{"a":{"args":["${input:token}"],/**/"command":"x"}}}';
  expect(mergeServers(text, [server])).toEqual({ text, outcomes: [{ kind: 'same', name: 'a' }] });
});

test.each([
  ['{"servers":{"a":{"command":"y"}}}', 'there is another server of this name'],
  [
    '{"inputs":[{"id":"token","type":"promptString","password":true}]}',
    'there is another input "token"',
  ],
  ['{"servers":[]}', 'its "servers" are no object'],
  ['{"inputs":{}}', 'its "inputs" are no list'],
  ['[]', 'the file holds no object'],
])('%s keeps it out', (text, reason) => {
  const outcomes = [{ kind: 'conflict', name: 'a', reason }];
  expect(mergeServers(text, [server])).toEqual({ text, outcomes });
});
