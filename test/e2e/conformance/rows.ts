import { fileURLToPath } from 'node:url';

import type { CommandLine } from '../../support/childProcess.ts';
import { createWorkspace, startServe } from '../../support/cli.ts';
import {
  everythingTarget,
  startEverything,
  type Era,
  type UpstreamTransport,
} from '../../support/everything.ts';
import {
  requiredScenarios,
  runClientSuite,
  runServerSuite,
  type Requirements,
  type SuiteRun,
} from './suite.ts';

/** One line of the table: the suite of a revision, and what is behind the bridge as the suite sees it. */
export type Row = { readonly requirements: Requirements } & (
  | { readonly kind: 'server'; readonly server: Era; readonly upstream: UpstreamTransport }
  /** A plain client, which starts the bridge itself. */
  | { readonly kind: 'client'; readonly client: Era }
);

/** The era that speaks a suite's revision by itself: what its server or client scores directly is the measure. */
export const REFERENCE: Readonly<Record<Requirements, Era>> = {
  '2025-11-25': 'legacy',
  '2026-07-28': 'modern',
};

export const ROWS: readonly Row[] = [
  { kind: 'server', requirements: '2025-11-25', server: 'modern', upstream: 'stdio' },
  { kind: 'server', requirements: '2025-11-25', server: 'modern', upstream: 'http' },
  { kind: 'server', requirements: '2025-11-25', server: 'legacy', upstream: 'stdio' },
  { kind: 'server', requirements: '2025-11-25', server: 'legacy', upstream: 'http' },
  { kind: 'server', requirements: '2026-07-28', server: 'modern', upstream: 'stdio' },
  { kind: 'server', requirements: '2026-07-28', server: 'modern', upstream: 'http' },
  { kind: 'server', requirements: '2026-07-28', server: 'legacy', upstream: 'stdio' },
  { kind: 'server', requirements: '2026-07-28', server: 'legacy', upstream: 'http' },
  { kind: 'client', requirements: '2025-11-25', client: 'legacy' },
  { kind: 'client', requirements: '2025-11-25', client: 'modern' },
  { kind: 'client', requirements: '2026-07-28', client: 'legacy' },
  { kind: 'client', requirements: '2026-07-28', client: 'modern' },
];

export function nameOf(row: Row): string {
  return row.kind === 'server'
    ? `${row.server}-only server over ${row.upstream}`
    : `${row.client} client`;
}

/** Two rows with the same measure have the same one of these. */
export function measureOf({ kind, requirements }: Row): string {
  return `${kind} ${requirements}`;
}

/** Runs a row's suite against what speaks its revision, with nothing in between. */
export async function runDirectly({ kind, requirements }: Row, runs = 1): Promise<SuiteRun[]> {
  const era = REFERENCE[requirements];
  if (kind === 'client') {
    const scenarios = requiredScenarios(requirements, kind);
    return repeat(runs, () => runClientSuite(clientCommand(era), requirements, {}, scenarios));
  }
  const server = await startEverything(era);
  try {
    return await repeat(runs, () => runServerSuite(server.url, requirements));
  } finally {
    await server.stop();
  }
}

/**
 * Runs a row's suite through the bridge; all runs against a server meet the same bridge. A client plays `scenarios`, which
 * are all that count where nothing else is said.
 */
export async function runThrough(
  row: Row,
  runs = 1,
  scenarios = requiredScenarios(row.requirements, row.kind),
): Promise<SuiteRun[]> {
  const workspace = createWorkspace();
  try {
    if (row.kind === 'server') return await runBeforeServer(row, runs, workspace);
    const command = clientCommand(row.client, '--bridge');
    const { environment } = workspace;
    const { requirements } = row;
    return await repeat(runs, () => runClientSuite(command, requirements, environment, scenarios));
  } finally {
    workspace.remove();
  }
}

async function runBeforeServer(
  { server, upstream, requirements }: Extract<Row, { kind: 'server' }>,
  runs: number,
  workspace: ReturnType<typeof createWorkspace>,
): Promise<SuiteRun[]> {
  const behind = await everythingTarget(server, upstream);
  try {
    const bridge = await startServe(behind.target, [], workspace);
    try {
      return await repeat(runs, () => runServerSuite(bridge.url, requirements));
    } finally {
      await bridge.stop();
    }
  } finally {
    await behind.stop();
  }
}

/** The client that the suite is to start; it is given the address of the suite's server as one more argument. */
function clientCommand(era: Era, ...flags: readonly string[]): CommandLine {
  const folder = new URL('../../fixtures/conformanceClients/', import.meta.url);
  return {
    command: process.execPath,
    args: [fileURLToPath(new URL(`${era}.ts`, folder)), ...flags],
  };
}

/** One after the other: the scenarios measure time. */
async function repeat<T>(times: number, run: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let time = 0; time < times; time++) results.push(await run());
  return results;
}
