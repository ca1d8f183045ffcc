import { eraOf, isAtLeast, type Revision } from '../../../src/protocol/revision.ts';
import type { TransportName } from '../../support/everything.ts';
import { SDKS, type ClientSdk } from './sdks.ts';

export type Policy = 'strict' | 'permissive';

/** One way from a client to a server. */
export interface Lane {
  readonly sdk: ClientSdk;
  /** What the client speaks with the bridge over. */
  readonly face: TransportName;
  /** The revision of the SDK that the server runs on. */
  readonly server: Revision;
  /** What the bridge speaks with the server over. */
  readonly upstream: TransportName;
}

const SERVERS = SDKS.map(({ revision }) => revision);
const NEWEST_SERVERS: readonly Revision[] = ['2025-11-25', '2026-07-28'];

/** Over HTTP a peer that is older than Streamable HTTP speaks HTTP+SSE. */
const overHttp = (revision: Revision): 'http' | 'sse' =>
  revision === '2024-11-05' ? 'sse' : 'http';

const facesOf = ({ revision }: ClientSdk): readonly TransportName[] => [
  'stdio',
  overHttp(revision),
];

/** The table: each client, each server, each face; and over HTTP to the server on one face of each client. */
export function allLanes(): Lane[] {
  return SDKS.flatMap((sdk) => [
    ...facesOf(sdk).flatMap((face) =>
      SERVERS.map((server): Lane => ({ sdk, face, server, upstream: 'stdio' })),
    ),
    ...httpServers(sdk).map((server): Lane => ({
      sdk,
      face: 'stdio',
      server,
      upstream: overHttp(server),
    })),
  ]);
}

/** Servers over HTTP: the newest of each era for all clients, every one for the newest client of each era. */
function httpServers({ revision }: ClientSdk): readonly Revision[] {
  return NEWEST_SERVERS.includes(revision) ? SERVERS : NEWEST_SERVERS;
}

/** Some lanes that have each client, each server, each face and each pair of eras among them. */
export function someLanes(): Lane[] {
  const wanted = new Set([
    '2024-11-05 sse 2026-07-28 stdio',
    '2025-03-26 http 2026-07-28 http',
    '2025-06-18 stdio 2026-07-28 stdio',
    '2025-11-25 http 2026-07-28 stdio',
    '2026-07-28 stdio 2026-07-28 http',
    '2024-11-05 stdio 2025-11-25 stdio',
    '2024-11-05 sse 2025-11-25 stdio',
    '2025-03-26 stdio 2025-06-18 stdio',
    '2025-06-18 http 2025-11-25 http',
    '2025-11-25 stdio 2024-11-05 sse',
    '2026-07-28 stdio 2024-11-05 sse',
    '2026-07-28 http 2025-03-26 stdio',
    '2026-07-28 stdio 2025-06-18 http',
    '2026-07-28 http 2025-11-25 stdio',
    '2026-07-28 http 2026-07-28 stdio',
  ]);
  return SDKS.flatMap((sdk) =>
    facesOf(sdk).flatMap((face) =>
      SERVERS.flatMap((server) =>
        (['stdio', overHttp(server)] as const).map((upstream): Lane => ({
          sdk,
          face,
          server,
          upstream,
        })),
      ),
    ),
  ).filter((lane) => wanted.has(keyOf(lane)));
}

function keyOf({ sdk, face, server, upstream }: Lane): string {
  return `${sdk.revision} ${face} ${server} ${upstream}`;
}

/** The command that serves each face. */
const COMMANDS: Readonly<Record<TransportName, string>> = {
  stdio: 'stdio',
  http: 'serve',
  sse: 'serve --sse',
  socket: 'serve --socket',
  zap: 'serve --zap',
};

export function titleOf({ sdk, face, server, upstream }: Lane): string {
  const command = COMMANDS[face];
  return `${sdk.revision} client -> mcp-rosetta ${command} -> ${server} server over ${upstream}`;
}

/** True where the client's revision is this one or later. */
export function reads({ sdk }: Lane, floor: Revision): boolean {
  return isAtLeast(sdk.revision, floor);
}

/** True where the server's revision is this one or later. */
export function says({ server }: Lane, floor: Revision): boolean {
  return isAtLeast(server, floor);
}

export function isModernClient({ sdk }: Lane): boolean {
  return eraOf(sdk.revision) === 'modern';
}

export function isModernServer({ server }: Lane): boolean {
  return eraOf(server) === 'modern';
}

/** The revision on the server's leg: a legacy server is offered its client's own, and agrees where it knows it. */
export function serverRevision(lane: Lane): Revision {
  const { server, sdk } = lane;
  const ownSession = !isModernServer(lane) && !isModernClient(lane) && says(lane, sdk.revision);
  return ownSession ? sdk.revision : server;
}
