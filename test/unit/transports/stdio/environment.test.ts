import { expect, test } from 'vitest';
import { mergeEnvironment, searchPath } from '../../../../src/transports/stdio/environment.ts';

test('overrides, empties and takes away variables', () => {
  const inherited = { HOME: '/home/a', TOKEN: 'x', EMPTY: 'y' };
  expect(mergeEnvironment(inherited, { TOKEN: null, EMPTY: '', NEW: '1' }, 'linux')).toEqual({
    HOME: '/home/a',
    EMPTY: '',
    NEW: '1',
  });
});

test('knows a Windows variable by any spelling', () => {
  const inherited = { Path: 'C:\\a', ProgramData: 'C:\\p' };
  const merged = mergeEnvironment(inherited, { PATH: 'C:\\b;C:\\c', PROGRAMDATA: null }, 'win32');
  expect(merged).toEqual({ PATH: 'C:\\b;C:\\c' });
  expect(searchPath({ Path: 'C:\\b;;C:\\c' }, 'win32')).toEqual(['C:\\b', 'C:\\c']);
  expect(searchPath({ Path: '/b' }, 'linux')).toEqual([]);
});
