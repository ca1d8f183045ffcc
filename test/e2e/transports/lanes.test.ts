import { expect, test } from 'vitest';

import type { Lane } from '../interop/lane.ts';
import { expectationOf, THINGS } from './expectations.ts';
import { allLanes, clientOf, serverOf, someLanes } from './lane.ts';

test('each side is at both ends once with each other', () => {
  const pairs = allLanes().map((lane) => `${clientOf(lane)}, ${serverOf(lane)}`);
  expect(pairs).toHaveLength(100);
  expect(new Set(pairs).size).toBe(100);
});

test('the short form has each side at both ends, each pair of eras, and all that does not cross', () => {
  const kindsOf = (lanes: readonly Lane[]): string[] => {
    const kinds = lanes.flatMap((lane) => {
      const [client, server] = [clientOf(lane), serverOf(lane)];
      const eras = [client, server].map((side) => side.split(' ')[0]).join(' -> ');
      const lost = THINGS.map((thing) => JSON.stringify([thing, expectationOf(lane, thing)]));
      return [`${client} client`, `${server} server`, eras, ...lost];
    });
    return [...new Set(kinds)].sort();
  };
  expect(kindsOf(someLanes())).toEqual(kindsOf(allLanes()));
});
