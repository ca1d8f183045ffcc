import { spawn } from 'node:child_process';
import { describe, expect } from 'vitest';

import type { Step } from '../../fixtures/raw/script.ts';
import { modernServer } from '../../fixtures/raw/scripts.ts';
import type { Message } from '../../support/rawClient.ts';
import { until } from '../../support/until.ts';
import { CLI } from './support/cli.ts';
import { HttpClient } from './support/httpClient.ts';
import { answers, legacy } from './support/rules.ts';
import { initializeLine, test, type Stage } from './support/stage.ts';

const LINES = [
  initializeLine(),
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo"}}',
];
/** Shell that pipes these lines, and no more, into the program. */
const PIPED = `printf '%s\\n' ${LINES.map((line) => `'${line}'`).join(' ')} | "$@"`;
/** Shell that makes of file descriptor 3 a pipe that nobody reads. */
const UNREAD = 'exec 3> >(true); sleep 0.3;';
const CALL = '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"slow"}}';
const CANCEL = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}';
const FORM = { capabilities: { elicitation: {} } };
const hangs = { on: 'tools/call', contains: '"slow"', steps: [{ hang: true } as const] };

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program within a line of shell, where `$@` is the program with its arguments. */
async function shell(stage: Stage, line: string, ...args: string[]): Promise<Run> {
  const command = ['-c', line, 'sh', process.execPath, CLI, ...args];
  const child = spawn('bash', command, { env: stage.env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  await until(() => child.stdout.closed && child.stderr.closed && child.exitCode !== null);
  return { code: child.exitCode, stdout, stderr };
}

describe('a request over HTTP that the client cancels', () => {
  test.for([
    ['legacy', legacy('2025-06-18', hangs)],
    ['modern', modernServer(hangs)],
  ] as const)('of a %s server ends its POST and frees its id', async ([, server], { stage }) => {
    const { urls } = await stage.serve({ one: stage.entry(server, 'one') });
    const client = new HttpClient(urls['one'] ?? '');
    await client.open();
    const call = client.post(CALL);
    await until(() => stage.runs('one').at(-1)?.of('tools/call').length === 1);
    await client.post(CANCEL);
    expect(await call).toMatchObject({ status: 202, lines: [''] });
    expect((await client.request(5, 'tools/call', { name: 'echo' })).error).toBeUndefined();
  });
});

describe('a question to a client that went away from its call', () => {
  const ask: Step = {
    send: {
      jsonrpc: '2.0',
      id: 77,
      method: 'elicitation/create',
      params: { message: 'm', requestedSchema: { type: 'object', properties: {} } },
    },
  };
  const asking = legacy(
    '2025-11-25',
    { on: 'tools/call', contains: '"ask"', steps: [{ wait: 500 }, ask] },
    hangs,
  );

  /** Calls, and goes away as soon as the server has the call. */
  async function callAndLeave(stage: Stage, client: HttpClient): Promise<void> {
    const abort = new AbortController();
    const call = client.post(CALL.replace('slow', 'ask'), abort.signal);
    await until(() => stage.runs('one')[0]?.of('tools/call').length === 1);
    abort.abort();
    await expect(call).rejects.toThrow();
  }

  test('is answered with an error at once, and later calls still time out', async ({ stage }) => {
    const timeouts = { requestMs: 1000 };
    const { urls } = await stage.serve({ one: stage.entry(asking, 'one', { timeouts }) });
    const client = new HttpClient(urls['one'] ?? '');
    await client.open(FORM);
    await callAndLeave(stage, client);
    const responses = (): Message[] =>
      stage.runs('one')[0]?.messages.filter(({ id, method }) => id === 77 && !method) ?? [];
    await until(() => responses().length === 1);
    expect(responses()).toMatchObject([{ id: 77, error: { code: -32603 } }]);
    expect((await client.request(6, 'tools/call', { name: 'slow' })).error).toBeDefined();
  });

  test('reaches it on its standing stream', async ({ stage }) => {
    const { urls } = await stage.serve({ one: stage.entry(asking, 'one') });
    const client = new HttpClient(urls['one'] ?? '');
    await client.open(FORM);
    await client.listen();
    await callAndLeave(stage, client);
    await until(() => client.lines.some((line) => line.includes('elicitation/create')));
  });
});

describe('a script that closes its pipe behind its requests', () => {
  test.for([
    ['legacy', legacy('2025-06-18')],
    ['modern', modernServer(answers('tools/call', '{"resultType":"complete","content":[]}'))],
  ] as const)('gets the answers of a %s server', async ([, server], { stage }) => {
    const run = await shell(stage, PIPED, 'stdio', '--', ...stage.command(server));
    expect({ ...run, stdout: run.stdout.trimEnd().split('\n').length }).toEqual({
      code: 0,
      stdout: 3,
      stderr: '',
    });
  });

  test('is told how many answers did not come', async ({ stage }) => {
    const never = legacy('2025-06-18', { on: 'tools/call', steps: [{ hang: true }] });
    const run = await shell(stage, PIPED, 'stdio', '--', ...stage.command(never));
    expect(run.code).toBe(0);
    expect(run.stdout.trimEnd().split('\n')).toHaveLength(2);
    expect(run.stderr).toContain('1 request was not answered');
  });
});

describe('output that nobody reads', () => {
  test.for(['--help', 'help serve', '--version'])('is no fault: %s', async (words, { stage }) => {
    const run = await shell(stage, `${UNREAD} "$@" >&3`, ...words.split(' '));
    expect(run).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('is no fault: tools', async ({ stage }) => {
    const server = stage.command(legacy('2025-06-18'));
    const run = await shell(stage, `${UNREAD} "$@" >&3`, 'tools', '--', ...server);
    expect(run).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('is no fault where it is the log', async ({ stage }) => {
    const server = stage.command(legacy('2025-06-18'));
    const args = ['stdio', '--log-level', 'debug', '--', ...server];
    const run = await shell(stage, `${UNREAD} ${PIPED} 2>&3`, ...args);
    expect([run.code, run.stdout.trimEnd().split('\n').length]).toEqual([0, 3]);
    expect((await shell(stage, `${UNREAD} "$@" 2>&3`, 'nonsense')).code).toBe(2);
  });

  test('ends the program though its input stays open', async ({ stage }) => {
    const server = stage.command(legacy('2025-06-18'));
    const child = spawn(process.execPath, [CLI, 'stdio', '--', ...server], { env: stage.env });
    child.stdout.destroy();
    child.stdin.write(`${initializeLine()}\n`);
    await until(() => child.exitCode !== null);
    expect(child.exitCode).toBe(0);
  });
});

describe('a disk that is full', () => {
  test('is told of where the output goes there', async ({ stage }) => {
    const run = await shell(stage, '"$@" > /dev/full', '--help');
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(/^mcp-rosetta: Cannot write the output: ENOSPC.*\n$/);
  });

  test('costs a conversation no more than its report', async ({ stage }) => {
    const server = modernServer(answers('tools/call', '{"content":[]}'));
    const cli = stage.cli('stdio', '--report', '/dev/full', '--', ...stage.command(server));
    cli.client.write(initializeLine());
    await cli.client.response('open');
    for (const id of [1, 2]) await cli.client.request(id, 'tools/call', { name: 'echo' });
    expect(cli.logged('Cannot go on with the report file: the disk is full.')).toHaveLength(1);
  });
});
