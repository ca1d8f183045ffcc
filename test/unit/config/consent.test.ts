import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commandLine, consentHash } from '../../../src/config/consent.ts';
import type {
  HttpEntry,
  ServerEntry,
  SocketEntry,
  StdioEntry,
} from '../../../src/config/serverEntry.ts';
import { entryOf } from './entryOf.ts';

const text = fc.string({ unit: 'binary', maxLength: 12 });

const bridgeOptions = { timeouts: {}, disabled: false };

const stdioEntry: fc.Arbitrary<StdioEntry> = fc.record(
  {
    kind: fc.constant('stdio' as const),
    command: text,
    args: fc.array(text, { maxLength: 4 }),
    env: fc.dictionary(text, fc.oneof(text, fc.integer(), fc.constant(null)), { maxKeys: 4 }),
    envFile: text,
    cwd: text,
    timeouts: fc.constant({}),
    disabled: fc.constant(false),
  },
  { requiredKeys: ['kind', 'command', 'args', 'env', 'timeouts', 'disabled'] },
);

const httpEntry: fc.Arbitrary<HttpEntry> = fc.record(
  {
    kind: fc.constantFrom('http', 'sse'),
    url: text,
    headers: fc.dictionary(text, text, { maxKeys: 4 }),
    oauth: fc.record({ clientId: text, clientSecret: text, issuer: text }),
    timeouts: fc.constant({}),
    disabled: fc.constant(false),
  },
  { requiredKeys: ['kind', 'url', 'headers', 'timeouts', 'disabled'] },
);

const socketEntry: fc.Arbitrary<SocketEntry> = fc.record({
  kind: fc.constant('socket' as const),
  url: text,
  timeouts: fc.constant({}),
  disabled: fc.constant(false),
});

/** A way to one text of an entry: reads nothing, gives the entry with that text changed. */
type Edit = (change: (value: string) => string) => ServerEntry;

function recordEdits<T>(
  record: Readonly<Record<string, T>>,
  put: (record: Record<string, T | string>) => ServerEntry,
): Edit[] {
  return Object.entries(record).flatMap(([name, value]) => {
    const others = Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));
    const rename: Edit = (change) => put({ ...others, [change(name)]: value });
    const replace: Edit = (change) => put({ ...record, [name]: change(String(value)) });
    return typeof value === 'string' ? [rename, replace] : [rename];
  });
}

function editsOf(entry: ServerEntry): Edit[] {
  if (entry.kind === 'socket') return [(change) => ({ ...entry, url: change(entry.url) })];
  if (entry.kind !== 'stdio') {
    return [
      (change) => ({ ...entry, url: change(entry.url) }),
      ...recordEdits(entry.headers, (headers) => ({ ...entry, headers })),
      ...recordEdits({ ...entry.oauth }, (oauth) => ({ ...entry, oauth })),
    ];
  }
  const { envFile, cwd } = entry;
  return [
    (change) => ({ ...entry, command: change(entry.command) }),
    ...entry.args.map((arg, i): Edit => (change) => ({
      ...entry,
      args: entry.args.with(i, change(arg)),
    })),
    ...recordEdits(entry.env, (env) => ({ ...entry, env })),
    ...(envFile === undefined
      ? []
      : ([(change) => ({ ...entry, envFile: change(envFile) })] as Edit[])),
    ...(cwd === undefined ? [] : ([(change) => ({ ...entry, cwd: change(cwd) })] as Edit[])),
  ];
}

/** Adds, removes or replaces one UTF-16 unit; the outcome is never the text itself. */
const change: fc.Arbitrary<(value: string) => string> = fc
  .record({
    place: fc.nat(12),
    unit: fc.integer({ min: 0, max: 0xffff }),
    kind: fc.constantFrom('add', 'remove', 'replace'),
  })
  .map(({ place, unit, kind }) => (value) => {
    const at = Math.min(place, value.length);
    const character = String.fromCharCode(unit);
    const isThere = at < value.length && character !== value[at];
    const end = kind === 'add' || !isThere ? at : at + 1;
    const added = kind === 'remove' && isThere ? '' : character;
    return value.slice(0, at) + added + value.slice(end);
  });

describe('the hash of consent', () => {
  test('is another one after any change of one character in any field', () => {
    fc.assert(
      fc.property(
        fc.oneof(stdioEntry, httpEntry, socketEntry),
        fc.nat(),
        change,
        fc.option(text, { nil: undefined }),
        (entry, which, by, folder) => {
          const edits = editsOf(entry);
          const edited = edits[which % edits.length]?.(by);
          if (edited === undefined) throw new Error('every entry has a text');
          expect(consentHash(edited, folder)).not.toBe(consentHash(entry, folder));
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('does not depend on the order in which env and headers stand', () => {
    fc.assert(
      fc.property(fc.oneof(stdioEntry, httpEntry), (entry) => {
        const reversed = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
          Object.fromEntries(Object.entries(record).reverse());
        const other: ServerEntry =
          entry.kind === 'stdio'
            ? { ...entry, env: reversed(entry.env) }
            : { ...entry, headers: reversed(entry.headers) };
        expect(consentHash(other, '/w')).toBe(consentHash(entry, '/w'));
      }),
    );
  });

  const base: StdioEntry = {
    kind: 'stdio',
    command: 'n',
    args: ['ab', 'c'],
    env: { A: '1' },
    ...bridgeOptions,
  };

  test.each<[string, ServerEntry]>([
    ['a byte moved to the next argument', { ...base, args: ['a', 'bc'] }],
    ['the arguments joined', { ...base, args: ['ab c'] }],
    ['an empty argument added', { ...base, args: ['ab', 'c', ''] }],
    ['the arguments in another order', { ...base, args: ['c', 'ab'] }],
    ['a value as a number', { ...base, env: { A: 1 } }],
    ['a value removed', { ...base, env: { A: null } }],
    ['a value that looks removed', { ...base, env: { A: 'null' } }],
    ['an empty folder instead of none', { ...base, cwd: '' }],
    ['the folder as envFile', { ...base, envFile: '' }],
  ])('is another one with %s', (_title, entry) => {
    expect(consentHash(entry, '/w')).not.toBe(consentHash(base, '/w'));
  });

  test('is another one in another folder, where the same words mean another program', () => {
    expect(consentHash(base, '/w')).not.toBe(consentHash(base, '/v'));
    expect(consentHash(base, undefined)).not.toBe(consentHash(base, ''));
  });

  test('stays the same where only the bridge is told something else', () => {
    const other: StdioEntry = { ...base, disabled: true, timeouts: { startMs: 1 }, reader: 'spec' };
    expect(consentHash(other, '/w')).toBe(consentHash(base, '/w'));
  });

  test('stays the same from one version to the next', () => {
    expect(consentHash(base, '/w')).toMatchInlineSnapshot(
      `"902b365476dc58a2ce83a34af3f7dfe4d42f73a54bc30892b0612f8dcb9829d4"`,
    );
  });
});

describe('the command line that is shown', () => {
  test('is whole, with the bounds of every argument visible', () => {
    const long = 'x'.repeat(5000);
    const entry = entryOf({
      command: 'C:\\Program Files\\node.exe',
      args: ['a b', '', 'say "hi"', '${input:key}', long],
      env: { Z: 1, A: '${input:key}', OLD: null, EMPTY: '' },
      envFile: '.env',
      cwd: '${workspaceFolder}',
    });
    expect(commandLine(entry)).toBe(
      [
        `Command: "C:\\\\Program Files\\\\node.exe" "a b" "" "say \\"hi\\"" "\${input:key}" "${long}"`,
        'Folder: "${workspaceFolder}"',
        'Environment file: ".env"',
        'Environment:',
        '  "A"="${input:key}"',
        '  "EMPTY"=""',
        '  "OLD" is removed',
        '  "Z"="1"',
      ].join('\n'),
    );
  });

  test('is one line where there is nothing else to say', () => {
    expect(commandLine(entryOf({ command: 'node', args: ['s.js'] }))).toBe(
      'Command: "node" "s.js"',
    );
  });

  test('shows the address and the headers of a server that has one', () => {
    const entry = entryOf({
      url: 'https://example.com/mcp',
      headers: { 'X-B': 'b', Authorization: 'Bearer ${input:key}' },
      oauth: { clientId: 'c', clientSecret: '${input:key}', callbackPort: 1 },
    });
    expect(commandLine(entry)).toBe(
      [
        'Address: "https://example.com/mcp"',
        'Headers:',
        '  "Authorization": "Bearer ${input:key}"',
        '  "X-B": "b"',
        'Sign-in:',
        '  "callbackPort": "1"',
        '  "clientId": "c"',
        '  "clientSecret": "${input:key}"',
      ].join('\n'),
    );
  });

  test('shows what would hide as an escape, and an escape that is written as what it is', () => {
    const args = ['a\u202Eb', 'c\u200Bd', 'e\nf\u001b[2J', '\\u{202e}', '\u{e0041}', 'g\u00a0h'];
    expect(commandLine(entryOf({ command: 'n', args }))).toBe(
      'Command: "n" "a\\u{202e}b" "c\\u{200b}d" "e\\u{a}f\\u{1b}[2J" "\\\\u{202e}" "\\u{e0041}" "g\\u{a0}h"',
    );
  });
});
