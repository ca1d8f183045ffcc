import { beforeAll, describe, expect, test } from 'vitest';

import { createWorkspace, startServe } from '../../support/cli.ts';
import { startListening } from '../../support/childProcess.ts';
import { fixtureCommand } from '../../support/fixture.ts';
import { passes, runServerScenarios, succeeded, type SuiteRun } from './suite.ts';

/** The scenarios of the extension for tasks. The suite reports them and scores none of them. */
const SCENARIOS = [
  'tasks-lifecycle',
  'tasks-capability-negotiation',
  'tasks-wire-fields',
  'tasks-request-state-removal',
  'tasks-mrtr-input',
  'tasks-request-headers',
  'tasks-dispatch-and-envelope',
  'tasks-required-task-error',
  'tasks-mrtr-composition',
];

const LIMIT_MS = 180_000;

interface Row {
  readonly server: 'tasksModern' | 'tasksLegacy';
  readonly upstream: 'stdio' | 'http';
  /** The checks that are known not to succeed. */
  readonly known: readonly string[];
}

const MODERN: Row = { server: 'tasksModern', upstream: 'http', known: [] };

/**
 * The scenario wants a call refused whose tool requires a task, for a client that declares none. A server of the legacy era
 * would refuse it in words of its own; the bridge has it made as a task and answers with the result.
 */
const LEGACY: Row = {
  server: 'tasksLegacy',
  upstream: 'stdio',
  known: [
    'sep-2663-server-returns-missing-capability-when-required',
    'sep-2663-server-returns-missing-capability-data-shape',
  ],
};

/** Runs the scenarios against a server that is started for it, with nothing in between. */
async function measureDirectly({ server, upstream }: Row): Promise<SuiteRun> {
  const running = await startListening(fixtureCommand(server, upstream));
  try {
    return await runServerScenarios(running.url, SCENARIOS);
  } finally {
    await running.stop();
  }
}

/** Runs them against the bridge in front of such a server. */
async function measureThrough({ server, upstream }: Row): Promise<SuiteRun> {
  const workspace = createWorkspace();
  const command = fixtureCommand(server, upstream);
  const running = upstream === 'http' ? await startListening(command) : undefined;
  try {
    const bridge = await startServe(running ?? command, [], workspace);
    try {
      return await runServerScenarios(bridge.url, SCENARIOS);
    } finally {
      await bridge.stop();
    }
  } finally {
    await running?.stop();
    workspace.remove();
  }
}

/** The checks that succeeded, whatever else was looked at. */
function successes(run: SuiteRun): readonly string[] {
  return SCENARIOS.flatMap((scenario) => [...succeeded(run, scenario)]).sort();
}

describe('the scenarios of the extension for tasks', () => {
  let direct: SuiteRun = new Map();

  beforeAll(async () => {
    direct = await measureDirectly(MODERN);
  }, LIMIT_MS);

  test('pass directly, so that they can be a measure', () => {
    expect(SCENARIOS.filter((scenario) => !passes(direct, scenario))).toEqual([]);
  });

  test.each([MODERN, LEGACY])(
    'succeed in all they look at through the bridge: $server over $upstream',
    async (row) => {
      const through = await measureThrough(row);
      const wanted = successes(direct).filter((check) => !row.known.includes(check));
      expect(successes(through)).toEqual(wanted);
    },
    LIMIT_MS,
  );
});
