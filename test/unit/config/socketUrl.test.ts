import { expect, test } from 'vitest';
import { describeSocketProblem, socketPath } from '../../../src/config/socketUrl.ts';

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
