import type { Stream } from 'node:stream';
import { join } from 'node:path';

import {
  cliCommand,
  createWorkspace,
  startServe,
  type ReportLine,
  type Target,
  type Workspace,
} from '../../support/cli.ts';
import type { TransportName } from '../../support/everything.ts';
import type { LineLog } from '../../support/lineLog.ts';
import { until } from '../../support/until.ts';
import type { Policy } from './lane.ts';
import type { Capabilities, Peer } from './peer.ts';
import type { ClientSdk, Endpoint } from './sdks.ts';

/** The bridge in front of a server, as clients reach it over one transport. */
export interface Bridge {
  connect(sdk: ClientSdk, capabilities?: Capabilities): Promise<Peer>;
  readonly report: () => ReportLine[];
  /** Ends its clients, too. */
  close(): Promise<void>;
}

/** Starts the bridge; over stdio each client starts one of its own. */
export async function openBridge(
  face: TransportName,
  target: Target,
  policy: Policy,
  log: LineLog,
): Promise<Bridge> {
  const workspace = createWorkspace();
  const { report } = workspace;
  const flags = ['--degrade', policy, '--report', workspace.reportFile, '--log-level', 'info'];
  const started = await start(face, target, flags, workspace, log).catch((error: unknown) => {
    workspace.remove();
    throw error;
  });
  const peers: Peer[] = [];
  return {
    report,
    connect: async (sdk, capabilities = sdk.capabilities) => {
      const peer = await sdk.connect(started.endpoint, capabilities);
      peers.push(peer);
      return peer;
    },
    close: async () => {
      const pids = peers.map(({ pid }) => pid);
      for (const peer of peers) await peer.close();
      for (const pid of pids) if (pid !== undefined) await gone(pid);
      await started.stop();
      workspace.remove();
    },
  };
}

async function start(
  face: TransportName,
  target: Target,
  flags: readonly string[],
  workspace: Workspace,
  log: LineLog,
): Promise<{ readonly endpoint: Endpoint; readonly stop: () => Promise<void> }> {
  const serve = (...more: string[]): ReturnType<typeof startServe> =>
    startServe(target, [...flags, ...more], workspace, log);
  switch (face) {
    case 'stdio': {
      const { command, args } = cliCommand('stdio', target, flags);
      const env = { PATH: process.env['PATH'] ?? '', ...workspace.environment };
      const onStderr = (stream: Stream): void =>
        log.attach(stream as Parameters<LineLog['attach']>[0]);
      const starts = { command, args: [...args], env, onStderr };
      return { endpoint: { face, command: starts }, stop: async () => undefined };
    }
    case 'http': {
      const { url, stop } = await serve();
      return { endpoint: { face, url: new URL(url) }, stop };
    }
    case 'sse': {
      const { url, stop } = await serve('--sse');
      return { endpoint: { face, url: new URL('/sse', url) }, stop };
    }
    case 'socket': {
      const path = join(workspace.folder, 'bridge.sock');
      const { stop } = await serve('--socket', path);
      return { endpoint: { face, path }, stop };
    }
    case 'zap': {
      const path = join(workspace.folder, 'bridge.sock');
      const { stop } = await serve('--zap', `zap+unix://${path}`);
      return { endpoint: { face, path }, stop };
    }
  }
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
