import { SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import type { Revision } from '../../../src/protocol/revision.ts';
import { ZapClientTransport } from '../../fixtures/zapPeer/clientTransport.ts';
import { SocketClientTransport } from '../../support/socketClientTransport.ts';
import { LEGACY_SDKS, type LegacySdk } from './legacySdks.ts';
import { openLegacyPeer } from './legacyPeer.ts';
import { openModernPeer, spawnModern } from './modernPeer.ts';
import type { Capabilities, Peer, StdioCommand } from './peer.ts';

/** Where a client finds the bridge: a command that it starts itself, or a place where one serves. */
export type Endpoint =
  | { readonly face: 'stdio'; readonly command: StdioCommand }
  | { readonly face: 'http' | 'sse'; readonly url: URL }
  | { readonly face: 'socket' | 'zap'; readonly path: string };

/** The client of a real SDK, the last one that speaks its revision of its own accord. */
export interface ClientSdk {
  readonly revision: Revision;
  readonly version: string;
  /** False where the SDK is older than Streamable HTTP. */
  readonly knowsHttp: boolean;
  readonly connect: (endpoint: Endpoint, capabilities: Capabilities) => Promise<Peer>;
  /** Everything that a client of this SDK can declare and answer. */
  readonly capabilities: Capabilities;
}

const OLD: Capabilities = { sampling: {}, roots: { listChanged: true } };

const CAPABILITIES: ReadonlyMap<Revision, Capabilities> = new Map<Revision, Capabilities>([
  ['2024-11-05', OLD],
  ['2025-03-26', OLD],
  ['2025-06-18', { ...OLD, elicitation: {} }],
  ['2025-11-25', { ...OLD, sampling: { tools: {} }, elicitation: { form: {}, url: {} } }],
]);

function legacy(sdk: LegacySdk): ClientSdk {
  return {
    revision: sdk.revision,
    version: sdk.version,
    capabilities: CAPABILITIES.get(sdk.revision) ?? {},
    knowsHttp: sdk.Http !== undefined,
    connect: (endpoint, capabilities) => {
      switch (endpoint.face) {
        case 'stdio':
          return openLegacyPeer(sdk, spawnLegacy(sdk, endpoint.command), capabilities);
        case 'http': {
          if (sdk.Http === undefined) throw new Error(`SDK ${sdk.version} knows only HTTP+SSE.`);
          const transport = new sdk.Http(endpoint.url);
          return openLegacyPeer(sdk, transport, capabilities, () => transport.terminateSession());
        }
        case 'sse':
          return openLegacyPeer(sdk, new sdk.Sse(endpoint.url), capabilities);
        case 'socket':
          return openLegacyPeer(sdk, new SocketClientTransport(endpoint.path), capabilities);
        case 'zap':
          return openLegacyPeer(sdk, new ZapClientTransport(endpoint.path), capabilities);
      }
    },
  };
}

function spawnLegacy(sdk: LegacySdk, { env, onStderr, ...command }: StdioCommand) {
  const transport = new sdk.Stdio({ ...command, env, stderr: 'pipe' });
  // The oldest SDKs have the stream only once the process is there.
  const start = transport.start.bind(transport);
  transport.start = async () => {
    await start();
    if (transport.stderr !== null) onStderr(transport.stderr);
  };
  return transport;
}

const modern: ClientSdk = {
  revision: '2026-07-28',
  version: '2.4.0',
  capabilities: { sampling: { tools: {} }, elicitation: { form: {}, url: {} }, roots: {} },
  knowsHttp: true,
  connect: (endpoint, capabilities) => openModernPeer(modernTransport(endpoint), capabilities),
};

function modernTransport(endpoint: Endpoint): Parameters<typeof openModernPeer>[0] {
  switch (endpoint.face) {
    case 'stdio':
      return spawnModern(endpoint.command);
    case 'http':
      return new StreamableHTTPClientTransport(endpoint.url);
    case 'sse':
      return new SSEClientTransport(endpoint.url);
    case 'socket':
      return new SocketClientTransport(endpoint.path);
    case 'zap':
      return new ZapClientTransport(endpoint.path);
  }
}

/** One client SDK for each dated revision, the oldest first. */
export const SDKS: readonly ClientSdk[] = [...LEGACY_SDKS.map(legacy), modern];
