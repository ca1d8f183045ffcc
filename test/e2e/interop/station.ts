import type { ReportLine } from '../../support/cli.ts';
import { serverTarget } from '../../support/everything.ts';
import { LineLog } from '../../support/lineLog.ts';
import { openBridge, type Bridge } from './bridge.ts';
import type { Lane, Policy } from './lane.ts';
import type { Capabilities, Peer } from './peer.ts';

/** A bridge in front of a server, for the clients of one lane. */
export interface Station {
  readonly policy: Policy;
  /** What bridge and server have logged, from the line of this number on. */
  readonly log: LineLog;
  readonly since: number;
  connect(capabilities?: Capabilities): Promise<Peer>;
  readonly report: () => ReportLine[];
  close(): Promise<void>;
}

/** Starts what the clients of a lane need. */
export async function openStation(lane: Lane, policy: Policy): Promise<Station> {
  const log = new LineLog();
  const server = await serverTarget(lane.server, lane.upstream, log);
  try {
    const bridge = await openBridge(lane.face, server.target, policy, log);
    const close = async (): Promise<void> => {
      await bridge.close();
      await server.stop();
    };
    return { ...stationAt(bridge, lane, policy, log), since: 0, close };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** The place of a lane at a bridge that it shares: only its clients end with it. */
export function stationAt(bridge: Bridge, { sdk }: Lane, policy: Policy, log: LineLog): Station {
  const peers: Peer[] = [];
  return {
    policy,
    log,
    since: log.lines.length,
    report: bridge.report,
    connect: async (capabilities) => {
      const peer = await bridge.connect(sdk, capabilities);
      peers.push(peer);
      return peer;
    },
    close: async () => {
      for (const peer of peers) await peer.close();
    },
  };
}
