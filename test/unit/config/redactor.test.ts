import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../../src/config/redactor.ts';

const stdio = {
  kind: 'stdio',
  name: 's',
  command: 'node',
  args: [],
  cwd: '/',
  timeouts: {},
} as const;

test('answers and variables that are named like secrets are replaced, other variables are not', () => {
  const env = { API_KEY: 'k-1234', LEVEL: 'debug', GONE: null };
  const redact = createRedactor({ ...stdio, env }, ['my answer']);
  expect(redact('k-1234, my answer, debug')).toBe('•••, •••, debug');
});

test('the value of a header is replaced, with and without its scheme', () => {
  const headers = { Authorization: 'Bearer abc123' };
  const redact = createRedactor(
    { kind: 'http', name: 'h', url: 'http://x', headers, timeouts: {} },
    [],
  );
  expect(redact('sent Bearer abc123, then abc123')).toBe('sent •••, then •••');
});

test.each([
  'https://x.test/mcp?api_key=a%2Fb%20c&page=first',
  'unix:///tmp/x.sock#/mcp?api_key=a%2Fb%20c&page=first',
])('what is named like a secret in %s is replaced, however it is written', (url) => {
  const redact = createRedactor({ kind: 'http', name: 'h', url, headers: {}, timeouts: {} }, []);
  expect(redact('a/b c, a%2Fb%20c, first')).toBe('•••, •••, first');
});

test('what is configured to sign in with is replaced, and what a sign-in brings', () => {
  const tokens = new Set<string>();
  const oauth = { clientId: 'public', clientSecret: 'hidden', privateKey: 'a\nb\nc' };
  const server = { kind: 'http', name: 'h', url: 'http://x', headers: {}, oauth, timeouts: {} };
  const redact = createRedactor(server as never, [], tokens);
  expect(redact('public hidden "a\\nb\\nc" token-1')).toBe('public ••• "•••" token-1');
  tokens.add('token-1');
  expect(redact('token-1, token-2')).toBe('•••, token-2');
  tokens.add('token-2');
  expect(redact('token-1, token-2')).toBe('•••, •••');
});

test('a longer secret is replaced before the shorter one it begins with', () => {
  const redact = createRedactor({ ...stdio, env: {} }, ['abcd', 'abcdef']);
  expect(redact('abcdef')).toBe('•••');
});

test('a secret is known by its beginning where a text was cut within it, and nowhere else', () => {
  const redact = createRedactor({ ...stdio, env: {} }, ['my "secret"']);
  expect(redact('sent my "sec…')).toBe('sent •••…');
  expect(redact('{"sent":"my \\"sec…", "my":1} my… my "sec')).toBe(
    '{"sent":"•••…", "my":1} my… my "sec',
  );
});

test('what is too short to be told apart from words stays', () => {
  expect(createRedactor({ ...stdio, env: {} }, ['a', ''])('a cat')).toBe('a cat');
});

test('what a header of the scheme Basic says is replaced, too', () => {
  const Authorization = `Basic ${Buffer.from('ada:pass word').toString('base64')}`;
  const headers = { Authorization };
  const server = { kind: 'http', name: 'h', url: 'http://x', headers, timeouts: {} } as const;
  const redact = createRedactor(server, []);
  expect(redact(`${Authorization}, ada:pass word, pass word, ada`)).toBe('•••, •••, •••, ada');
});

describe('however a secret is written', () => {
  /** Every character as itself, where JSON allows that, or as one of its escapes. */
  const asJson = (text: string, choices: readonly number[]): string =>
    [...Array(text.length).keys()]
      .map((i) => {
        const character = text.charAt(i);
        const code = character.charCodeAt(0).toString(16).padStart(4, '0');
        const plain = JSON.stringify(character).slice(1, -1);
        const ways = [plain, plain, `\\u${code}`, `\\u${code.toUpperCase()}`];
        if (character === '/') ways.push('\\/');
        return ways[(choices[i % choices.length] ?? 0) % ways.length] ?? plain;
      })
      .join('');
  const asAddress = (text: string, choices: readonly number[]): string =>
    [...text]
      .map((character, i) => {
        const all = [...Buffer.from(character)];
        const escaped = all.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
        const isChosen = (choices[i % choices.length] ?? 0) % 2 === 0;
        return isChosen || /[^A-Za-z0-9]/.test(character) ? escaped : character;
      })
      .join('');
  const secret = fc.string({ unit: 'grapheme', minLength: 8, maxLength: 40 });
  const around = fc.string({ unit: fc.constantFrom('a', '"', '\\', '/', '%', '•', '4', '\n') });
  const choices = fc.array(fc.nat(30), { minLength: 1 });
  const hides = (texts: readonly string[], read: (line: string) => string): void => {
    const [hidden = '', line = ''] = texts;
    const shown = createRedactor({ ...stdio, env: {} }, [hidden])(line);
    expect(read(shown)).not.toContain(hidden);
  };
  const inJson = (line: string): string => String(JSON.parse(line));

  test('in JSON, and in JSON in that, it is hidden', () => {
    fc.assert(
      fc.property(secret, around, around, choices, (hidden, before, after, chosen) => {
        const once = `"${asJson(before + hidden + after, chosen)}"`;
        hides([hidden, once], inJson);
        const twice = `"${asJson(once, chosen)}"`;
        hides([hidden, twice], (line) => inJson(inJson(line)));
      }),
    );
  });

  test('in an address, also in JSON, it is hidden', () => {
    fc.assert(
      fc.property(secret, choices, (hidden, chosen) => {
        const address = `https://x.test/?a=b%2F&c=${asAddress(hidden, chosen)}&d=%e4`;
        const valueOf = (line: string): string => new URL(line).searchParams.get('c') ?? '';
        hides([hidden, address], valueOf);
        hides([hidden, `"${asJson(address, chosen)}"`], (line) => valueOf(inJson(line)));
      }),
    );
  });

  test('in base64, wherever it stands in it, it is hidden', () => {
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (hidden, before, after) => {
        for (const alphabet of ['base64', 'base64url'] as const) {
          const line = Buffer.from(before + hidden + after).toString(alphabet);
          hides([hidden, line], (shown) => Buffer.from(shown, alphabet).toString('utf8'));
        }
      }),
    );
  });

  test('what is no secret stays as it is written', () => {
    const redact = createRedactor({ ...stdio, env: {} }, ['a/secret&here']);
    const line = '{"a":"\\u0061\\/b%20c \\\\u0061 %zz %","b":"\\ud83d a\\/secret\\u0026here\\n"}';
    expect(redact(line)).toBe(line.replace('a\\/secret\\u0026here', '•••'));
  });
});
