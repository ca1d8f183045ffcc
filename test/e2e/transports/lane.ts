import { eraOf, NEWEST_LEGACY, NEWEST_MODERN, type Era } from '../../../src/protocol/revision.ts';
import { TRANSPORTS, type TransportName } from '../../support/everything.ts';
import type { Lane } from '../interop/lane.ts';
import { SDKS } from '../interop/sdks.ts';

/** One side of the bridge: the era of who speaks there, and over what. */
export type Side = `${Era} ${TransportName}`;

/** What the newest revision of an era can say stands for the era; the older ones are the interop table's concern. */
const REVISIONS = { legacy: NEWEST_LEGACY, modern: NEWEST_MODERN } as const;

const SIDES: readonly Side[] = TRANSPORTS.flatMap((transport): Side[] => [
  `legacy ${transport}`,
  `modern ${transport}`,
]);

export function clientOf({ sdk, face }: Lane): Side {
  return `${eraOf(sdk.revision)} ${face}`;
}

export function serverOf({ server, upstream }: Lane): Side {
  return `${eraOf(server)} ${upstream}`;
}

export function titleOf(lane: Lane): string {
  return `${clientOf(lane)} client -> ${serverOf(lane)} server`;
}

function laneOf(client: Side, server: Side): Lane {
  const [era, face] = client.split(' ') as [Era, TransportName];
  const [serverEra, upstream] = server.split(' ') as [Era, TransportName];
  const sdk = SDKS.find(({ revision }) => revision === REVISIONS[era]);
  if (sdk === undefined) throw new Error(`There is no SDK of the ${era} era.`);
  return { sdk, face, server: REVISIONS[serverEra], upstream };
}

/** Every transport and era on the side of the client, with every one on that of the server. */
export function allLanes(): Lane[] {
  return SIDES.flatMap((server) => SIDES.map((client) => laneOf(client, server)));
}

/** Some lanes that have every side at both ends, every pair of eras, and every way in which a thing does not cross. */
export function someLanes(): Lane[] {
  const some: readonly (readonly [Side, Side])[] = [
    ['legacy stdio', 'legacy socket'],
    ['modern stdio', 'legacy zap'],
    ['legacy http', 'modern zap'],
    ['modern http', 'legacy sse'],
    ['legacy sse', 'modern http'],
    ['modern sse', 'legacy stdio'],
    ['legacy socket', 'legacy http'],
    ['modern socket', 'modern stdio'],
    ['legacy zap', 'legacy stdio'],
    ['legacy zap', 'modern socket'],
    ['modern zap', 'legacy http'],
    ['modern zap', 'modern zap'],
    ['legacy stdio', 'modern sse'],
    ['modern stdio', 'modern sse'],
    ['modern http', 'modern sse'],
  ];
  return some.map(([client, server]) => laneOf(client, server));
}
