import { expect } from 'vitest';

import { assertNever } from '../../../src/base/assertNever.ts';
import { answerOf, textOf, type Cell, type Scene } from '../interop/cells/cell.ts';
import { cancellation, progressAtCaller, progressOf } from '../interop/cells/notifications.ts';
import type { Lane } from '../interop/lane.ts';
import { expectationOf, THINGS, type Thing } from './expectations.ts';
import { titleOf } from './lane.ts';

/** The cells of a lane whose client can be opened. */
export function cellsOf(lane: Lane): readonly Cell[] {
  return THINGS.map((thing): Cell => {
    const expectation = expectationOf(lane, thing);
    switch (expectation.outcome) {
      case 'crosses':
        return { thing, outcome: 'crosses', run: CROSSES[thing] };
      case 'refused':
        return { thing, outcome: 'refused', run: (scene) => expectRefused(scene, expectation) };
      case 'unsaid':
        return { thing, outcome: 'unsaid', run: expectNoProgress };
      default:
        return assertNever(expectation);
    }
  });
}

const QUESTION = { message: 'Who are you?' };

const CROSSES: Readonly<Record<Thing, Cell['run']>> = {
  open: async ({ lane, peer }) => {
    const { info, revision } = peer.introduction();
    expect(info).toMatchObject({ name: `everything-${lane.server}` });
    expect(revision).toBe(lane.sdk.revision);
  },
  list: async ({ peer }) => {
    const names = (await peer.listTools()).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['test_simple_text', 'test_elicitation', 'test_slow']),
    );
    expect(new Set(names).size).toBe(names.length);
  },
  call: async (scene) => {
    // As many words as two lines of a pipe, in more than one alphabet.
    const name = `${titleOf(scene.lane)} \u2603\ud83d\ude80 ${'lorem "ipsum"\n'.repeat(8_000)}`;
    const said = await answerOf(scene, 'json_schema_2020_12_tool', {
      name,
      email: 'ada@example.com',
    });
    expect(said).toContain(JSON.stringify(name));
  },
  ask: async (scene) => {
    const content = JSON.stringify({ username: 'Ada', email: 'Ada' });
    const said = await answerOf(scene, 'test_elicitation', QUESTION);
    expect(said).toBe(`User response: action=accept, content=${content}`);
  },
  cancel: (scene) => cancellation.run(scene),
  progress: (scene) => progressAtCaller.run(scene),
};

/** The one who called is told why, and nobody is asked. */
async function expectRefused(
  { peer }: Scene,
  { words }: { readonly words: string },
): Promise<void> {
  const from = peer.wire.received.length;
  const answer = await peer.callTool('test_elicitation', QUESTION).then(
    (result) => {
      expect(result.isError).toBe(true);
      return textOf(result);
    },
    (error: unknown) => String(error),
  );
  expect(answer).toContain(words);
  expect(peer.wire.heard('elicitation/create', from)).toEqual([]);
}

/** The call is answered all the same. */
async function expectNoProgress({ peer }: Scene): Promise<void> {
  const from = peer.wire.received.length;
  expect(await progressOf(peer)).toEqual([]);
  expect(peer.wire.received.slice(from)).toHaveLength(1);
}
