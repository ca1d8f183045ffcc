import { expect, test } from 'vitest';

import { eraOf } from '../../../src/protocol/revision.ts';
import { allLanes, someLanes } from './lane.ts';
import { cellsAtStake, cellsOf } from './table.ts';

test('every lane has the same things to do', () => {
  for (const policy of ['strict', 'permissive'] as const) {
    const tables = allLanes().map((lane) => cellsOf(lane, policy).map(({ thing }) => thing));
    expect(new Set(tables.map((things) => JSON.stringify(things))).size).toBe(1);
    expect(new Set(tables[0]).size).toBe(tables[0]?.length);
  }
});

test('what a policy decides is done under both', () => {
  for (const lane of allLanes()) {
    for (const { outcome } of cellsAtStake(lane)) expect(outcome).toBe('lowered');
  }
});

test('the short form has each client, server, face, transport and pair of eras', () => {
  const lanes = someLanes();
  const kindsOf = (all: typeof lanes): string[] => {
    const kinds = all.flatMap(({ sdk, face, server, upstream }) => [
      `${sdk.revision} client`,
      `${server} server`,
      `${eraOf(sdk.revision)} -> ${face} -> ${eraOf(server)}`,
      `${eraOf(sdk.revision)} -> ${eraOf(server)} over ${upstream}`,
    ]);
    return [...new Set(kinds)].sort();
  };
  expect(kindsOf(lanes)).toEqual(kindsOf(allLanes()));
});
