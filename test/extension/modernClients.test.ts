import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { legacyServer, modernServer } from '../fixtures/raw/scripts.ts';
import { configure, problems, removeConfiguration } from './support/configuration.ts';
import { definitionOf, type Definition } from './support/definition.ts';
import { page } from './support/page.ts';
import { scripted, startAndAgree, waitForEnd } from './support/servers.ts';
import { clickRowButton, readRows, waitForRow } from './support/tree.ts';
import { callTool, waitForTool, waitUntil } from './support/workbench.ts';

suite('Clients of 2026-07-28 beside the editor', () => {
  teardown(removeConfiguration);

  test('both use one server at once, and what a call changed is shown in Problems', async () => {
    const content = [{ type: 'text', text: 'ok', annotations: null }];
    const rule = { on: 'tools/call', steps: [{ result: { content } }] };
    await configure({ both: scripted('both', legacyServer('2025-06-18', rule)).entry });
    const definition = await start('both');
    const client = await connect(definition);
    assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28');
    assert.deepEqual(
      (await client.listTools()).tools.map(({ name }) => name),
      ['echo'],
    );
    assert.deepEqual((await client.callTool({ name: 'echo' })).content, [
      { type: 'text', text: 'ok' },
    ]);
    const problem = await waitUntil('the report of the call', () =>
      problems().find(({ code }) => code === 'null-member'),
    );
    assert.match(problem.message, /"echo" result changed: .*2025-06-18 → 2026-07-28/);
    await waitForRow('both 2025-11-25, 2026-07-28 ⇄ 2025-06-18 · 1 tool');
    assert.equal(await callTool((await waitForTool('_echo')).name, {}), 'ok');
    assert.ok((await readRows()).some((row) => row.includes('2026-07-28 (modern era) · agent')));
    await page.screenshot('both-eras');
    await client.close();
  });

  test('a wrong token, or none, reaches no server', async () => {
    const server = scripted('guarded', modernServer());
    await configure({ guarded: server.entry });
    const { url } = await start('guarded');
    for (const headers of [{}, { Authorization: 'Bearer wrong' }]) {
      const answer = await fetch(url, { method: 'POST', headers, body: '{}' });
      assert.equal(answer.status, 401);
      await assert.rejects(connect({ url, headers }), /401/);
    }
    assert.equal(server.starts().length, 1);
  });

  test('a server that is not allowed, or was stopped, says so and does not start', async () => {
    const held = scripted('held', modernServer());
    await configure({ allowed: scripted('allowed', modernServer()).entry, held: held.entry });
    const { url, headers } = await start('allowed');
    const other = { url: new URL('/held/mcp', url), headers };
    await assert.rejects(connect(other), /"held" has not been allowed to run; review it/);
    assert.deepEqual(held.starts(), []);

    await startAndAgree('held');
    await waitForRow('held 2025-11-25 ⇄ 2026-07-28');
    const client = await connect(other);
    await client.callTool({ name: 'echo' });
    assert.equal(held.starts().length, 1, 'clients of both eras share a modern server');
    await waitForRow('held 2025-11-25, 2026-07-28 ⇄ 2026-07-28 · 1 tool');
    await clickRowButton('held', 'Stop Server');
    await waitForEnd(held.starts());
    await assert.rejects(client.callTool({ name: 'echo' }), /"held" was stopped; start it/);
    assert.equal(held.starts().length, 1);
    await client.close();
  });
});

/** Lets the editor start a server, and learns how it reaches it. */
function start(name: string): Promise<Definition> {
  return definitionOf(name, async () => {
    await startAndAgree(name);
    await waitForRow(`${name} 2025-11-25 ⇄`);
  });
}

/** Connects an agent that knows both eras, and prefers the modern one. */
async function connect({ url, headers }: Definition): Promise<Client> {
  const info = { name: 'agent', version: '1.0.0' };
  const client = new Client(info, { versionNegotiation: { mode: 'auto' } });
  await client.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers: { ...headers } } }),
  );
  return client;
}
