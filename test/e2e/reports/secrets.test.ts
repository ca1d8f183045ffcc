import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished } from 'vitest';

import type { RawClient } from '../../support/rawClient.ts';
import type { Cli } from './support/cli.ts';
import { initializeLine, test, type Stage } from './support/stage.ts';

const fixture = (name: string): string =>
  fileURLToPath(new URL(`fixtures/${name}.mjs`, import.meta.url));

/** Every secret has it in the middle, among what JSON, addresses and shells write otherwise. */
const MARK = 'er-4711';
const secretOf = (name: string): string => `${name}"m&rk ${MARK}\\${name}`;

/** Everything that can be told is told. */
function verbosely(stage: Stage): string[] {
  return [
    ...['--log-level', 'debug', '--degrade', 'permissive'],
    ...['--report', join(stage.folder, 'report.jsonl')],
    ...['--record', join(stage.folder, 'recording.ndjson')],
  ];
}

/** The files in which the program has written, and its logs: what it says to its client is not among them. */
function written(stage: Stage, clis: readonly Cli[]): [string, string][] {
  const filesIn = (folder: string): string[] =>
    readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? filesIn(path) : [path];
    });
  const files = filesIn(stage.folder).map((path): [string, string] => [
    path.slice(stage.folder.length),
    readFileSync(path, 'utf8'),
  ]);
  return [...files, ...clis.map((cli, i): [string, string] => [`log ${i}`, cli.stderr])];
}

function expectNoSecret(stage: Stage, ...clis: readonly Cli[]): void {
  const texts = written(stage, clis);
  const leaks = texts.flatMap(([name, text]) =>
    text.split('\n').flatMap((line) => (line.includes(MARK) ? [`${name}: ${line}`] : [])),
  );
  expect(leaks).toEqual([]);
  // They were there to be taken out, in each place that holds words of a server.
  const marked = texts.filter(([, text]) => text.includes('•••')).map(([name]) => name);
  expect(marked).toEqual(expect.arrayContaining(['/recording.ndjson', 'log 0']));
}

/** Has a conversation in which a server of 2026-07-28 asks something and fails in several ways; gives its last words. */
async function converse(client: RawClient): Promise<string> {
  client.write(initializeLine({ capabilities: { roots: {} } }));
  await client.response('open');
  client.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  await client.request(1, 'tools/list');
  client.send({ id: 2, method: 'tools/call', params: { name: 'ask' } });
  const question = await client.message(({ method }) => method === 'roots/list');
  client.send({ id: question.id, result: { roots: [] } });
  expect(await client.response(2)).toMatchObject({ result: { content: [{ text: 'true' }] } });
  await client.request(3, 'tools/call', { name: 'fail' });
  const { error } = await client.request(4, 'tools/call', { name: 'crash' });
  await client.request(5, 'tools/list');
  return error?.message ?? '';
}

/** A configuration whose server gets its secrets from the environment of the program, and gives them away. */
function leaky(stage: Stage): string {
  stage.env['SECRET'] = secretOf('token');
  stage.env['STATE_SECRET'] = secretOf('state');
  const env = { API_TOKEN: '${env:SECRET}', STATE_KEY: '${env:STATE_SECRET}' };
  const server = { command: process.execPath, args: [fixture('leakyServer')], env };
  const file = join(stage.folder, 'mcp-rosetta.json');
  writeFileSync(file, JSON.stringify({ servers: { leaky: server } }));
  return file;
}

describe('the secrets of a server that gives them away', () => {
  test('are in nothing that stdio writes, nor in the reason of a crash', async ({ stage }) => {
    const cli = stage.cli('stdio', ...verbosely(stage), '--config', leaky(stage));
    const words = await converse(cli.client);
    expect(words).toBe('The server exited with code 3: cannot go on with •••');
    await cli.end();
    expectNoSecret(stage, cli);
    expect(written(stage, []).map(([name]) => name)).toContain('/report.jsonl');
  });

  test('are in nothing that serve writes', async ({ stage }) => {
    const config = leaky(stage);
    const token = `bearer-${MARK}`;
    stage.env['MCP_ROSETTA_TOKEN'] = token;
    const cli = stage.cli('serve', '--sse', ...verbosely(stage), '--config', config);
    const url = (await cli.log('listening on ')).slice('listening on '.length);
    const post = async (authorization: string): Promise<Response> => {
      const accept = 'application/json, text/event-stream';
      const headers = { accept, 'content-type': 'application/json', authorization };
      return fetch(url, { method: 'POST', headers, body: initializeLine() });
    };
    expect((await post(`Bearer ${token}x`)).status).toBe(401);
    const opened = await post(`Bearer ${token}`);
    expect(opened.status).toBe(200);
    expect(await opened.text()).toContain('leaky');
    await cli.end();
    expectNoSecret(stage, cli);
  });

  test('are in nothing that tools logs', async ({ stage }) => {
    const cli = stage.cli('tools', '--json', ...verbosely(stage), '--config', leaky(stage));
    expect(await cli.exit()).toBe(0);
    expectNoSecret(stage, cli);
  });
});

describe('what is shown to a server over HTTP', () => {
  /** A server that repeats what it is shown wherever a refusal has room. */
  async function echoing(): Promise<string> {
    const server = createServer((request, response) => {
      const shown = JSON.stringify([request.url, request.headers]);
      request.resume().once('end', () => {
        response.writeHead(500, { 'content-type': 'text/plain', 'x-shown': encodeURI(shown) });
        response.end(`cannot serve ${shown}`);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  }

  test.for(['stdio', 'serve', 'tools'])(
    'is in nothing that %s writes when the server repeats it',
    async (command, { stage }) => {
      const query = new URLSearchParams({ api_key: secretOf('query') });
      const headers = { Authorization: `Bearer ${secretOf('header')}`, 'X-Any': secretOf('other') };
      const given = Object.entries(headers).flatMap(([name, value]) => [
        '--header',
        `${name}: ${value}`,
      ]);
      const url = `${await echoing()}?${query.toString()}`;
      const cli = stage.cli(command, ...verbosely(stage), ...given, '--url', url);
      if (command === 'stdio') {
        cli.client.write(initializeLine());
        const { error } = await cli.client.response('open');
        expect(error?.message).toContain('HTTP 500');
        expect(error?.message).not.toContain(MARK);
      }
      expect(await cli.exit()).toBe(1);
      expectNoSecret(stage, cli);
    },
  );
});

describe('the token that the bridge demands of its clients', () => {
  test('is not in the environment of its servers', async ({ stage }) => {
    stage.env['MCP_ROSETTA_TOKEN'] = 'of-the-bridge';
    stage.env['ECHO'] = 'MCP_ROSETTA_TOKEN,HOME';
    const cli = stage.cli('stdio', '--', process.execPath, fixture('echoServer'));
    cli.client.write(initializeLine());
    const { result } = await cli.client.response('open');
    expect(result?.['instructions']).toContain('"HOME"');
    expect(result?.['instructions']).not.toContain('MCP_ROSETTA_TOKEN');
  });
});
