import { expect, test } from 'vitest';
import { isZapUrl, parseZapAddress, zapUrl } from '../../../../src/protocol/zap/address.ts';

test.each([
  ['zap+unix:///run/tools.sock', { kind: 'unix', path: '/run/tools.sock' }],
  ['zap+unix:///a b/50%/ü', { kind: 'unix', path: '/a b/50%/ü' }],
  ['zap+tcp://example.com:9000', { kind: 'tcp', host: 'example.com', port: 9000 }],
  ['zap+tcp://[::1]:9000', { kind: 'tcp', host: '::1', port: 9000 }],
])('%s is an address and is written as it was read', (text, address) => {
  expect(parseZapAddress(text)).toEqual(address);
  expect(zapUrl(parseZapAddress(text) as never)).toBe(text);
});

test.each([
  ['zap+tcp://example.com', { host: 'example.com', port: 9655 }],
  ['zap+tcp://example.com/', { host: 'example.com', port: 9655 }],
  ['zap+tcp://', { host: '127.0.0.1', port: 9655 }],
  ['zap+tcp://:7000', { host: '127.0.0.1', port: 7000 }],
  ['ZAP+TCP://h:0', { host: 'h', port: 0 }],
])('%s names less, and the rest is known', (text, address) => {
  expect(parseZapAddress(text)).toEqual({ kind: 'tcp', ...address });
});

test.each([
  ['zap+unix://', /whole path/],
  ['zap+unix://relative', /whole path/],
  ['zap+unix:/run/x', /whole path/],
  ['zap+unix:///a\0b', /whole path/],
  [`zap+unix:///${'ü'.repeat(54)}`, /more than 107 bytes/],
  ['zap+tcp://h:65536', /must be zap/],
  ['zap+tcp://h:1/path', /must be zap/],
  ['zap+tcp://user@h:1', /must be zap/],
  ['zap+tcp://a b', /must be zap/],
  ['zap+tcp:h', /must be zap/],
  ['zap+udp://h:1', /must be zap/],
  ['zap://h:1', /must be zap/],
])('%s is none', (text, problem) => {
  expect(isZapUrl(text)).toBe(true);
  expect(parseZapAddress(text)).toEqual({
    kind: 'problem',
    problem: expect.stringMatching(problem) as string,
  });
});

test('other addresses are not meant as such', () => {
  expect(['http://h', 'zapper', '/run/x', 'zap'].some(isZapUrl)).toBe(false);
});
