import { expect, test } from 'vitest';

import { eraOf } from '../../../src/protocol/revision.ts';
import { allLanes, impossible, someLanes, titleOf } from './lane.ts';
import { cellsAtStake, cellsOf } from './table.ts';

const possible = allLanes().filter((lane) => impossible(lane) === undefined);

test('every lane has the same things to do', () => {
  for (const policy of ['strict', 'permissive'] as const) {
    const tables = possible.map((lane) => cellsOf(lane, policy).map(({ thing }) => thing));
    expect(new Set(tables.map((things) => JSON.stringify(things))).size).toBe(1);
    expect(new Set(tables[0]).size).toBe(tables[0]?.length);
  }
});

test('what a policy decides is done under both', () => {
  for (const lane of possible) {
    for (const { outcome } of cellsAtStake(lane)) expect(outcome).toBe('lowered');
  }
});

test('only transports that an SDK does not have make a lane impossible', () => {
  const lanes = allLanes().filter((lane) => impossible(lane) !== undefined);
  expect(lanes.map(titleOf)).toEqual([
    ...['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'].map(
      (server) => `2024-11-05 client -> mcp-rosetta serve -> ${server} server over stdio`,
    ),
    ...['2025-11-25', '2026-07-28'].map(
      (client) => `${client} client -> mcp-rosetta stdio -> 2024-11-05 server over http`,
    ),
  ]);
});

test('the short form has each client, server, face, transport and pair of eras', () => {
  const lanes = someLanes();
  expect(lanes.filter((lane) => impossible(lane) !== undefined)).toEqual([]);
  const kindsOf = (all: typeof lanes): string[] => {
    const kinds = all.flatMap(({ sdk, face, server, upstream }) => [
      `${sdk.revision} client`,
      `${server} server`,
      `${eraOf(sdk.revision)} -> ${face} -> ${eraOf(server)}`,
      `${eraOf(sdk.revision)} -> ${eraOf(server)} over ${upstream}`,
    ]);
    return [...new Set(kinds)].sort();
  };
  expect(kindsOf(lanes)).toEqual(kindsOf(possible));
});
