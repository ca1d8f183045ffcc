import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bearerChallenge,
  readChallenges,
} from '../../../../src/transports/authorization/challenge.ts';

const read = (header: string): unknown[] =>
  readChallenges(header).map(({ scheme, parameters }) => [scheme, Object.fromEntries(parameters)]);

test.each<[string, unknown[]]>([
  ['', []],
  ['Bearer', [['bearer', {}]]],
  ['BEARER Realm="a, b", Scope=x', [['bearer', { realm: 'a, b', scope: 'x' }]]],
  [
    'Bearer error = "insufficient_scope" ,scope="a b"',
    [['bearer', { error: 'insufficient_scope', scope: 'a b' }]],
  ],
  [
    'Basic realm="x", Bearer scope="a"',
    [
      ['basic', { realm: 'x' }],
      ['bearer', { scope: 'a' }],
    ],
  ],
  [
    'Negotiate abc/+==, Bearer scope="a"',
    [
      ['negotiate', {}],
      ['bearer', { scope: 'a' }],
    ],
  ],
  [
    'Bearer realm="with \\"quotes\\" and \\\\", scope="s"',
    [['bearer', { realm: 'with "quotes" and \\', scope: 's' }]],
  ],
  ['Bearer scope="first", scope="second"', [['bearer', { scope: 'first' }]]],
  [
    'Bearer __proto__="a", constructor="b"',
    [
      [
        'bearer',
        Object.fromEntries([
          ['__proto__', 'a'],
          ['constructor', 'b'],
        ]),
      ],
    ],
  ],
  // A value inside of another is none of its own.
  [
    'Bearer realm="resource_metadata=https://evil.example"',
    [['bearer', { realm: 'resource_metadata=https://evil.example' }]],
  ],
  [
    'Bearer realm="no end',
    [
      ['bearer', { realm: '' }],
      ['no', {}],
    ],
  ],
])('%s', (header, challenges) => {
  expect(read(header).slice(0, challenges.length)).toEqual(challenges);
});

test('a bearer challenge is found behind others', () => {
  expect(bearerChallenge('Basic realm="x", bearer scope="a"')?.parameters.get('scope')).toBe('a');
  expect(bearerChallenge('Basic realm="Bearer"')).toBeUndefined();
});

test('whatever a server writes is read to its end', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, value) => {
      readChallenges(before);
      const quoted = value.replace(/[\\"]/g, '\\$&');
      const found = bearerChallenge(`Bearer scope="${quoted}"`);
      expect(found?.parameters.get('scope')).toBe(value);
    }),
  );
});
