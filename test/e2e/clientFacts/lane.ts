import { Bridge } from '../../../src/bridge/bridge.ts';
import type { BridgeOptions } from '../../../src/bridge/bridgeOptions.ts';
import type { BridgeEvent } from '../../../src/bridge/events.ts';
import { PERMISSIVE, STRICT } from '../../../src/translate/policy.ts';
import { serveStdio } from '../../../src/transports/stdio/stdioServerTransport.ts';
import { StdioClientTransport } from '../../../src/transports/stdio/stdioClientTransport.ts';
import { scriptedCommand } from '../../fixtures/raw/command.ts';
import type { Script } from '../../fixtures/raw/script.ts';
import type { Era } from '../../support/everything.ts';
import { peerOf, type Peer, type PeerRevision } from './clients.ts';

export interface Lane {
  readonly revision: PeerRevision;
  readonly server: Era;
  readonly policy: 'strict' | 'permissive';
}

export interface Station {
  readonly peer: Peer;
  /** What the bridge has told so far. */
  readonly events: readonly BridgeEvent[];
  close(): Promise<void>;
}

/** Starts a scripted server, a process of its own at the bridge's own transport. */
export function scripted(script: Script): BridgeOptions['connect'] {
  const { command, args } = scriptedCommand(script);
  return ({ onStderr }) =>
    new StdioClientTransport({ command, args: [...args], env: {}, cwd: undefined, onStderr });
}

/** A bridge between a client of a real SDK and a server. */
export async function openStation(
  { revision, server, policy }: Lane,
  connect: BridgeOptions['connect'],
): Promise<Station> {
  const bridge = new Bridge({
    name: 'facts',
    transport: 'stdio',
    connect,
    reader: 'spec',
    policy: policy === 'strict' ? STRICT : PERMISSIVE,
    memory: { recall: () => server, remember: () => undefined },
  });
  const events: BridgeEvent[] = [];
  bridge.onEvent((event) => events.push(event));
  const peer = peerOf(revision);
  const serving = serveStdio(bridge.accept, { input: peer.output, output: peer.input });
  const close = async (): Promise<void> => {
    await peer.close();
    await serving.close();
    await bridge.close();
  };
  try {
    await peer.connect();
  } catch (error) {
    await close();
    throw error;
  }
  return { peer, events, close };
}
