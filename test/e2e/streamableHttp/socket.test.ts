import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, onTestFinished } from 'vitest';

import { startListening } from '../../support/childProcess.ts';
import { HttpClient } from '../reports/support/httpClient.ts';
import { test, type Stage } from '../reports/support/stage.ts';

/** Starts a server of an SDK that speaks HTTP on a socket; gives the path of the socket. */
async function listen(stage: Stage, fixture: string, ...args: string[]): Promise<string> {
  const path = join(stage.folder, `${fixture.replaceAll('/', '-')}.sock`);
  const script = fileURLToPath(new URL(`../../fixtures/${fixture}.ts`, import.meta.url));
  const command = { command: process.execPath, args: [script, ...args, '--socket', path] };
  const server = await startListening(command);
  onTestFinished(() => server.stop());
  return path;
}

/** The name of the server that a client reaches, and how many tools it lists. */
async function meet(url: string | undefined): Promise<[unknown, number]> {
  const client = new HttpClient(url ?? '');
  const { result, error } = await client.open();
  expect(error).toBeUndefined();
  const { tools } = (await client.request(1, 'tools/list')).result as { tools: unknown[] };
  return [result?.['serverInfo'] !== undefined, tools.length];
}

describe('HTTP over a local socket', () => {
  test('reaches servers of every transport of HTTP, where the entry or the address says so', async ({
    stage,
  }) => {
    const [legacy, modern, sse] = await Promise.all([
      listen(stage, 'everythingLegacy/http'),
      listen(stage, 'everythingModern/http'),
      listen(stage, 'olderServers/sse', '2024-11-05'),
    ]);
    const { urls, cli } = await stage.serve({
      legacy: { type: 'http', url: `unix://${legacy}#/mcp` },
      modern: { url: `unix://${modern}#/mcp`, headers: { 'X-Tenant': 'a' } },
      sse: { type: 'sse', url: `unix://${sse}#/mcp` },
      found: { type: 'http', url: `unix://${sse}#/mcp` },
    });
    for (const name of ['legacy', 'modern', 'sse', 'found']) {
      const [named, tools] = await meet(urls[name]);
      expect([name, named, tools > 0]).toEqual([name, true, true]);
    }
    expect(cli.logged('warning')).toEqual([]);
  });

  test('is what an address with a path behind its socket means on the command line', async ({
    stage,
  }) => {
    const path = await listen(stage, 'everythingModern/http');
    const cli = await stage.stdio(`unix://${path}#/mcp`, { flags: ['--header', 'X-Tenant: a'] });
    const { result } = await cli.client.request(1, 'tools/call', { name: 'test_simple_text' });
    expect(result).toMatchObject({ content: [{ type: 'text' }] });
  });

  test('tells of a socket that is not there by its path', async ({ stage }) => {
    const path = join(stage.folder, 'absent.sock');
    const { urls } = await stage.serve({ one: { type: 'http', url: `unix://${path}` } });
    const { error } = await new HttpClient(urls['one'] ?? '').open();
    expect(error?.message).toContain(`Cannot reach ${path}: there is no such socket.`);
  });

  test('is no place to sign in to', async ({ stage }) => {
    const file = join(stage.folder, 'servers.json');
    writeFileSync(file, '{"servers":{"one":{"type":"http","url":"unix:///tmp/server.sock"}}}');
    const cli = stage.cli('login', '--config', file, 'one');
    expect(await cli.exit()).toBe(1);
    expect(cli.stderr).toContain(
      '"one" is reached over a local socket or ZAP, so nobody signs in to it.',
    );
  });
});
