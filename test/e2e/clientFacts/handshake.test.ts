import { describe, expect, test } from 'vitest';

import { FakeServer } from '../../unit/bridge/modern/stage.ts';
import type { Members } from '../../support/rawClient.ts';
import { PEERS } from './clients.ts';
import { openStation, type Lane, type Station } from './lane.ts';

const serverInfo = { name: 'facts', version: '1.0.0' };
const INFO = 'io.modelcontextprotocol/serverInfo';

/** What a server says of itself, over which at least one known client does not connect. */
const OPENINGS: readonly (readonly [what: string, opening: Members])[] = [
  ['plain', { capabilities: { tools: {} }, serverInfo }],
  [
    'capability true',
    { capabilities: { tools: true, logging: true, completions: true }, serverInfo },
  ],
  ['capability null', { capabilities: { tools: {}, prompts: null, logging: null }, serverInfo }],
  ['capability false', { capabilities: { tools: {}, resources: false }, serverInfo }],
  ['capability an empty array', { capabilities: { tools: [], logging: [] }, serverInfo }],
  ['listChanged null', { capabilities: { tools: { listChanged: null } }, serverInfo }],
  ['listChanged a string', { capabilities: { tools: { listChanged: 'yes' } }, serverInfo }],
  ['unknown capability', { capabilities: { tools: {}, 'x-new': true }, serverInfo }],
  ['experimental true', { capabilities: { tools: {}, experimental: { a: true } }, serverInfo }],
  [
    'extensions true',
    { capabilities: { tools: {}, extensions: { 'e.example/a': true } }, serverInfo },
  ],
  ['no capabilities', { serverInfo }],
  ['capabilities null', { capabilities: null, serverInfo }],
  ['no serverInfo', { capabilities: { tools: {} } }],
  ['serverInfo null', { capabilities: { tools: {} }, serverInfo: null }],
  ['serverInfo without version', { capabilities: { tools: {} }, serverInfo: { name: 'a' } }],
  [
    'serverInfo with a title of null',
    { capabilities: {}, serverInfo: { ...serverInfo, title: null } },
  ],
  [
    'serverInfo with a wrong icon, unknown members',
    { capabilities: {}, serverInfo: { ...serverInfo, icons: [{ src: 5 }], 'x-new': 1 } },
  ],
  ['instructions null', { capabilities: { tools: {} }, serverInfo, instructions: null }],
  ['instructions a number', { capabilities: { tools: {} }, serverInfo, instructions: 5 }],
  ['_meta null', { capabilities: { tools: {} }, serverInfo, _meta: null }],
  ['unknown member', { capabilities: { tools: {} }, serverInfo, 'x-new': null }],
];

function open(lane: Lane, opening: Members): Promise<Station> {
  const owed = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
  const { serverInfo: info, ...rest } = opening;
  const modern = {
    ...owed,
    supportedVersions: ['2026-07-28'],
    _meta: { [INFO]: info },
    ...rest,
  };
  return openStation(
    lane,
    () =>
      new FakeServer(({ method }) => {
        if (method === 'server/discover') return modern;
        if (method === 'initialize') return { protocolVersion: '2025-11-25', ...opening };
        return { ...(lane.server === 'modern' && owed), tools: [] };
      }),
  );
}

const LANES = PEERS.flatMap((revision) =>
  (['legacy', 'modern'] as const).map((server): Lane => ({ revision, server, policy: 'strict' })),
);

describe.each(LANES)(
  'a client of $revision connects to a $server server that opens with',
  (lane) => {
    test.each(OPENINGS)('%s', async (_what, opening) => {
      const station = await open(lane, opening);
      const { peer, events } = station;
      const answer = await peer.ask('tools/list', {});
      expect(answer).toMatchObject({ kind: 'result', result: { tools: [] } });
      expect(peer.complaints).toEqual([]);
      expect(events.filter(({ kind }) => kind === 'refusal')).toEqual([]);
      await station.close();
    });
  },
);
