import { describe, expect } from 'vitest';

import {
  exitUnlessInitialize,
  ignoreProbe,
  legacyServer,
  modernServer,
  refuseProbe,
} from '../../fixtures/raw/scripts.ts';
import type { Rule } from '../../fixtures/raw/script.ts';
import { until } from '../../support/until.ts';
import { HttpClient } from './support/httpClient.ts';
import { answers, discoversChanges, legacy, listens } from './support/rules.ts';
import { test } from './support/stage.ts';

const INITIALIZE =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{"form":{}}},"clientInfo":{"name":"ed","version":"1"}}}';
const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

describe('a modern server', () => {
  test('is opened by its probe and served to a client that sends initialize', async ({ stage }) => {
    const url = await stage.http(modernServer(discoversChanges, listens()));
    const { client } = stage.unopened(url);
    client.write(INITIALIZE);
    const opened = await client.response(1);
    expect(opened.result).toEqual({
      protocolVersion: '2025-11-25',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'sum', version: '2.0' },
    });
    client.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    await until(() => stage.run.methods.includes('subscriptions/listen'));
    await client.request(2, 'tools/list');
    await client.request(3, 'tools/call', { name: 'echo', arguments: {} });

    const { requests, methods } = stage.run;
    expect(new Set(methods)).toEqual(
      new Set(['server/discover', 'subscriptions/listen', 'tools/list', 'tools/call']),
    );
    expect(requests.map(({ method }) => method)).not.toContain('GET');
    for (const { headers, body } of requests) {
      const message = JSON.parse(body) as { method: string; params: { _meta: object } };
      expect(headers).toMatchObject({
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': message.method,
      });
      expect(message.params._meta).toMatchObject({
        [PROTOCOL_VERSION]: '2026-07-28',
        [CAPABILITIES]: { elicitation: { form: {} } },
      });
    }
    expect(requests.at(-1)?.headers['mcp-name']).toBe('echo');
  });

  test('is served over HTTP just so', async ({ stage }) => {
    const url = await stage.http(modernServer());
    const cli = stage.cli('serve', '--url', url);
    const address = (await cli.log('listening on ')).slice('listening on '.length);
    const client = new HttpClient(address);
    expect((await client.open()).result).toMatchObject({
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'scripted', version: '1.0.0' },
    });
    const called = await client.request(2, 'tools/call', { name: 'echo' });
    expect(called.result).toMatchObject({ content: [{ type: 'text', text: 'ok' }] });
  });
});

describe('a modern server that does not know the probe', () => {
  test.for(['stdio', 'http'] as const)(
    'is opened by its lists over %s',
    async (kind, { stage }) => {
      const script = modernServer(refuseProbe(-32601, 'Method not found'), {
        on: 'initialize',
        steps: [{ error: { code: -32601, message: 'Method not found' } }],
      });
      const cli = await stage.stdio(kind === 'stdio' ? script : await stage.http(script));
      const called = await cli.client.request(2, 'tools/call', { name: 'echo', arguments: {} });
      expect(called.result).toMatchObject({ content: [{ type: 'text', text: 'ok' }] });
      expect(cli.logged('modern era')).toEqual([expect.stringContaining('it lists its tools')]);
    },
  );
});

describe('a legacy server that answers the probe with an error', () => {
  test.for([
    [-32601, 'Method not found'],
    [-32602, 'Invalid request parameters'],
    [-32603, 'Internal error'],
    [-32002, 'Server not initialized'],
  ] as const)('is opened by initialize after %i over stdio', async ([code, message], { stage }) => {
    const script = legacyServer('2025-06-18', refuseProbe(code, message));
    const cli = await stage.stdio(script);
    const list = await cli.client.request(2, 'tools/list');
    expect(list.result).toMatchObject({ tools: [{ name: 'echo' }] });
    expect(cli.logged('legacy era')).toEqual([
      expect.stringContaining(`it answered the probe with the error ${code}`),
    ]);
    expect(stage.runs()).toHaveLength(1);
    expect(stage.report).toEqual([]);
  });

  test.for([400, 404, 405, 500])(
    'is opened by initialize after HTTP %i',
    async (status, { stage }) => {
      const script = legacyServer('2025-06-18', {
        on: 'server/discover',
        steps: [
          { head: { status } },
          { send: { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'No session' } } },
        ],
      });
      const cli = await stage.stdio(await stage.http(script));
      const list = await cli.client.request(2, 'tools/list');
      expect(list.result).toMatchObject({ tools: [{ name: 'echo' }] });
    },
  );

  test('is opened by initialize over HTTP though it says -32601 with status 200', async ({
    stage,
  }) => {
    const script = legacyServer('2025-06-18', refuseProbe(-32601, 'Method not found'));
    const cli = await stage.stdio(await stage.http(script));
    const list = await cli.client.request(2, 'tools/list');
    expect(list.result).toMatchObject({ tools: [{ name: 'echo' }] });
  });
});

describe('a legacy server that does not answer the probe', () => {
  test('is opened by initialize in the same process, and its silence told', async ({ stage }) => {
    const script = legacyServer('2025-06-18', ignoreProbe);
    const { cli, urls } = await stage.serve({
      quiet: stage.entry(script, 'quiet', { timeouts: { probeMs: 100 } }),
    });
    const client = new HttpClient(urls['quiet'] ?? '');
    await client.open();
    expect((await client.request(2, 'tools/list')).result).toMatchObject({
      tools: [{ name: 'echo' }],
    });
    expect(cli.logged('legacy era')).toEqual([
      expect.stringContaining('it did not answer the probe'),
    ]);
    const [run, ...others] = stage.runs('quiet');
    expect(others).toEqual([]);
    expect(run?.methods.slice(0, 2)).toEqual(['server/discover', 'initialize']);
  });
});

describe('a legacy server that ends when anything comes before initialize', () => {
  const script = legacyServer('2025-06-18', exitUnlessInitialize);

  test('is started once more and opened by initialize, without an error', async ({ stage }) => {
    const cli = await stage.stdio(script);
    await cli.client.request(2, 'tools/list');
    const [probed, used, ...others] = stage.runs();
    expect(others).toEqual([]);
    expect(probed?.methods).toEqual(['server/discover']);
    expect(used?.methods).toEqual(['initialize', 'notifications/initialized', 'tools/list']);
    expect(stage.report).toEqual([]);
    expect(cli.logged('exited')).toEqual([expect.stringContaining('legacy era')]);
  });

  test('is spared the probe the next time', async ({ stage }) => {
    const first = await stage.stdio(script);
    await first.end();
    const before = stage.runs().length;
    const second = await stage.stdio(script);
    await second.client.request(2, 'tools/list');
    const runs = stage.runs().slice(before);
    expect(runs.map(({ methods }) => methods[0])).toEqual(['initialize']);
  });
});

describe('the revision that initialize offers', () => {
  const refused: Rule = {
    on: 'initialize',
    contains: '"protocolVersion":"2025-11-25"',
    steps: [
      {
        error: {
          code: -32602,
          message:
            'Unsupported protocol version: 2025-11-25 - supported versions: 2025-06-18,2024-11-05',
        },
      },
    ],
  };

  test('is the next one that a refusal names, with a warning', async ({ stage }) => {
    const cli = await stage.stdio(legacy('2025-06-18', refused));
    await cli.client.request(2, 'tools/list');
    const offers = stage.run.of('initialize').map(({ params }) => params?.['protocolVersion']);
    expect(offers).toEqual(['2025-11-25', '2025-06-18']);
    expect(cli.logged('instead of negotiating')).toHaveLength(1);
    await cli.log('speaks 2025-06-18');
  });

  test('steps down where a refusal names none', async ({ stage }) => {
    const silent = (version: string): Rule => ({
      on: 'initialize',
      contains: `"protocolVersion":"${version}"`,
      steps: [{ error: { code: -32602, message: 'Unsupported protocol version' } }],
    });
    const script = legacy('2025-03-26', silent('2025-11-25'), silent('2025-06-18'));
    const cli = await stage.stdio(script);
    await cli.log('speaks 2025-03-26');
  });

  test('may be answered by an older one', async ({ stage }) => {
    const cli = await stage.stdio(legacy('2025-03-26'));
    expect((await cli.client.response('open')).result).toMatchObject({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'scripted', version: '1.0.0' },
    });
    await cli.log('speaks 2025-03-26');
    expect((await cli.client.request(2, 'tools/list')).error).toBeUndefined();
  });

  describe('and of which the server knows less', () => {
    const COMPLETE =
      '{"jsonrpc":"2.0","id":5,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"x"},"context":{"arguments":{"b":"y"}}}}';
    // It is the client's words that the server does not know.
    const LEGS = { from: '2025-11-25', to: '2025-03-26' };
    const completes = answers('completion/complete', '{"completion":{"values":["xy"]}}');

    test('loses what the server cannot read where it may, and reports it', async ({ stage }) => {
      const flags = ['--degrade', 'completion-context'];
      const { client } = await stage.stdio(legacy('2025-03-26', completes), { flags });
      client.write(COMPLETE);
      expect((await client.response(5)).result).toEqual({ completion: { values: ['xy'] } });
      expect(stage.run.of('completion/complete')[0]?.params).not.toHaveProperty('context');
      const subject = { feature: 'completion-context', path: '/context', ...LEGS };
      expect(stage.report).toMatchObject([{ kind: 'report', loss: 'lossy', ...subject }]);
    });

    test('is refused it by strict', async ({ stage }) => {
      const { client } = await stage.stdio(legacy('2025-03-26', completes));
      client.write(COMPLETE);
      const { error } = await client.response(5);
      expect(error).toMatchObject({
        code: -32603,
        data: { bridge: { refused: 'completion-context', path: '/context', ...LEGS } },
      });
      expect(stage.run.methods).not.toContain('completion/complete');
    });

    test('keeps it where the server knows it', async ({ stage }) => {
      const { client } = await stage.stdio(legacy('2025-06-18', completes));
      client.write(COMPLETE);
      await client.response(5);
      expect(stage.run.of('completion/complete')[0]?.params).toHaveProperty('context');
      expect(stage.report).toEqual([]);
    });
  });

  test('must not be answered by an unknown one', async ({ stage }) => {
    const cli = stage.unopened(legacy('1999-12-31'));
    cli.client.write(INITIALIZE);
    const { error } = await cli.client.response(1);
    expect(error?.message).toContain('"1999-12-31"');
    expect(await cli.exit()).toBe(1);
  });

  test('must not be answered by an unknown one, though the probe was never answered', async ({
    stage,
  }) => {
    const script = legacyServer('1999-12-31', ignoreProbe);
    const timeouts = { probeMs: 100 };
    const { urls } = await stage.serve({ odd: stage.entry(script, 'odd', { timeouts }) });
    const { error } = await new HttpClient(urls['odd'] ?? '').open();
    expect(error?.message).toContain('"1999-12-31"');
    expect(stage.runs('odd')).toHaveLength(1);
  });

  test('is told the reason of a refusal, though the probe was never answered', async ({
    stage,
  }) => {
    const refuses: Rule = {
      on: 'initialize',
      steps: [{ error: { code: -32000, message: 'API_KEY is not set' } }],
    };
    const script = legacyServer('2025-06-18', ignoreProbe, refuses);
    const timeouts = { probeMs: 100 };
    const { urls } = await stage.serve({ keyless: stage.entry(script, 'keyless', { timeouts }) });
    const { error } = await new HttpClient(urls['keyless'] ?? '').open();
    expect(error?.message).toContain('-32000: API_KEY is not set');
  });
});
