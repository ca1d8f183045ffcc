import type { Stream } from 'node:stream';

import {
  cliCommand,
  createWorkspace,
  startServe,
  type ReportLine,
  type Workspace,
} from '../../support/cli.ts';
import type { Listening } from '../../support/childProcess.ts';
import { serverTarget } from '../../support/everything.ts';
import { LineLog } from '../../support/lineLog.ts';
import { until } from '../../support/until.ts';
import type { Lane, Policy } from './lane.ts';
import type { Capabilities, Peer } from './peer.ts';

/** A bridge in front of a server, for the clients of one lane. */
export interface Station {
  readonly policy: Policy;
  /** What bridge and server have logged. */
  readonly log: LineLog;
  connect(capabilities?: Capabilities): Promise<Peer>;
  readonly report: () => ReportLine[];
  close(): Promise<void>;
}

/** Starts what the clients of a lane need; over stdio each client starts a bridge of its own. */
export async function openStation(lane: Lane, policy: Policy): Promise<Station> {
  const log = new LineLog();
  const workspace = createWorkspace();
  const flags = ['--degrade', policy, '--report', workspace.reportFile, '--log-level', 'info'];
  const server = await serverTarget(lane.server, lane.upstream, log);
  const ends = [server.stop, async () => workspace.remove()];
  let open: (capabilities: Capabilities) => Promise<Peer>;
  if (lane.face === 'stdio') {
    const command = cliCommand('stdio', server.target, flags);
    open = (capabilities) => connectOverStdio(lane, command, workspace, log, capabilities);
  } else {
    const serving = await startServe(server.target, flags, workspace, log).catch(
      async (error: unknown) => {
        for (const end of ends) await end();
        throw error;
      },
    );
    ends.unshift(serving.stop);
    open = (capabilities) => connectOverHttp(lane, serving, capabilities);
  }
  const peers: Peer[] = [];
  return {
    policy,
    log,
    report: workspace.report,
    connect: async (capabilities = lane.sdk.capabilities) => {
      const peer = await open(capabilities);
      peers.push(peer);
      return peer;
    },
    close: async () => {
      const pids = peers.map(({ pid }) => pid);
      for (const peer of peers) await peer.close();
      for (const pid of pids) if (pid !== undefined) await gone(pid);
      for (const end of ends) await end();
    },
  };
}

function connectOverStdio(
  { sdk }: Lane,
  { command, args }: ReturnType<typeof cliCommand>,
  workspace: Workspace,
  log: LineLog,
  capabilities: Capabilities,
): Promise<Peer> {
  const env = { PATH: process.env['PATH'] ?? '', ...workspace.environment };
  const onStderr = (stream: Stream): void => log.attach(stream as Parameters<LineLog['attach']>[0]);
  return sdk.overStdio({ command, args: [...args], env, onStderr }, capabilities);
}

function connectOverHttp({ sdk }: Lane, { url }: Listening, capabilities: Capabilities) {
  const { overHttp } = sdk;
  if (overHttp === undefined) throw new Error(`SDK ${sdk.version} has no Streamable HTTP.`);
  return overHttp(new URL(url), capabilities);
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
