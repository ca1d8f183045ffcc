import { describe, expect, test } from 'vitest';
import {
  inputIdsOf,
  needsInput,
  substitute,
  type VariableContext,
} from '../../../src/config/variables.ts';
import { entryOf } from './entryOf.ts';

function contextWith(more: Partial<VariableContext> = {}): VariableContext {
  return {
    workspaceFolder: '/my project',
    userHome: '/home/me',
    env: { HOST: 'example.com', EMPTY: '' },
    inputs: [
      { id: 'key', type: 'promptString' },
      { id: 'mode', type: 'pickString', options: ['a'] },
    ],
    resolveInput: async (id) => `<${id}>`,
    platform: 'linux',
    ...more,
  };
}

describe('variables that have a value', () => {
  test.each([
    ['nothing to do', 'nothing to do'],
    ['', ''],
    ['${workspaceFolder}/a', '/my project/a'],
    ['${userHome}${pathSeparator}x${/}y', '/home/me/x/y'],
    ['https://${env:HOST}/${env:EMPTY}', 'https://example.com/'],
    ['${input:key}-${input:mode}', '<key>-<mode>'],
    ['$HOME $(x) `x` ${unclosed', '$HOME $(x) `x` ${unclosed'],
  ])('%s', async (text, expected) => {
    expect(await substitute(text, contextWith())).toEqual({
      kind: 'text',
      text: expected,
      unset: [],
    });
  });

  test('what takes the place of a variable is not looked at again', async () => {
    const context = contextWith({ resolveInput: async () => '${env:HOST} $& $1' });
    expect(await substitute('a ${input:key} b', context)).toEqual({
      kind: 'text',
      text: 'a ${env:HOST} $& $1 b',
      unset: [],
    });
  });

  test('a variable of the environment that is not set is empty, and told', async () => {
    expect(await substitute('[${env:NONE}]', contextWith())).toEqual({
      kind: 'text',
      text: '[]',
      unset: ['NONE'],
    });
  });

  test('on Windows the separator is a backslash and names of the environment have no case', async () => {
    expect(await substitute('${env:host}${/}', contextWith({ platform: 'win32' }))).toEqual({
      kind: 'text',
      text: 'example.com\\',
      unset: [],
    });
  });

  test('elsewhere they have one', async () => {
    expect(await substitute('${env:host}', contextWith())).toMatchObject({ unset: ['host'] });
  });
});

describe('variables without one', () => {
  test.each([
    [
      '${workspaceFolder}',
      '${workspaceFolder} stands for nothing: no folder is open. Write the whole path.',
    ],
    ['${PATH}', 'Unknown variable ${PATH}; for the environment write ${env:PATH}.'],
    ['${userhome}', 'Unknown variable ${userhome}; did you mean ${userHome}?'],
    [
      '${command:x.y}',
      'Unknown variable ${command:x.y}; there are ${workspaceFolder}, ${userHome}, ${pathSeparator}, ${/}, ${env:NAME}, ${input:ID}.',
    ],
    ['${input:}', '${input:} names nothing; write it like ${input:api-key}.'],
    ['${input:kay}', '${input:kay} is not defined; did you mean ${input:key}?'],
    [
      '${input:other}',
      '${input:other} is not defined; add { "id": "other", "type": "promptString" } to "inputs".',
    ],
  ])('%s', async (text, message) => {
    expect(await substitute(text, contextWith({ workspaceFolder: undefined }))).toEqual({
      kind: 'problem',
      message,
    });
  });

  test('an answer that is refused cancels the whole text', async () => {
    const context = contextWith({ resolveInput: async () => undefined });
    expect(await substitute('a${input:key}', context)).toEqual({ kind: 'cancelled', input: 'key' });
  });
});

describe('the inputs of an entry', () => {
  test.each([
    [entryOf({ command: 'a', args: ['${env:X}'] }), []],
    [
      entryOf({
        command: '${input:a}',
        args: ['${input:b}${input:a}'],
        env: { X: '${input:c}', Y: 1, Z: null },
        envFile: '${input:d}',
        cwd: '${input:e}',
      }),
      ['a', 'b', 'c', 'd', 'e'],
    ],
    [entryOf({ url: 'http://${input:a}', headers: { X: '${input:b}' } }), ['a', 'b']],
  ])('%#', (entry, ids) => {
    expect(inputIdsOf(entry)).toEqual(ids);
    expect(needsInput(entry)).toBe(ids.length > 0);
  });
});
