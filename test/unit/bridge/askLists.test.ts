import { describe, expect, test } from 'vitest';
import type { RequestFrame } from '../../../src/protocol/frame.ts';
import type { Members } from '../../support/rawClient.ts';
import { until } from '../../support/until.ts';
import { frameOf, messageOf, Stage, VERSION, type Script } from './modern/stage.ts';

const REFUSAL = { code: -32601, message: 'Method not found' };
const TOOLS = { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private' };

/** A server of the modern era that knows these methods, and no handshake. */
function knowing(results: Readonly<Record<string, Members>>): Script {
  const known = new Map(Object.entries(results));
  return ({ method = '' }) => known.get(method) ?? REFUSAL;
}

/** Opens a session for a client of the legacy era; gives the answer to its `initialize`. */
async function initialize(stage: Stage): Promise<Members> {
  const answers: Members[] = [];
  const clientInfo = { name: 'old', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: { roots: {} }, clientInfo };
  const frame = frameOf({ id: 1, method: 'initialize', params }) as RequestFrame;
  const session = stage.bridge.accept(
    {
      send: (sent) => answers.push(messageOf(sent) as Members),
      drop: () => undefined,
      close: () => undefined,
    },
    frame,
  );
  session.onFrame(frame);
  await until(() => answers.length > 0);
  return answers[0] ?? {};
}

describe.each(['stdio', 'streamableHttp'] as const)('a server without a handshake: %s', (kind) => {
  const results = {
    'tools/list': TOOLS,
    'prompts/list': { ...TOOLS, prompts: [] },
    'tools/call': { resultType: 'complete', content: [] },
  };

  test('is opened by its lists, and no more is promised of it', async () => {
    const stage = new Stage(knowing(results), { kind });
    const { result } = await initialize(stage);
    expect(result).toEqual({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, prompts: {} },
      serverInfo: { name: 'fake', version: 'unknown' },
    });
    expect(stage.bridge.state).toMatchObject({
      era: 'modern',
      evidence: 'it lists its tools and prompts, though it answers no handshake',
    });
    expect(stage.server.of('tools/list')[0]?.params?.['_meta']).toMatchObject({
      [VERSION]: '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': { roots: {} },
    });
    expect(stage.server.closed).toBe(false);
  });

  test('though it answers initialize with a revision that has none', async () => {
    const initialized = { protocolVersion: '2026-07-28', capabilities: {}, serverInfo: {} };
    const stage = new Stage(knowing({ ...results, initialize: initialized }), { kind });
    expect(await initialize(stage)).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
  });

  test('is told of to a modern client in place of its own word', async () => {
    const client = new Stage(knowing(results), { kind }).client();
    expect((await client.request(1, 'server/discover')).result).toMatchObject({
      supportedVersions: ['2026-07-28', 'draft'],
      capabilities: { tools: {}, prompts: {} },
    });
    expect((await client.request(2, 'tools/call', { name: 'a' })).result).toEqual(
      results['tools/call'],
    );
  });

  test.each<[string, Script]>([
    ['refuses everything', () => REFUSAL],
    ['says yes to everything', ({ method }) => (method === 'initialize' ? REFUSAL : { ok: true })],
  ])('is no server of this protocol where it %s', async (_name, script) => {
    const stage = new Stage(script, { kind });
    const { error } = await initialize(stage);
    const message =
      'The server could not be opened: it refused initialize with -32601: Method not found';
    expect(error).toMatchObject({ message });
    for (const list of ['tools/list', 'resources/list', 'prompts/list']) {
      expect(stage.server.of(list)).toHaveLength(1);
    }
    expect(stage.servers.every(({ closed }) => closed)).toBe(true);
  });

  test('need not answer what it does not know', async () => {
    const known = knowing(results);
    const script: Script = (message, server) =>
      message.method === 'resources/list' ? undefined : known(message, server);
    const stage = new Stage(script, { kind, timeouts: { probeMs: 20 } });
    expect(await initialize(stage)).toMatchObject({
      result: { capabilities: { tools: {}, prompts: {} } },
    });
  });

  test.each(['modern', 'legacy', undefined] as const)(
    'that has its reasons to refuse initialize tells them, remembered as %s',
    async (era) => {
      const refusal = { code: -32000, message: 'API_KEY is not set' };
      const memory = { recall: () => era, remember: () => undefined };
      const stage = new Stage(knowing({ ...results, initialize: refusal }), { kind, memory });
      const message =
        'The server could not be opened: it refused initialize with -32000: API_KEY is not set';
      expect(await initialize(stage)).toMatchObject({ error: { message } });
      for (const server of stage.servers) expect(server.of('tools/list')).toEqual([]);
    },
  );

  test('is taken at the word of the configuration', async () => {
    const legacy = new Stage(knowing(results), { kind, pinned: '2025-11-25' });
    expect(await initialize(legacy)).toMatchObject({ error: {} });
    expect(legacy.server.of('tools/list')).toEqual([]);
    const modern = new Stage(knowing(results), { kind, pinned: '2026-07-28' });
    expect(await initialize(modern)).toMatchObject({ result: { capabilities: { tools: {} } } });
    expect(modern.server.of('initialize')).toEqual([]);
  });

  test('is not asked more where it is silent', async () => {
    const script: Script = () => undefined;
    const stage = new Stage(script, { kind, timeouts: { probeMs: 5, startMs: 60 } });
    expect(await initialize(stage)).toMatchObject({ error: {} });
    for (const server of stage.servers) expect(server.of('tools/list')).toEqual([]);
  });
});
