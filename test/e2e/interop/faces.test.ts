import { expect, test } from 'vitest';

import { facesOf } from './lane.ts';
import { SDKS } from './sdks.ts';

test('the SDK of 2024-11-05 is older than Streamable HTTP; all later ones speak both transports', () => {
  const faces = Object.values(SDKS).map((sdk) => [sdk.revision, facesOf(sdk)]);
  expect(Object.fromEntries(faces)).toEqual({
    '2024-11-05': ['stdio'],
    '2025-03-26': ['stdio', 'serve'],
    '2025-06-18': ['stdio', 'serve'],
    '2025-11-25': ['stdio', 'serve'],
  });
});
