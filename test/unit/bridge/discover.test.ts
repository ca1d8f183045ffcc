import { describe, expect, test } from 'vitest';
import type { Revision } from '../../../src/protocol/revision.ts';
import { modern, Stage, VERSION, type Script } from './modern/stage.ts';

/** Refuses the probe so many times, naming these versions, and is a modern server then. */
function refusing(times: number, supported: readonly string[]): Script {
  let left = times;
  const server = modern(() => ({
    resultType: 'complete',
    ttlMs: 0,
    cacheScope: 'private',
    tools: [],
  }));
  return (message, fake) =>
    message.method === 'server/discover' && left-- > 0
      ? { code: -32022, message: 'Unsupported protocol version', data: { supported } }
      : server(message, fake);
}

/** The versions in which a server was asked what it is. */
function askedIn(stage: Stage): unknown[] {
  const probes = stage.server.of('server/discover');
  return probes.map(({ params }) => (params?.['_meta'] as Record<string, unknown>)[VERSION]);
}

describe('a server that refuses the revision of the probe', () => {
  test.each<[string, number, readonly string[], readonly string[]]>([
    ['another', 1, ['draft'], ['2026-07-28', 'draft']],
    ['the same', 1, ['2026-07-28'], ['2026-07-28', '2026-07-28']],
    ['both', 2, ['draft', '2026-07-28'], ['2026-07-28', 'draft', 'draft']],
  ])('is asked again in one it names: %s', async (_name, times, supported, asked) => {
    const stage = new Stage(refusing(times, supported));
    const { result } = await stage.client().request(1, 'tools/list');
    expect(result).toMatchObject({ tools: [] });
    expect(askedIn(stage)).toEqual(asked);
    expect(stage.servers).toHaveLength(1);
  });

  test('for good is not asked for ever, nor taken for a legacy one', async () => {
    const stage = new Stage(refusing(Infinity, ['draft', '2026-07-28']));
    const { error } = await stage.client().request(1, 'tools/list');
    expect(error).toMatchObject({ message: /refused server\/discover with -32022/ });
    expect(askedIn(stage)).toEqual(['2026-07-28', 'draft', 'draft']);
    expect(stage.server.of('initialize')).toEqual([]);
  });

  test('that the configuration pins is asked in no other', async () => {
    const pinned: Revision = '2026-07-28';
    const stage = new Stage(refusing(Infinity, ['draft', pinned]), { pinned });
    await stage.client().request(1, 'tools/list');
    expect(askedIn(stage)).toEqual([pinned, pinned]);
  });
});
