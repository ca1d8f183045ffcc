import { describe, expect } from 'vitest';

import type { Script } from '../../fixtures/raw/script.ts';
import { legacyServer, refuseProbe } from '../../fixtures/raw/scripts.ts';
import { until } from '../../support/until.ts';
import { isAlive } from '../reports/support/processes.ts';
import type { Cli } from '../reports/support/cli.ts';
import { legacy } from '../reports/support/rules.ts';
import { initializeLine, test } from '../reports/support/stage.ts';
import { ChangingServer } from './support/changingServer.ts';

/** A server that is still starting is heard out for a moment, and asked to end before it is forced. */
const WITHIN_MS = 12_000;
const silent: Script = { rules: [] };
const dies = legacy('2025-06-18', {
  on: 'tools/call',
  contains: '"die"',
  steps: [{ exit: 1 }],
});
/** Refuses whatever it is asked, and takes its time to go. */
const unwilling: Script = {
  ...legacyServer('2025-06-18', refuseProbe(-32601, 'Method not found'), {
    on: 'initialize',
    steps: [{ error: { code: -32603, message: 'Not today' } }],
  }),
  ignore: ['EOF'],
};

/** A script that has closed the pipe still wants its answer, so that the server may be tried once more. */
const WAYS = [
  ['closes the pipe', (cli: Cli): void => cli.client.end(), 2],
  ['ends the program by a signal', (cli: Cli): void => cli.kill('SIGTERM'), 1],
] as const;

describe.for(WAYS)('a client that %s', ([, leave, tries]) => {
  test.concurrent(
    'while a silent server that is remembered as legacy is opened leaves nothing behind',
    async ({ stage }) => {
      const server = new ChangingServer(stage, legacy('2025-06-18'));
      await server.meetOverStdio();
      const before = server.starts;
      server.become(silent);
      const cli = server.stdio();
      cli.client.write(initializeLine());
      await until(() => server.alive.at(-1)?.methods.includes('initialize'));
      leave(cli);
      await cli.exit(WITHIN_MS);
      expect(server.starts).toBe(before + 1);
      await until(() => server.alive.length === 0, WITHIN_MS);
    },
  );

  test.concurrent(
    'while a server that ignores every hint to end is opened leaves nothing behind',
    async ({ stage }) => {
      const server = new ChangingServer(stage, legacy('2025-06-18'));
      await server.meetOverStdio();
      const before = server.starts;
      server.become({ ...silent, ignore: ['EOF', 'SIGTERM'] });
      const cli = server.stdio();
      cli.client.write(initializeLine());
      await until(() => server.alive.at(-1)?.methods.includes('initialize'));
      leave(cli);
      await cli.exit(WITHIN_MS);
      expect(server.starts).toBe(before + 1);
      await until(() => server.alive.length === 0, WITHIN_MS);
    },
  );

  test.concurrent(
    'while a server that refused everything is about to be started anew leaves nothing behind',
    async ({ stage }) => {
      const server = new ChangingServer(stage, unwilling);
      const cli = server.stdio();
      cli.client.write(initializeLine());
      // The bridge has begun to end the first process; the second would come after it.
      await until(() => server.runs.at(-1)?.saw('eof'));
      leave(cli);
      await cli.exit(WITHIN_MS);
      expect(server.starts).toBeLessThanOrEqual(tries);
      await until(() => server.alive.length === 0, WITHIN_MS);
    },
  );
});

describe.concurrent('a session over HTTP that is ended', () => {
  test('while its server is started again leaves no process', async ({ stage }) => {
    const server = new ChangingServer(stage, dies);
    const { client } = await server.serve();
    const user = client();
    await user.open();
    expect((await user.request(1, 'tools/call', { name: 'die' })).error).toBeDefined();
    server.become({ start: [{ wait: 1000 }], ...legacy('2025-06-18') });
    const before = server.starts;
    const call = user
      .post('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo"}}')
      .catch(() => undefined);
    const pid = await until(() => server.starts > before && server.alive.at(-1)?.pid);
    expect(await user.delete()).toBeLessThan(300);
    await until(() => !isAlive(pid), WITHIN_MS);
    await call;
    expect(server.starts).toBe(before + 1);
  });
});
