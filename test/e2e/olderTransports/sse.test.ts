import { describe, expect, onTestFinished } from 'vitest';

import { until } from '../../support/until.ts';
import type { Revision } from '../../../src/protocol/revision.ts';
import { fixtureCommand } from '../../support/fixture.ts';
import { serverTarget } from '../../support/everything.ts';
import { legacy } from '../reports/support/rules.ts';
import { test, type Stage } from '../reports/support/stage.ts';
import { progressOf, connectSse, OLD_REVISIONS, type SseClientPeer } from './clients.ts';

/** `mcp-rosetta serve --sse` in front of a server; gives both addresses. */
async function serve(
  stage: Stage,
  target: readonly string[],
  ...flags: readonly string[]
): Promise<{ http: string; sse: string }> {
  const cli = stage.cli('serve', '--sse', ...flags, ...target);
  const lines = await until(() => {
    const found = cli.logged('listening on ');
    return found.length === 2 && found;
  });
  const [http = '', sse = ''] = lines.map((line) => line.slice('listening on '.length));
  return { http, sse };
}

async function connect(revision: Revision, url: string): Promise<SseClientPeer> {
  const peer = await connectSse(revision, url);
  onTestFinished(() => peer.client.close());
  return peer;
}

const call = async (
  { client }: SseClientPeer,
  name: string,
  args: object = {},
): Promise<string> => {
  const { content } = await client.callTool({ name, arguments: { ...args } });
  return (content as { text: string }[])[0]?.text ?? '';
};

/** A server that never answers a call. */
const silentServer = legacy('2025-06-18', { on: 'tools/call', steps: [] });

/** The address of a server on the SDK of a revision over HTTP+SSE; it ends with the test. */
async function older(revision: Revision): Promise<string> {
  const { target, stop } = await serverTarget(revision, 'sse');
  onTestFinished(stop);
  if (!('url' in target)) throw new Error('It has no address.');
  return target.url;
}

describe.each(OLD_REVISIONS)('an SDK of %s on both sides', (revision) => {
  test('calls, is asked, told and answered over HTTP+SSE', async ({ stage }) => {
    const { sse } = await serve(stage, ['--url', await older(revision)]);
    const [peer, other] = [await connect(revision, sse), await connect(revision, sse)];
    expect(peer.client.getServerVersion()?.name).toBe(`everything-${revision}`);
    expect(await call(peer, 'json_schema_2020_12_tool', { name: 'Ada' })).toContain('Ada');
    expect(await call(peer, 'test_sampling', { prompt: 'Capital of France?' })).toContain('Paris');
    expect(await call(other, 'test_input_required_result_list_roots')).toContain('file:///work');
    expect([peer.asked, other.asked]).toEqual([['sampling'], ['roots']]);

    expect(await progressOf(peer.client)).toEqual([0, 50, 100]);

    await call(peer, 'test_logging_tool');
    await call(peer, 'test_trigger_tool_change');
    await until(() => peer.heard.length === 2);
    expect([peer.heard, other.heard]).toEqual([['log', 'tools'], []]);
  });
});

describe('a client that knows only HTTP+SSE', () => {
  test('reaches a modern server, beside one that knows better', async ({ stage }) => {
    const { command, args } = fixtureCommand('everythingModern', 'stdio');
    const { http, sse } = await serve(stage, ['--', command, ...args]);
    expect([new URL(http).pathname, new URL(sse).pathname]).toEqual(['/mcp', '/sse']);
    const peer = await connect('2024-11-05', sse);
    const { tools } = await peer.client.listTools();
    expect(tools.length).toBeGreaterThan(5);
    const modern = await fetch(http, { method: 'GET', headers: { accept: 'text/event-stream' } });
    expect(modern.status).toBe(400);
  });

  test('goes in the middle of a call, and the call is cancelled', async ({ stage }) => {
    const { sse } = await serve(stage, ['--', ...stage.command(silentServer)]);
    const peer = await connectSse('2025-11-25', sse);
    const lost = peer.client.callTool({ name: 'echo' }).catch((error: unknown) => String(error));
    const methods = (): string[] => stage.runs().flatMap((run) => run.methods);
    await until(() => methods().includes('tools/call'));
    await peer.client.close();
    expect(await lost).toContain('closed');
    await until(() => stage.runs().every((run) => run.saw('eof')));
  });

  test('cancels a call', async ({ stage }) => {
    const { sse } = await serve(stage, ['--', ...stage.command(silentServer)]);
    const { client } = await connect('2025-06-18', sse);
    const abort = new AbortController();
    const lost = client
      .callTool({ name: 'echo' }, undefined, { signal: abort.signal })
      .catch((error: unknown) => String(error));
    const methods = (): string[] => stage.runs().flatMap((run) => run.methods);
    await until(() => methods().includes('tools/call'));
    abort.abort('enough');
    expect(await lost).toContain('enough');
    await until(() => methods().includes('notifications/cancelled'));
    await client.ping();
  });
});
