import { expect, test } from 'vitest';
import { isSafeUrl } from '../../../src/base/safeUrl.ts';

test.each([
  'https://example.com/a?b=c',
  'HTTPS://EXAMPLE.COM',
  'http://localhost:8080/cb',
  'http://127.0.0.1/',
  'http://[::1]:1/',
])('%s may be shown', (url) => {
  expect(isSafeUrl(url)).toBe(true);
});

test.each([
  '',
  'example.com',
  'a:$(calc)',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'vscode://x/y',
  'command:workbench.action.quit',
  'http://example.com/',
  'http://localhost.evil.example/',
  'http://127.0.0.1.evil.test/',
  'http://localhost@evil.test/',
  'https://user:secret@example.com/',
  'https:\\\\evil.test',
  `https://example.com/${'a'.repeat(9000)}`,
])('%s may not', (url) => {
  expect(isSafeUrl(url)).toBe(false);
});
