import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { describe, expect } from 'vitest';

import { startChild } from '../../support/childProcess.ts';
import { fixtureCommand } from '../../support/fixture.ts';
import { until } from '../../support/until.ts';
import { CLI } from '../reports/support/cli.ts';
import { MODERN, test } from '../editors/desk.ts';

/** As it is published: it shows some of its tools only to clients that can be asked. */
const EVERYTHING = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);
const modern = ['--', MODERN.command, ...MODERN.args];
const legacy = fixtureCommand('everythingLegacy', 'stdio');

describe('a file that is none of ours', () => {
  test.for([
    ['--record', '# Notes\n'],
    ['--record', '{"kind":"report","server":"a"}\n'],
    ['--report', '# Notes\n'],
    ['--report', '{"name":"a package"}\n'],
    ['--report', 'no end of a line'],
  ])('is left alone by %s: %j', async ([flag = '', text = ''], { desk }) => {
    const file = desk.write('project/notes', text);
    const mark = join(desk.home, 'started');
    const start = `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`;
    const run = await desk.run(['tools', flag, 'notes', '--', process.execPath, '-e', start]);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain(`notes exists and was not written by ${flag}`);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(() => readFileSync(mark)).toThrow();
  });

  test('is another thing than one that an earlier run wrote, or that is empty', async ({
    desk,
  }) => {
    desk.write('project/a', '');
    const args = ['call', 'test_array_only', '--record', 'a', '--report', 'b', ...modern];
    for (const runs of [1, 2]) {
      const run = await desk.run(args);
      expect(run.stderr).not.toContain('was not written');
      const heads = desk.read('project/a').match(/"kind":"recording"/g);
      expect(heads).toHaveLength(runs);
    }
    const shown = await desk.run(['show', 'a']);
    expect(shown.stdout.match(/^the next run, of \d{4}-.*:$/gm)).toHaveLength(1);
    expect(shown.stdout.split('\n').filter((line) => line !== line.trimEnd())).toEqual([]);
  });
});

test.for([
  [['tools', '--config', 'none.json'], 'Cannot read none.json: there is no such file.'],
  [['show', 'none'], 'Cannot read none: there is no such file.'],
  [['show', '.'], 'Cannot read .: it is a folder.'],
  [['wrap', '.'], 'Cannot read .: it is a folder.'],
  [['tools', '--record', 'no/x', '--', 'a'], 'no/x: its folder does not exist.'],
  [['tools', '--report', 'no/x', '--', 'a'], 'no/x: its folder does not exist.'],
  [['login', 'foo'], '"foo" is no address (http:// or https://), and there is no .vscode'],
  [['logout', 'foo'], '"foo" is no address (http:// or https://), and there is no .vscode'],
  [['tools', '--config', 'empty.json'], 'empty.json has no servers.'],
  [['tools', '--config', 'off.json'], 'off.json: nothing is left to use; disabled: "off".'],
  [['stdio', 'off', '--config', 'off.json'], 'off.json: "off" is disabled'],
  [['stdio', '--config', 'two.json'], 'There are several servers, "a", "b"; say which'],
  [['call', 'a', '--config', 'two.json'], '"a" is a server; name one of its tools, too'],
  [['login', 'a', '--config', 'two.json'], '"a" is started by a command, so nobody signs in'],
  [['tools', '--config', 'bad.json'], 'bad.json: asks: it asks for the input "key"'],
])('%j says what is wrong, in one line of words', async ([args, message], { desk }) => {
  desk.write('project/empty.json', {});
  desk.write('project/off.json', { servers: { off: { command: 'x', disabled: true } } });
  desk.write('project/two.json', { servers: { a: { command: 'x' }, b: { command: 'x' } } });
  desk.write('project/bad.json', {
    servers: { asks: { command: 'x', args: ['${input:key}'] } },
    inputs: [{ id: 'key', type: 'promptString', description: 'Key' }],
  });
  const run = await desk.run(args as string[]);
  expect(run.code).toBe(1);
  expect(run.stderr).toContain(message as string);
  expect(run.stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(run.stderr).not.toMatch(/\bE[A-Z]{4,}\b/);
});

test('a command that is not there is told of without the folders that stand twice in PATH', async ({
  desk,
}) => {
  const PATH = '/no/a:/no/b:/no/a';
  const { code, stderr } = await desk.run(['tools', '--', 'nosuchprog'], '', { PATH });
  expect(code).toBe(1);
  expect(stderr).toContain('PATH searched: /no/a, /no/b. Install nosuchprog');
});

test('what is listed is what can be called', async ({ desk }) => {
  const server = ['--', process.execPath, EVERYTHING, 'stdio'];
  const listed = await desk.run(['tools', '--json', ...server]);
  const names = (JSON.parse(listed.stdout) as { name: string }[]).map(({ name }) => name);
  expect(names).toContain('trigger-elicitation-request');
  const called = await desk.run(['call', 'trigger-elicitation-request', '{}', ...server]);
  expect(called.stderr).toContain("Declined the server's question");
});

test('a refusal is told once, with what to type', async ({ desk }) => {
  const run = await desk.run(['call', 'test_array_only', ...modern]);
  const hint = 'allow it with --degrade tool-structured-any to receive this one as text';
  expect([run.code, run.stdout]).toEqual([1, '']);
  expect(run.stderr.split(hint)).toHaveLength(2);
  expect(run.stderr.match(/Readers before/g)).toHaveLength(1);

  const server = ['--', legacy.command, ...legacy.args];
  const tools = await desk.run(['tools', '--revision', '2026-07-28', ...server]);
  expect(tools.code).toBe(1);
  expect(tools.stderr.trimEnd().split('\n')).toHaveLength(1);
});

test('a port that is taken', async ({ desk }) => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  const run = await desk.run(['serve', '--port', String(port), ...modern]);
  taken.close();
  expect(run.code).toBe(1);
  expect(run.stderr).toContain(
    `Something listens at 127.0.0.1:${port} already. Choose another --port.`,
  );
});

describe('an address of https', () => {
  test('that speaks plain HTTP', async ({ desk }) => {
    const plain = createServer();
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const { port } = plain.address() as AddressInfo;
    const run = await desk.run(['tools', '--url', `https://127.0.0.1:${port}/mcp`]);
    plain.close();
    expect(run.stderr).toContain('it does not speak TLS. Is its address one of http://?');
  });
});

describe('Ctrl-C', () => {
  const waiting = ['-e', 'process.stderr.write("up\\n"); setInterval(() => {}, 1e6)'];
  const server = ['--', process.execPath, ...waiting];
  test.for([
    ['tools', ['tools', '--log-level', 'info', ...server], 'up'],
    ['call', ['call', 'x', '--log-level', 'info', ...server], 'up'],
    ['serve', ['serve', ...modern], 'listening on'],
  ] as const)('ends %s with 130', async ([, args, ready], { desk }) => {
    const child = startChild({ command: process.execPath, args: [CLI, ...args] }, desk.env);
    await until(() => child.log.lines.some((line) => line.includes(ready)));
    child.process.kill('SIGINT');
    await until(() => child.process.exitCode !== null);
    expect(child.process.exitCode).toBe(130);
  });
});

test('an older Node is refused before anything is done', async ({ desk }) => {
  const old = desk.write(
    'old.cjs',
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } });",
  );
  const run = await desk.run(['--version'], '', { NODE_OPTIONS: `--require ${old}` });
  expect([run.code, run.stdout]).toEqual([1, '']);
  expect(run.stderr).toBe('mcp-rosetta: This is Node 18.20.4; Node 20.18 or newer is needed.\n');
});

test('a server that cannot start fails stdio, and its client is told', async ({ desk }) => {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'a', version: '1' },
  };
  const opening = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const run = await desk.run(['stdio', '--', 'nosuchprog'], `${opening}\n`);
  expect(run.code).toBe(1);
  expect(JSON.parse(run.stdout)).toMatchObject({ id: 1, error: {} });
});
