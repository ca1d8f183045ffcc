import * as of20251125 from '@modelcontextprotocol/sdk/types.js';
import { specTypeSchemas } from '@modelcontextprotocol/server';
import * as of20241105 from 'sdk-2024-11-05/types.js';
import * as of20250326 from 'sdk-2025-03-26/types.js';
import * as of20250618 from 'sdk-2025-06-18/types.js';
import { describe, expect, test } from 'vitest';

import { isRetired, methodsOf } from '../../../src/protocol/methodTable.ts';
import type { Revision } from '../../../src/protocol/revision.ts';

interface Schemas {
  readonly ClientRequestSchema: unknown;
  readonly ServerRequestSchema: unknown;
}

/** The methods of a union of request schemas. */
function methodsIn(union: unknown): string[] {
  const { options } = union as {
    readonly options: readonly {
      readonly shape: { readonly method: { readonly value: string } };
    }[];
  };
  return options.map(({ shape }) => shape.method.value).sort();
}

const SDKS: readonly [Revision, Schemas][] = [
  ['2024-11-05', of20241105],
  ['2025-03-26', of20250326],
  ['2025-06-18', of20250618],
  ['2025-11-25', of20251125],
];

describe('the methods of a revision', () => {
  test.each(SDKS)('are those that the SDK of %s knows', (revision, sdk) => {
    const { requests, questions } = methodsOf(revision);
    expect([...requests].sort()).toEqual(methodsIn(sdk.ClientRequestSchema));
    // Both sides may ping, and both may ask after tasks.
    const both = methodsIn(sdk.ServerRequestSchema).filter((method) => !requests.has(method));
    expect([...questions].sort()).toEqual(both);
  });

  test('of the modern era are those of the newest SDK that did not retire', () => {
    const known = methodsIn(specTypeSchemas.ClientRequest);
    const current = known.filter((method) => !isRetired(method, '2026-07-28'));
    expect([...methodsOf('2026-07-28').requests].sort()).toEqual(current);
    expect(current.length).toBeLessThan(known.length);
  });
});

describe('a retired method', () => {
  test.each(['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'tasks/list'])(
    'is one that an older revision has: %s',
    (method) => {
      expect(isRetired(method, '2026-07-28')).toBe(true);
      expect(isRetired(method, '2025-11-25')).toBe(false);
    },
  );

  test.each(['tools/call', 'tasks/get', 'server/discover', 'acme/anything', 'constructor'])(
    'is not one that is current, an extension’s, or unknown: %s',
    (method) => expect(isRetired(method, '2026-07-28')).toBe(false),
  );
});
