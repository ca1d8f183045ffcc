import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { resolveServer } from '../../../src/config/resolve.ts';
import type { VariableContext } from '../../../src/config/variables.ts';
import { entryOf } from './entryOf.ts';

const folder = mkdtempSync(join(tmpdir(), 'rosetta config '));
writeFileSync(
  join(folder, '.env'),
  '\uFEFF# comment\nA=from file\nexport B="two words"\nnot a line\n',
);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function contextWith(more: Partial<VariableContext> = {}): VariableContext {
  return {
    workspaceFolder: folder,
    userHome: '/home/me',
    env: { HOST: 'example.com' },
    inputs: [{ id: 'key', type: 'promptString' }],
    resolveInput: async () => 'a b; $(c)',
    platform: 'linux',
    ...more,
  };
}

describe('a program', () => {
  test('every text is replaced by itself, and env goes before envFile', async () => {
    const entry = entryOf({
      command: '~/bin/server',
      args: ['--key=${input:key}', '~/not a path', '', '${env:HOST}'],
      env: { A: '${input:key}', GONE: null, PORT: 8080, EMPTY: '' },
      envFile: '.env',
      cwd: 'sub/../x',
      revision: '2025-06-18',
      reader: 'spec',
      tasks: 'expose',
      timeouts: { startMs: 5 },
    });
    expect(await resolveServer('x', entry, contextWith())).toEqual({
      kind: 'resolved',
      server: {
        kind: 'stdio',
        name: 'x',
        command: '/home/me/bin/server',
        args: ['--key=a b; $(c)', '~/not a path', '', 'example.com'],
        env: { A: 'a b; $(c)', B: 'two words', GONE: null, PORT: '8080', EMPTY: '' },
        cwd: join(folder, 'x'),
        revision: '2025-06-18',
        reader: 'spec',
        tasks: 'expose',
        timeouts: { startMs: 5 },
      },
      warnings: [],
    });
  });

  test.each([
    [{ command: 'n' }, folder],
    [{ command: 'n', cwd: '~' }, '/home/me'],
    [{ command: 'n', cwd: '/abs' }, '/abs'],
  ])('%j starts in %s', async (members, cwd) => {
    const resolution = await resolveServer('x', entryOf(members), contextWith());
    expect(resolution).toMatchObject({ kind: 'resolved', server: { cwd } });
  });

  test('without a folder it starts in the home folder', async () => {
    const context = contextWith({ workspaceFolder: undefined });
    const resolution = await resolveServer('x', entryOf({ command: 'n' }), context);
    expect(resolution).toMatchObject({ kind: 'resolved', server: { cwd: '/home/me' } });
  });

  test('on Windows a drive letter makes a path absolute', async () => {
    const context = contextWith({ platform: 'win32', workspaceFolder: 'C:\\work' });
    const of = async (cwd: string): Promise<unknown> =>
      resolveServer('x', entryOf({ command: 'n', cwd }), context);
    expect(await of('D:\\x')).toMatchObject({ server: { cwd: 'D:\\x' } });
    expect(await of('sub/x')).toMatchObject({ server: { cwd: 'C:\\work\\sub\\x' } });
  });

  test('a variable that is not set is a warning at its place', async () => {
    const entry = entryOf({ command: 'n', args: ['a', '${env:NONE}'] });
    expect(await resolveServer('x', entry, contextWith())).toMatchObject({
      kind: 'resolved',
      warnings: [
        {
          path: ['args', 1],
          message: 'The environment variable NONE is not set; an empty text stands in its place.',
        },
      ],
    });
  });

  test('every problem is told, each at its place', async () => {
    const entry = entryOf({
      command: '${env:NONE}',
      args: ['${workspaceFolder}'],
      env: { A: '${input:a}' },
      envFile: '.env',
      cwd: '${workspaceFolder}/x',
    });
    const context = contextWith({ workspaceFolder: undefined });
    expect(await resolveServer('x', entry, context)).toEqual({
      kind: 'problems',
      problems: [
        {
          path: ['args', 0],
          message:
            '${workspaceFolder} stands for nothing: no folder is open. Write the whole path.',
        },
        {
          path: ['env', 'A'],
          message:
            '${input:a} is not defined; add { "id": "a", "type": "promptString" } to "inputs".',
        },
        {
          path: ['envFile'],
          message: '"envFile" is a relative path, and no folder is open; write the whole path.',
        },
        {
          path: ['cwd'],
          message:
            '${workspaceFolder} stands for nothing: no folder is open. Write the whole path.',
        },
        { path: ['command'], message: '"command" is empty.' },
      ],
    });
  });

  test('a NUL character in an answer cannot be passed on', async () => {
    const context = contextWith({ resolveInput: async () => 'a\0b' });
    const entry = entryOf({ command: 'n', args: ['${input:key}'] });
    expect(await resolveServer('x', entry, context)).toEqual({
      kind: 'problems',
      problems: [{ path: ['args', 0], message: 'A NUL character cannot be passed on.' }],
    });
  });

  test.each([
    ['missing.env', 'there is no such file'],
    ['.', 'it is a folder'],
  ])('envFile %s cannot be read', async (envFile, reason) => {
    const entry = entryOf({ command: 'n', envFile });
    expect(await resolveServer('x', entry, contextWith())).toEqual({
      kind: 'problems',
      problems: [
        {
          path: ['envFile'],
          message: `The file ${join(folder, envFile)} cannot be read: ${reason}.`,
        },
      ],
    });
  });
});

describe('questions', () => {
  test('an input is asked for once, however often it is used', async () => {
    const asked: string[] = [];
    const context = contextWith({
      resolveInput: async (id) => {
        asked.push(id);
        return 'x';
      },
    });
    const entry = entryOf({ command: 'n', args: ['${input:key}', '${input:key}${input:key}'] });
    await resolveServer('x', entry, context);
    expect(asked).toEqual(['key']);
  });

  test('after an answer is refused nothing more is asked, and envFile is not read', async () => {
    const asked: string[] = [];
    const context = contextWith({
      inputs: [
        { id: 'a', type: 'promptString' },
        { id: 'b', type: 'promptString' },
      ],
      resolveInput: async (id) => {
        asked.push(id);
        return undefined;
      },
    });
    const entry = entryOf({
      command: 'n',
      args: ['${input:a}', '${input:b}'],
      envFile: 'missing.env',
    });
    expect(await resolveServer('x', entry, context)).toEqual({ kind: 'cancelled', input: 'a' });
    expect(asked).toEqual(['a']);
  });
});

describe('an address', () => {
  test('the address and the values of the headers are replaced', async () => {
    const entry = entryOf({
      url: 'https://${env:HOST}/mcp',
      headers: { Authorization: 'Bearer ${input:key}' },
      oauth: { clientId: 'c', clientSecret: '${input:key}', callbackPort: 8765 },
      timeouts: { probeMs: 1 },
    });
    expect(await resolveServer('x', entry, contextWith())).toEqual({
      kind: 'resolved',
      server: {
        kind: 'http',
        name: 'x',
        url: 'https://example.com/mcp',
        headers: { Authorization: 'Bearer a b; $(c)' },
        oauth: { clientId: 'c', clientSecret: 'a b; $(c)', callbackPort: 8765 },
        timeouts: { probeMs: 1 },
      },
      warnings: [],
    });
  });

  test('the path of a socket is made of its address', async () => {
    const entry = entryOf({ type: 'socket', url: 'unix:///run/${env:HOST}/a%20b' });
    expect(await resolveServer('x', entry, contextWith())).toEqual({
      kind: 'resolved',
      server: { kind: 'socket', name: 'x', path: '/run/example.com/a b', timeouts: {} },
      warnings: [],
    });
    const bad = entryOf({ type: 'socket', url: '${input:key}' });
    const context = contextWith({ resolveInput: async () => 'http://h' });
    expect(await resolveServer('x', bad, context)).toEqual({
      kind: 'problems',
      problems: [{ path: ['url'], message: '"url" must start with unix:/// or pipe:///.' }],
    });
  });

  test.each([
    [
      'file:///etc/passwd',
      '"url" must start with http:// or https://, or with unix://, pipe://, zap+unix:// or zap+tcp://.',
    ],
    [
      'example.com',
      '"url" must start with http:// or https://, or with unix://, pipe://, zap+unix:// or zap+tcp://.',
    ],
    ['', '"url" is not an address; write one such as http://localhost:3000/mcp.'],
    ['http://a:b@h', '"url" holds a user name or password; send it in "headers" instead.'],
  ])('the address %j is refused', async (answer, message) => {
    const context = contextWith({ resolveInput: async () => answer });
    expect(await resolveServer('x', entryOf({ url: '${input:key}' }), context)).toEqual({
      kind: 'problems',
      problems: [{ path: ['url'], message }],
    });
  });

  test.each(['a\r\nX: b', 'a\n', '\u20ac', 'a\0'])(
    'a header cannot hold %j, and the message does not repeat it',
    async (answer) => {
      const context = contextWith({ resolveInput: async () => answer });
      const entry = entryOf({ url: 'http://h', headers: { X: '${input:key}' } });
      const resolution = await resolveServer('x', entry, context);
      expect(resolution.kind === 'problems' && resolution.problems.at(-1)).toEqual({
        path: ['headers', 'X'],
        message:
          'The value of the header "X" holds a line break or another character that no header can.',
      });
    },
  );
});

describe('a socket of ZAP', () => {
  test('has its variables replaced, and is read', async () => {
    const entry = entryOf({ url: 'zap+unix://${workspaceFolder}/tools.sock' });
    const path = join(folder, 'tools.sock');
    expect(await resolveServer('x', entry, contextWith())).toEqual({
      kind: 'resolved',
      server: {
        kind: 'zap',
        name: 'x',
        url: `zap+unix://${path}`,
        address: { kind: 'unix', path },
        timeouts: {},
      },
      warnings: [],
    });
  });

  test('has no sign-in', async () => {
    const entry = entryOf({ url: 'zap+tcp://${env:HOST}', oauth: { clientId: 'c' } });
    expect(await resolveServer('x', entry, contextWith())).toEqual({
      kind: 'problems',
      problems: [{ path: ['oauth'], message: 'ZAP has no sign-in; remove "oauth".' }],
    });
  });

  test('has no headers', async () => {
    const entry = entryOf({ url: 'zap+tcp://${env:HOST}', headers: { A: 'b' } });
    expect(await resolveServer('x', entry, contextWith())).toEqual({
      kind: 'problems',
      problems: [{ path: ['headers'], message: 'ZAP has no headers; remove "headers".' }],
    });
  });

  test('is judged once its variables are replaced', async () => {
    const entry = entryOf({ url: '${env:SCHEME}://x' });
    const context = contextWith({ env: { SCHEME: 'zap+unix' } });
    expect(await resolveServer('x', entry, context)).toMatchObject({
      kind: 'problems',
      problems: [{ path: ['url'] }],
    });
  });
});
