import { beforeAll, describe, expect, test } from 'vitest';

import { createWorkspace, startServe } from '../../support/cli.ts';
import { everythingTarget, type Era } from '../../support/everything.ts';
import { runThrough, type Row } from './rows.ts';
import { passes, runServerScenarios, succeeded, type SuiteRun } from './suite.ts';

/**
 * The scenarios about the server's side of HTTP, those included that the suite does not score yet, with the checks that
 * succeed: one that finds nothing to look at does not.
 */
const CHECKS: Readonly<Record<string, readonly string[]>> = {
  'server-sse-multiple-streams': [
    'server-accepts-multiple-post-streams',
    'server-sse-streams-functional',
  ],
  // What it says of a connection that ends before the answer has nothing to look at: the bridge leaves it open.
  'server-sse-polling': ['server-sse-priming-event', 'server-sse-retry-field'],
  'server-session-lifecycle': [
    'server-session-delete-accepted',
    'server-session-initialized-accepted',
    'server-session-terminated-returns-404',
  ],
  'http-header-validation': [
    'sep-2243-header-name-case-insensitive',
    'sep-2243-server-accepts-whitespace-header-value',
    'sep-2243-server-reject-error-code',
    'sep-2243-server-reject-invalid-headers',
    'wire-schema-valid',
  ],
  'http-custom-header-server-validation': [
    'sep-2243-server-decode-base64',
    'sep-2243-server-reject-invalid-param-chars',
    'sep-2243-server-reject-param-mismatch',
    'sep-2243-server-validate-param-match',
    'wire-schema-valid',
  ],
  'dns-rebinding-protection': [
    'localhost-host-rebinding-rejected',
    'localhost-host-valid-accepted',
  ],
};

/** A legacy server has no tool whose arguments travel in headers. */
const LEGACY = Object.keys(CHECKS).filter(
  (name) => name !== 'http-custom-header-server-validation',
);

const ROWS: readonly { readonly server: Era; readonly scenarios: readonly string[] }[] = [
  { server: 'modern', scenarios: Object.keys(CHECKS) },
  { server: 'legacy', scenarios: LEGACY },
];

/** Runs scenarios against the bridge before a server that is reached over HTTP, too. */
async function measure(server: Era, scenarios: readonly string[]): Promise<SuiteRun> {
  const workspace = createWorkspace();
  const behind = await everythingTarget(server, 'http');
  try {
    const bridge = await startServe(behind.target, [], workspace);
    try {
      return await runServerScenarios(bridge.url, scenarios);
    } finally {
      await bridge.stop();
    }
  } finally {
    await behind.stop();
    workspace.remove();
  }
}

describe.each(ROWS)('the scenarios about HTTP before a $server server', ({ server, scenarios }) => {
  let run: SuiteRun = new Map();

  beforeAll(async () => {
    run = await measure(server, scenarios);
  });

  test.each(scenarios)('succeed in all they look at: %s', (scenario) => {
    expect([...succeeded(run, scenario)].sort()).toEqual(CHECKS[scenario]);
  });
});

describe('the scenarios about HTTP for clients of the same era as their server', () => {
  const PLAYED: readonly (readonly [Extract<Row, { kind: 'client' }>, readonly string[]])[] = [
    [{ kind: 'client', requirements: '2025-11-25', client: 'legacy' }, ['sse-retry']],
    [
      { kind: 'client', requirements: '2026-07-28', client: 'modern' },
      [
        'request-metadata',
        'http-standard-headers',
        'http-custom-headers',
        'http-invalid-tool-headers',
      ],
    ],
  ];

  test.each(PLAYED)('are passed through the bridge: $requirements', async (row, scenarios) => {
    const [run = new Map() as SuiteRun] = await runThrough(row, 1, scenarios);
    const failed = scenarios.filter((scenario) => !passes(run, scenario));
    expect(failed.map((scenario) => [scenario, run.get(scenario)])).toEqual([]);
  });
});
