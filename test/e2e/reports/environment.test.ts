import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';

import type { Members, Message } from '../../support/rawClient.ts';
import { HttpClient } from './support/httpClient.ts';
import { initializeLine, test, type Stage } from './support/stage.ts';

const ECHO = fileURLToPath(new URL('fixtures/echoServer.mjs', import.meta.url));
const ARGS = ['C:\\a b\\c&d^e%PATH%', '$HOME `id` $(id)', 'a\nb', '"q\'', '', '*', '; | > <', 'ü'];

interface Started {
  readonly args: string[];
  readonly cwd: string;
  readonly env: Members;
}

function startedOf({ result }: Message): Started {
  return JSON.parse(String(result?.['instructions'])) as Started;
}

/** How the server of an entry finds itself started. */
async function served(stage: Stage, entry: Members): Promise<Started> {
  const { urls } = await stage.serve({ echo: { command: process.execPath, ...entry } });
  return startedOf(await new HttpClient(urls['echo'] ?? '').open());
}

describe('the arguments of a server', () => {
  test('reach it verbatim from the command line, through no shell', async ({ stage }) => {
    const { client } = stage.cli('stdio', '--', process.execPath, ECHO, ...ARGS);
    client.write(initializeLine());
    expect(startedOf(await client.response('open')).args).toEqual(ARGS);
  });

  test('reach it verbatim from the configuration, with variables replaced within each', async ({
    stage,
  }) => {
    stage.env['WORDS'] = 'two words; $x "${y}"';
    const { args } = await served(stage, { args: [ECHO, ...ARGS, '<${env:WORDS}>'] });
    expect(args).toEqual([...ARGS, '<two words; $x "${y}">']);
  });

  test('may follow a command in a folder with a space', async ({ stage }) => {
    const folder = join(stage.folder, 'My Tools');
    mkdirSync(folder);
    symlinkSync(process.execPath, join(folder, 'node'));
    const { client } = stage.cli('stdio', '--', join(folder, 'node'), ECHO, 'a b');
    client.write(initializeLine());
    expect(startedOf(await client.response('open')).args).toEqual(['a b']);
  });
});

describe('the environment of a server', () => {
  test('is the user’s, with what the entry sets, empties and takes away', async ({ stage }) => {
    Object.assign(stage.env, { GONE: 'here', TOKEN: 's3cret', KEPT: 'kept' });
    const names = ['GONE', 'NUMBER', 'TOKEN2', 'EMPTY', 'KEPT', 'HOME', 'PATH'];
    const { env } = await served(stage, {
      args: [ECHO],
      env: { ECHO: names.join(','), GONE: null, NUMBER: 8, TOKEN2: '${env:TOKEN}', EMPTY: '' },
    });
    expect(env).toEqual({
      NUMBER: '8',
      TOKEN2: 's3cret',
      EMPTY: '',
      KEPT: 'kept',
      HOME: stage.env['HOME'],
      PATH: stage.env['PATH'],
    });
  });

  test('may name the folder that holds the command', async ({ stage }) => {
    const folder = join(stage.folder, 'bin');
    mkdirSync(folder);
    symlinkSync(process.execPath, join(folder, 'only-here'));
    const env = { PATH: `${folder}:\${env:PATH}` };
    const { args } = await served(stage, { command: 'only-here', args: [ECHO, 'found'], env });
    expect(args).toEqual(['found']);
  });

  test('starts in the workspace folder or in that of the entry', async ({ stage }) => {
    expect((await served(stage, { args: [ECHO] })).cwd).toBe(stage.folder);
    mkdirSync(join(stage.folder, 'sub'));
    const inSub = await served(stage, { args: [ECHO], cwd: '${workspaceFolder}/sub' });
    expect(inSub.cwd).toBe(join(stage.folder, 'sub'));
  });
});

describe('a command that cannot be started', () => {
  const lines = (stderr: string): string[] => stderr.split('\n').filter((line) => line !== '');

  test.for([['stdio'], ['serve'], ['tools']] as const)(
    'is told by %s in one line with the PATH searched and what to do, and exit code 1',
    async ([command], { stage }) => {
      stage.env['PATH'] = '/usr/bin:/opt/none';
      const cli = stage.cli(command, '--', 'no-such-server', '--flag');
      if (command === 'stdio') cli.client.write(initializeLine());
      expect(await cli.exit()).toBe(1);
      const [line = '', ...others] = lines(cli.stderr);
      expect(others).toEqual([]);
      expect(line).toContain('The command no-such-server was not found.');
      expect(line).toContain('PATH searched: /usr/bin, /opt/none.');
      expect(line).toContain('give its absolute path');
      if (command === 'stdio') {
        const { error } = await cli.client.response('open');
        expect(error?.message).toContain('PATH searched');
      }
    },
  );

  test('is told apart from one that may not be executed', async ({ stage }) => {
    const file = join(stage.folder, 'server');
    writeFileSync(file, '#!/bin/sh\n');
    chmodSync(file, 0o644);
    const cli = stage.cli('tools', '--', file);
    expect(await cli.exit()).toBe(1);
    expect(cli.stderr).toContain('may not be executed');
  });
});

describe('a server that ends at once', () => {
  test.for([['stdio'], ['serve'], ['tools']] as const)(
    'is told by %s in one line with its code and last words, and exit code 1',
    async ([command], { stage }) => {
      const script = 'console.error("first"); console.error("API_KEY is not set"); process.exit(3)';
      const cli = stage.cli(command, '--', process.execPath, '-e', script);
      if (command === 'stdio') cli.client.write(initializeLine());
      expect(await cli.exit()).toBe(1);
      const [line = '', ...others] = lines(cli.stderr);
      expect(others).toEqual([]);
      expect(line).toContain('with code 3: API_KEY is not set');
    },
  );

  const lines = (stderr: string): string[] => stderr.split('\n').filter((line) => line !== '');
});
