import { expect, test } from 'vitest';
import { endpointPath } from '../../../../src/extension/servers/serverRegistry.ts';

test.each([
  ['plain', '/plain/mcp'],
  ['my server', '/my~20server/mcp'],
  ['a/b?c#d', '/a~2Fb~3Fc~23d/mcp'],
  ['100%~', '/100~25~7E/mcp'],
  ['${env:HOME}', '/~24~7Benv~3AHOME~7D/mcp'],
])('the path of %s holds nothing that a URL library reads or encodes', (name, path) => {
  expect(endpointPath(name)).toBe(path);
  expect(new URL(`http://127.0.0.1${path}`).pathname).toBe(path);
});
