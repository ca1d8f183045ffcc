import { describe, expect, test } from 'vitest';
import {
  describeHttpSocketProblem,
  describeSocketProblem,
  httpAddress,
  isLineSocketUrl,
  socketPath,
} from '../../../src/config/socketUrl.ts';

test.each([
  ['unix:///tmp/server.sock', '/tmp/server.sock'],
  ['unix:///tmp/a%20b%C3%A4.sock', '/tmp/a bä.sock'],
  ['unix:///tmp/a b.sock', '/tmp/a b.sock'],
  ['unix:/tmp/one-slash.sock', '/tmp/one-slash.sock'],
  ['pipe:///pipe/server', '\\\\.\\pipe\\server'],
])('%s is the socket %s', (url, path) => {
  expect(describeSocketProblem(url)).toBeUndefined();
  expect(socketPath(url)).toBe(path);
});

test.each(['unix:tmp/s', 'unix://host/s', 'unix:///', 'unix:///s?q', 'unix:///s#h', 'unix:///%00'])(
  '%s is none',
  (url) => {
    expect(describeSocketProblem(url)).toMatch(/^\S/);
  },
);

describe('HTTP over a socket', () => {
  test.each([
    ['unix:///s', 'http://localhost/'],
    ['unix:///s#/mcp', 'http://localhost/mcp'],
    ['unix:///s#/mcp?key=value', 'http://localhost/mcp?key=value'],
    ['unix:///s?key=value#/mcp', 'http://localhost/mcp?key=value'],
    // However it is written, the host stays what it is.
    ['unix:///s#//evil.example/mcp', 'http://localhost//evil.example/mcp'],
    ['unix:///s#/@evil.example', 'http://localhost/@evil.example'],
  ])('%s asks for %s', (text, url) => {
    expect(describeHttpSocketProblem(text)).toBeUndefined();
    expect(httpAddress(text)).toEqual({ url: new URL(url), socketPath: '/s' });
    expect(isLineSocketUrl(text)).toBe(!text.includes('#'));
  });

  test.each([
    'unix:///s#mcp',
    'unix:///s#@evil.example/',
    'unix:///s#:1/x',
    'unix:///#/mcp',
    'unix://h/s#/',
  ])('%s is none', (text) => expect(describeHttpSocketProblem(text)).toMatch(/^\S/));

  test('an address of a host stays what it is', () => {
    expect(httpAddress('http://h/mcp#x')).toEqual({ url: new URL('http://h/mcp#x') });
  });
});
