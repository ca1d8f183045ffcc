import { expect, test } from 'vitest';
import { policyFromSettings } from '../../../src/config/settings.ts';

const strict = { kind: 'strict' };

test.each<[unknown, unknown, unknown, string[]]>([
  [undefined, undefined, strict, []],
  ['strict', ['tool-name'], strict, []],
  ['permissive', 5, { kind: 'permissive' }, []],
  [
    'perFeature',
    ['tool-name', 'result-type'],
    { kind: 'features', features: new Set(['tool-name', 'result-type']) },
    [],
  ],
  ['perFeature', undefined, { kind: 'features', features: new Set() }, []],
  [
    'perFeature',
    ['tool-nam', 'tool-name', 'x', 5],
    { kind: 'features', features: new Set(['tool-name']) },
    [
      'mcpRosetta.allowedDowngrades does not know "tool-nam"; did you mean "tool-name"?',
      'mcpRosetta.allowedDowngrades does not know "x"; remove it.',
      'mcpRosetta.allowedDowngrades does not know "5"; remove it.',
    ],
  ],
  [
    'perFeature',
    'tool-name',
    { kind: 'features', features: new Set() },
    ['mcpRosetta.allowedDowngrades must be a list of names; nothing is allowed until it is.'],
  ],
  [
    'Permissive',
    undefined,
    strict,
    [
      'mcpRosetta.degradePolicy must be one of "strict", "permissive", "perFeature"; "strict" is used until it is.',
    ],
  ],
])('%j with %j', (policy, allowed, expected, problems) => {
  expect(policyFromSettings(policy, allowed)).toEqual({ policy: expected, problems });
});
