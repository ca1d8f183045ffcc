import { createWorkspace, startServe } from '../../support/cli.ts';
import {
  everythingTarget,
  startEverything,
  type Era,
  type UpstreamTransport,
} from '../../support/everything.ts';
import { runSuite, type Requirements, type SuiteRun } from './suite.ts';

/** One line of the table: the suite of a revision, through the bridge, to a server. */
export interface Row {
  readonly requirements: Requirements;
  readonly server: Era;
  readonly upstream: UpstreamTransport;
}

/** The server that speaks a suite's revision by itself: what it scores directly is the measure. */
const REFERENCE: Readonly<Record<Requirements, Era>> = {
  '2025-11-25': 'legacy',
  '2026-07-28': 'modern',
};

export const ROWS: readonly Row[] = [
  { requirements: '2025-11-25', server: 'modern', upstream: 'stdio' },
  { requirements: '2025-11-25', server: 'modern', upstream: 'http' },
  { requirements: '2025-11-25', server: 'legacy', upstream: 'stdio' },
  { requirements: '2025-11-25', server: 'legacy', upstream: 'http' },
  { requirements: '2026-07-28', server: 'modern', upstream: 'stdio' },
  { requirements: '2026-07-28', server: 'modern', upstream: 'http' },
  { requirements: '2026-07-28', server: 'legacy', upstream: 'stdio' },
  { requirements: '2026-07-28', server: 'legacy', upstream: 'http' },
];

export function nameOf({ server, upstream }: Row): string {
  return `${server}-only server over ${upstream}`;
}

/** Runs a suite against the server that speaks its revision, with nothing in between. */
export async function runDirectly(requirements: Requirements, runs = 1): Promise<SuiteRun[]> {
  const server = await startEverything(REFERENCE[requirements]);
  try {
    return await repeat(runs, () => runSuite(server.url, requirements));
  } finally {
    await server.stop();
  }
}

/** Runs a row's suite against the bridge in front of the row's server; all runs meet the same bridge. */
export async function runThrough(row: Row, runs = 1): Promise<SuiteRun[]> {
  const workspace = createWorkspace();
  const upstream = await everythingTarget(row.server, row.upstream);
  try {
    const bridge = await startServe(upstream.target, [], workspace);
    try {
      return await repeat(runs, () => runSuite(bridge.url, row.requirements));
    } finally {
      await bridge.stop();
    }
  } finally {
    await upstream.stop();
    workspace.remove();
  }
}

/** One after the other: the scenarios measure time. */
async function repeat<T>(times: number, run: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let time = 0; time < times; time++) results.push(await run());
  return results;
}
