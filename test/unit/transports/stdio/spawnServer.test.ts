import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parseRaw } from '../../../../src/protocol/rawJson.ts';
import type { StdioClientOptions } from '../../../../src/transports/stdio/stdioClientTransport.ts';
import { start, startScript, until } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'spawn-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Tells its arguments, its folder and its environment, and goes. */
const TELL = `
const told = { args: process.argv.slice(1), cwd: process.cwd(), env: process.env };
console.log(JSON.stringify({ jsonrpc: '2.0', id: 1, result: told }));`;

interface Told {
  readonly args: string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
}

async function tell(options: Partial<StdioClientOptions>): Promise<Told> {
  const { heard } = startScript(TELL, options);
  await until(() => heard.closed.length > 0);
  const [frame] = heard.frames;
  if (frame?.kind !== 'response' || frame.result === undefined) throw new Error('no answer');
  return parseRaw(frame.result) as Told;
}

async function failure(options: StdioClientOptions): Promise<string> {
  const { heard, transport } = start(options);
  expect(heard.closed).toEqual([]);
  await until(() => heard.closed.length > 0);
  expect(transport.pid).toBeUndefined();
  expect(heard.closed).toMatchObject([{ kind: 'spawn-failed' }]);
  return heard.closed[0]?.message ?? '';
}

describe('what a server is started with', () => {
  const ARGUMENTS = [
    'C:\\a b\\c&d^e%PATH%',
    '& | ^ % " ; \' < > ( ) !',
    'line\nbreak',
    '  spaces  ',
    '$(touch x) `x` $HOME ${HOME}',
    '*',
    '~',
    '',
    'back\\slash\\"quote"',
  ];

  test('its arguments arrive letter by letter', async () => {
    expect((await tell({ args: ARGUMENTS })).args).toEqual(ARGUMENTS);
  });

  test('its environment is the inherited one with overrides', async () => {
    process.env.ROSETTA_TEST_KEPT = 'kept';
    process.env.ROSETTA_TEST_GONE = 'gone';
    const { env } = await tell({ env: { ROSETTA_TEST_GONE: null, EMPTY: '', NUMBER: '1' } });
    expect(env).toMatchObject({ ROSETTA_TEST_KEPT: 'kept', EMPTY: '', NUMBER: '1' });
    expect(env.HOME).toBe(process.env.HOME);
    expect(env).not.toHaveProperty('ROSETTA_TEST_GONE');
  });

  test('its working directory', async () => {
    expect((await tell({ cwd: folder })).cwd).toBe(folder);
  });
});

describe.skipIf(process.platform === 'win32')('a server that cannot be started says why', () => {
  test('a command that is nowhere in PATH', async () => {
    const folders = Array.from({ length: 25 }, (_, index) => `/nowhere/${index}`);
    const message = await failure({ command: 'no-such', env: { PATH: folders.join(':') } });
    expect(message).toBe(
      `The command no-such was not found. PATH searched: ${folders.slice(0, 20).join(', ')}, and 5 more. Install no-such, give its absolute path, or add its folder to the PATH of what starts the bridge.`,
    );
  });

  test.each<[string, () => StdioClientOptions, string]>([
    ['no PATH', () => ({ command: 'no-such', env: { PATH: null } }), 'PATH is empty'],
    ['a whole command line', () => ({ command: 'npx -y x' }), 'each of its arguments into "args"'],
    ['a path to nothing', () => ({ command: '/no/such' }), 'The command /no/such does not exist.'],
    ['a tilde', () => ({ command: '~/server' }), '"~" is not expanded'],
    [
      'a missing folder',
      () => ({ command: process.execPath, cwd: join(folder, 'none') }),
      'none does not exist. Create it, or change "cwd".',
    ],
    [
      'a file for a folder',
      () => ({ command: process.execPath, cwd: process.execPath }),
      'is not a directory',
    ],
    ['a directory for a command', () => ({ command: folder }), 'is a directory'],
    [
      'a file that is no program',
      () => {
        writeFileSync(join(folder, 'plain'), 'x');
        return { command: join(folder, 'plain') };
      },
      'may not be executed. Make it executable (chmod +x)',
    ],
    [
      'a script without its interpreter',
      () => {
        writeFileSync(join(folder, 'script'), '#!/no/such\n');
        chmodSync(join(folder, 'script'), 0o755);
        return { command: join(folder, 'script') };
      },
      'exists, but the program named in its first line does not',
    ],
    ['a null byte', () => ({ command: process.execPath, args: ['a\0'] }), 'could not be started'],
    ['no command', () => ({ command: '' }), 'could not be started'],
  ])('%s', async (_what, options, message) => {
    expect(await failure(options())).toContain(message);
  });

  test('a relative command is looked for from the working directory', async () => {
    mkdirSync(join(folder, 'bin'), { recursive: true });
    writeFileSync(join(folder, 'bin/run'), '#!/bin/sh\necho ok >&2\nexit 7\n');
    chmodSync(join(folder, 'bin/run'), 0o755);
    const { heard } = start({ command: './bin/run', cwd: folder });
    await until(() => heard.closed.length > 0);
    expect(heard.closed).toEqual([
      { kind: 'exited', message: 'The server exited with code 7: ok' },
    ]);
  });
});
