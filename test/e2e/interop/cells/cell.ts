import { expect } from 'vitest';

import type { Concern } from '../../../../src/protocol/concern.ts';
import type { ReportLine } from '../../../support/cli.ts';
import { isModernClient, isModernServer, serverRevision, type Lane } from '../lane.ts';
import type { Members, Peer } from '../peer.ts';
import type { Station } from '../station.ts';

/** What one test of the table has to work with: a connected client, which the cells of a lane share. */
export interface Scene {
  readonly lane: Lane;
  readonly station: Station;
  readonly peer: Peer;
}

/**
 * What becomes of a thing on a lane. `crosses`: it arrives as it was said. `lowered`: it arrives in words that the reader
 * has. `refused`: it does not arrive, and whoever asked is told why, by name. `unsaid`: one side has no words for it, and
 * says so itself.
 */
export type Outcome = 'crosses' | 'lowered' | 'refused' | 'unsaid';

/** One cell of the table: a thing that clients do, on one lane. */
export interface Cell {
  readonly thing: string;
  readonly outcome: Outcome;
  readonly feature?: Concern;
  readonly run: (scene: Scene) => Promise<void>;
}

/** What is reported in the course of an action. */
export async function reported(
  station: Station,
  action: () => Promise<unknown>,
): Promise<ReportLine[]> {
  const before = station.report().length;
  await action();
  return station.report().slice(before);
}

/** The two revisions that a report names. */
export function legsOf(lane: Lane): { from: string; to: string } {
  return { from: serverRevision(lane), to: lane.sdk.revision };
}

/** Calls a tool that the bridge must refuse, and holds it to telling the model, the client and the report alike. */
export async function expectRefusal(
  { lane, station, peer }: Scene,
  tool: string,
  feature: Concern,
): Promise<void> {
  let result: unknown;
  const lines = await reported(station, async () => {
    result = await peer.callTool(tool);
  });
  const bridge = { refused: feature, policy: station.policy, ...legsOf(lane) };
  expect(result).toMatchObject({
    isError: true,
    content: [{ type: 'text', text: expect.stringContaining(`(${feature})`) as string }],
    _meta: { bridge },
  });
  expect(lines).toMatchObject([
    { kind: 'refusal', method: 'tools/call', tool, feature, ...legsOf(lane) },
  ]);
}

/** Expects an error with which the bridge refuses what is no call of a tool. */
export async function expectRefusedRequest(
  { station }: Scene,
  method: string,
  feature: Concern,
  legs: { from: string; to: string },
  action: () => Promise<unknown>,
): Promise<void> {
  const bridge = { refused: feature, policy: station.policy, ...legs };
  const lines = await reported(station, () =>
    expect(action()).rejects.toMatchObject({
      message: expect.stringContaining(`(${feature})`) as string,
      data: { bridge },
    }),
  );
  expect(lines).toMatchObject([{ kind: 'refusal', method, feature, ...legs }]);
}

/** What a server answers that has no tool of this name, its revision having no words for what it would say. */
export function unsaidTool(thing: string, tool: string): Cell {
  return {
    thing,
    outcome: 'unsaid',
    run: async ({ peer }) => {
      expect((await peer.listTools()).map(({ name }) => name)).not.toContain(tool);
      await expect(peer.callTool(tool)).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining(tool) as string,
      });
    },
  };
}

const METHODS: ReadonlyMap<string, string> = new Map([
  ['sampling', 'sampling/createMessage'],
  ['elicitation', 'elicitation/create'],
  ['roots', 'roots/list'],
]);

/** Calls a tool that asks what its client cannot be asked: whoever of the three knows first says what is missing. */
export async function expectUnasked(
  { lane, station }: Pick<Scene, 'lane' | 'station'>,
  peer: Peer,
  tool: string,
  capability: 'sampling' | 'elicitation',
  args: Members = {},
): Promise<void> {
  const method = METHODS.get(capability) ?? '';
  const from = peer.wire.received.length;
  const lines = await reported(station, async () => {
    if (isModernClient(lane) || isModernServer(lane)) {
      // The server, or the bridge in its name, has an error for it.
      await expect(peer.callTool(tool, args)).rejects.toMatchObject({
        code: -32021,
        message: expect.stringContaining(isModernServer(lane) ? method : capability) as string,
        data: { requiredCapabilities: { [capability]: {} } },
      });
    } else {
      const result = await peer.callTool(tool, args);
      expect(result.isError).toBe(true);
      expect(textOf(result)).toContain(`does not support ${capability}`);
    }
  });
  // Where both are modern, server and client settle it between them.
  const settled = isModernClient(lane) && isModernServer(lane);
  expect(lines).toMatchObject(
    settled ? [] : [{ kind: 'refusal', tool, feature: 'client-capability' }],
  );
  expect(peer.wire.heard(method, from)).toEqual([]);
}

/** The cell of a tool that asks what clients of this revision cannot be asked. */
export function unasked(
  lane: Lane,
  thing: string,
  tool: string,
  capability: 'sampling' | 'elicitation',
  args: Members = {},
): Cell {
  return {
    thing,
    outcome: 'refused',
    feature: 'client-capability',
    run: ({ peer, station }) => expectUnasked({ lane, station }, peer, tool, capability, args),
  };
}

/** Calls a tool of a legacy server whose question the bridge must refuse: the server is told, and tells it in its way. */
export async function expectRefusedQuestion(
  { station, peer }: Scene,
  tool: string,
  feature: Concern,
  why: string,
): Promise<void> {
  const lines = await reported(station, async () => {
    const result = await peer.callTool(tool);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(why);
  });
  expect(lines).toMatchObject([{ kind: 'refusal', feature }]);
}

/** The text of a result's first block. */
export function textOf(result: unknown): string {
  const { content } = result as { content?: readonly { text?: string }[] };
  return content?.[0]?.text ?? '';
}

/** The text that a tool answers with, whatever it asks on the way. */
export async function answerOf(
  { peer }: Pick<Scene, 'peer'>,
  name: string,
  args: Members = {},
): Promise<string> {
  const result = await peer.callTool(name, args);
  expect(result.isError ?? false, textOf(result)).toBe(false);
  return textOf(result);
}
