import { expect, test } from 'vitest';
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
