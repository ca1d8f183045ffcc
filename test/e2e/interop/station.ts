import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';

import {
  cliCommand,
  createWorkspace,
  startServe,
  type ReportLine,
  type Workspace,
} from '../../support/cli.ts';
import { everythingTarget, type Era, type UpstreamTransport } from '../../support/everything.ts';
import { LineLog } from '../../support/lineLog.ts';
import { until } from '../../support/until.ts';
import { connectPeer, type Peer } from './peer.ts';
import type { ClientSdk } from './sdks.ts';
import { capabilitiesOf } from './wire.ts';

/** One way from a client to a server. */
export interface Lane {
  readonly sdk: ClientSdk;
  /** What the client speaks with the bridge over. */
  readonly face: 'stdio' | 'serve';
  readonly server: Era;
  /** What the bridge speaks with the server over. */
  readonly upstream: UpstreamTransport;
  readonly policy: 'strict' | 'permissive';
}

/** A bridge in front of an everything server, for the clients of one lane. */
export interface Station {
  /** What bridge and server have logged. */
  readonly log: LineLog;
  connect(capabilities?: ClientCapabilities): Promise<Peer>;
  readonly report: () => ReportLine[];
  close(): Promise<void>;
}

/** Starts what the clients of a lane need; over stdio each client starts a bridge of its own. */
export async function openStation(lane: Lane): Promise<Station> {
  const { sdk, face, server, upstream, policy } = lane;
  const log = new LineLog();
  const workspace = createWorkspace();
  const flags = ['--degrade', policy, '--report', workspace.reportFile, '--log-level', 'info'];
  const { target, stop } = await everythingTarget(server, upstream, log);
  const peers: Peer[] = [];
  const connect = async (
    transport: Parameters<typeof connectPeer>[1],
    capabilities: ClientCapabilities = capabilitiesOf(sdk),
    sayGoodbye?: () => Promise<void>,
  ): Promise<Peer> => {
    const peer = await connectPeer(sdk, transport, capabilities, sayGoodbye);
    peers.push(peer);
    return peer;
  };
  const station = { log, report: workspace.report };
  const finish = async (): Promise<void> => {
    for (const peer of peers) await peer.close();
  };
  if (face === 'stdio') {
    const children: number[] = [];
    return {
      ...station,
      connect: async (capabilities) => {
        const transport = spawnTransport(sdk, cliCommand('stdio', target, flags), workspace, log);
        const peer = await connect(transport, capabilities);
        children.push(pidOf(transport));
        return peer;
      },
      close: async () => {
        await finish();
        for (const pid of children) await gone(pid);
        await stop();
        workspace.remove();
      },
    };
  }
  const { Http } = sdk;
  if (Http === undefined) throw new Error(`SDK ${sdk.version} has no Streamable HTTP.`);
  const serving = await startServe(target, flags, workspace, log).catch(async (error: unknown) => {
    await stop();
    workspace.remove();
    throw error;
  });
  return {
    ...station,
    connect: (capabilities) => {
      const transport = new Http(new URL(serving.url));
      return connect(transport, capabilities, () => transport.terminateSession());
    },
    close: async () => {
      await finish();
      await serving.stop();
      await stop();
      workspace.remove();
    },
  };
}

type StdioTransport = InstanceType<ClientSdk['Stdio']>;

function spawnTransport(
  sdk: ClientSdk,
  { command, args }: { readonly command: string; readonly args: readonly string[] },
  workspace: Workspace,
  log: LineLog,
): StdioTransport {
  const env = { PATH: process.env['PATH'] ?? '', ...workspace.environment };
  const transport = new sdk.Stdio({ command, args: [...args], env, stderr: 'pipe' });
  // The oldest SDKs have the stream only once the process is there.
  const start = transport.start.bind(transport);
  transport.start = async () => {
    await start();
    if (transport.stderr !== null) log.attach(transport.stderr as Parameters<LineLog['attach']>[0]);
  };
  return transport;
}

/** The process that a transport has started; the older ones keep it to themselves. */
function pidOf(transport: StdioTransport): number {
  const { _process } = transport as unknown as { _process?: { pid?: number } };
  if (_process?.pid === undefined) throw new Error('The transport has no process.');
  return _process.pid;
}

async function gone(pid: number): Promise<void> {
  await until(
    () => {
      try {
        process.kill(pid, 0);
        return false;
      } catch {
        return true;
      }
    },
    undefined,
    () => `Process ${pid} is still there.`,
  );
}
