import { expect } from 'vitest';

import { scriptedCommand } from '../../fixtures/raw/command.ts';
import { legacyServer } from '../../fixtures/raw/scripts.ts';
import { serverTarget, startEverything } from '../../support/everything.ts';
import { fixtureCommand } from '../../support/fixture.ts';
import { MODERN, test } from './desk.ts';

const modern = ['--', MODERN.command, ...MODERN.args];
const { command, args } = fixtureCommand('everythingLegacy', 'stdio');
const legacy = ['--', command, ...args];

test('the text of a result is printed as it is, for any era and any way to the server', async ({
  desk,
}) => {
  const plain = 'This is a simple text response for testing.\n';
  for (const server of [modern, legacy]) {
    const run = await desk.run(['call', 'test_simple_text', ...server]);
    expect([run.code, run.stdout]).toEqual([0, plain]);
  }
  const remote = await startEverything('modern');
  const run = await desk.run(['call', 'test_simple_text', '{}', '--url', remote.url]);
  expect([run.code, run.stdout]).toEqual([0, plain]);
  await remote.stop();
  desk.write('project/c.json', { servers: { one: MODERN, two: { command, args } } });
  const named = await desk.run(['call', 'two', 'test_simple_text', '--config', 'c.json']);
  expect([named.code, named.stdout]).toEqual([0, plain]);
});

test('an address that is known to be one of HTTP+SSE', async ({ desk }) => {
  const { target, stop } = await serverTarget('2024-11-05', 'sse');
  const url = 'url' in target ? target.url : '';
  const args = ['call', 'test_simple_text', '--type', 'sse', '--url-env', 'ADDRESS'];
  const run = await desk.run(args, '', { ADDRESS: url });
  expect([run.code, run.stderr]).toEqual([0, '']);
  await stop();
});

test('what was named to the bridge by variables is inherited by nothing that it starts', async ({
  desk,
}) => {
  const secret = { MCP_ROSETTA_URL: 'http://secret', MCP_ROSETTA_HEADER_1: 'secret' };
  const print = 'process.stderr.write(JSON.stringify(process.env)+"\\n");process.exit(1)';
  const args = ['call', 'x', '--log-level', 'info', '--', process.execPath, '-e', print];
  const { stderr } = await desk.run(args, '', { ...secret, KEPT: 'kept' });
  expect([stderr.includes('kept'), stderr.includes('secret')]).toEqual([true, false]);
});

test('a tool that fails prints why, and its exit code says so', async ({ desk }) => {
  const run = await desk.run(['call', 'test_error_handling', ...legacy]);
  expect(run.code).toBe(1);
  expect(run.stdout).toContain('error');
  expect(run.stderr).toContain('The tool "test_error_handling" failed; its result says why.');
});

test('a refused result is an error that names what may be allowed', async ({ desk }) => {
  const refused = await desk.run(['call', 'test_array_only', ...modern]);
  expect(refused.code).toBe(1);
  expect(refused.stdout + refused.stderr).toContain('tool-structured-any');
  const allowed = await desk.run(['call', 'test_array_only', '--degrade', 'permissive', ...modern]);
  expect(allowed.code).toBe(0);
});

test('a question of the server is declined, aloud', async ({ desk }) => {
  const input = '{"message":"Who are you?"}';
  for (const server of [modern, legacy]) {
    const { stderr } = await desk.run(['call', 'test_elicitation', '-', ...server], input);
    expect(stderr).toContain('Declined the server\'s question: "Who are you?"');
  }
});

test('an unknown tool names near ones, and is not called', async ({ desk }) => {
  const near = await desk.run(['call', 'test_simple_txt', ...modern]);
  expect([near.code, near.stdout]).toEqual([1, '']);
  expect(near.stderr).toContain(
    'There is no tool "test_simple_txt"; did you mean "test_simple_text"?',
  );
  const far = await desk.run(['call', 'zzzzzz', ...modern]);
  expect(far.stderr).toMatch(/there are "test_simple_text", .* and \d+ more\./);
});

test('arguments reach the server, and the result leaves it, byte by byte', async ({ desk }) => {
  const result = '{"content" : [{"type":"text","text":"\\u0041"}], "x": 1.0}';
  const answered = { line: `{"jsonrpc":"2.0","id":"$ID","result":${result}}` };
  // Another spelling of the arguments gets no such answer.
  const rule = { on: 'tools/call', contains: '"arguments":{"n": 1.50}', steps: [answered] };
  const server = scriptedCommand(legacyServer('2025-11-25', rule));
  const run = await desk.run(
    ['call', 'echo', '-', '--json', '--', server.command, ...server.args],
    '\uFEFF {"n": 1.50}\n',
  );
  expect([run.code, run.stdout]).toEqual([0, `${result}\n`]);
});

test.for(['[]', '{', '', '7'])(
  'standard input that is no object is wrong use: %j',
  async (input, { desk }) => {
    const run = await desk.run(['call', 'x', '-', ...modern], input);
    expect([run.code, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toContain('Standard input must be a JSON object');
  },
);

test('a server that cannot start is said once', async ({ desk }) => {
  const run = await desk.run(['call', 'x', '--', 'no-such-program']);
  expect(run.code).toBe(1);
  expect(run.stderr.match(/The command no-such-program was not found/g)).toHaveLength(1);
});
