import { expect } from 'vitest';

import type { ReportLine } from '../../../support/cli.ts';
import type { Peer } from '../peer.ts';
import type { Lane, Station } from '../station.ts';

/** What one test of the table has to work with: a connected client, which the cells of a lane share. */
export interface Scene {
  readonly lane: Lane;
  readonly station: Station;
  readonly peer: Peer;
}

/** One cell of the table: a thing that clients do, on one lane. */
export interface Cell {
  readonly name: string;
  readonly run: (scene: Scene) => Promise<void>;
}

/** The revision on the server's leg: a legacy server agrees to the client's own. */
export function serverRevision({ server, sdk }: Lane): string {
  return server === 'modern' ? '2026-07-28' : sdk.revision;
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

/** Calls a tool that the bridge must refuse, and holds it to telling the model, the client and the report alike. */
export async function expectRefusal(
  { lane, station, peer }: Scene,
  tool: string,
  feature: string,
  args: Record<string, unknown> = {},
): Promise<void> {
  let result: unknown;
  const lines = await reported(station, async () => {
    result = await peer.client.callTool({ name: tool, arguments: args });
  });
  const subject = { from: serverRevision(lane), to: lane.sdk.revision };
  const bridge = { refused: feature, policy: lane.policy, ...subject };
  expect(result).toMatchObject({
    isError: true,
    content: [{ type: 'text', text: expect.stringContaining(`(${feature})`) as string }],
    _meta: { bridge },
  });
  expect(lines).toMatchObject([
    { kind: 'refusal', method: 'tools/call', tool, feature, ...subject },
  ]);
}

/** The text of a result's first block. */
export function textOf(result: unknown): string {
  const { content } = result as { content?: readonly { text?: string }[] };
  return content?.[0]?.text ?? '';
}
