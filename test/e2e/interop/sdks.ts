import type { Revision } from '../../../src/protocol/revision.ts';
import { LEGACY_SDKS, type LegacySdk } from './legacySdks.ts';
import { openLegacyPeer } from './legacyPeer.ts';
import { openModernPeer, spawnModern } from './modernPeer.ts';
import type { Capabilities, Peer, StdioCommand } from './peer.ts';

/** A face of the bridge, named by the command that shows it. */
export type Face = 'stdio' | 'serve';

/** The client of a real SDK, the last one that speaks its revision of its own accord. */
export interface ClientSdk {
  readonly revision: Revision;
  readonly version: string;
  /** Opens a client over a process that it starts itself. */
  readonly overStdio: (command: StdioCommand, capabilities: Capabilities) => Promise<Peer>;
  /** Opens a client over Streamable HTTP; absent where the SDK is older than that. */
  readonly overHttp: ((url: URL, capabilities: Capabilities) => Promise<Peer>) | undefined;
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
  const { Http } = sdk;
  return {
    revision: sdk.revision,
    version: sdk.version,
    capabilities: CAPABILITIES.get(sdk.revision) ?? {},
    overStdio: ({ env, onStderr, ...command }, capabilities) => {
      const transport = new sdk.Stdio({ ...command, env, stderr: 'pipe' });
      // The oldest SDKs have the stream only once the process is there.
      const start = transport.start.bind(transport);
      transport.start = async () => {
        await start();
        if (transport.stderr !== null) onStderr(transport.stderr);
      };
      return openLegacyPeer(sdk, transport, capabilities);
    },
    overHttp:
      Http &&
      ((url, capabilities) => {
        const transport = new Http(url);
        return openLegacyPeer(sdk, transport, capabilities, () => transport.terminateSession());
      }),
  };
}

const modern: ClientSdk = {
  revision: '2026-07-28',
  version: '2.4.0',
  capabilities: { sampling: { tools: {} }, elicitation: { form: {}, url: {} }, roots: {} },
  overStdio: (command, capabilities) => openModernPeer(spawnModern(command), capabilities),
  overHttp: (url, capabilities) => openModernPeer(url, capabilities),
};

/** One client SDK for each dated revision, the oldest first. */
export const SDKS: readonly ClientSdk[] = [...LEGACY_SDKS.map(legacy), modern];
