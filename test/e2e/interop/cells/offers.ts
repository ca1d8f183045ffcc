import { expect } from 'vitest';

import { PNG, STATIC_TEXT, WATCHED_URI } from '../../../fixtures/everythingModern/payloads.ts';
import { reads, says, type Lane, type Policy } from '../lane.ts';
import { expectRefusedRequest, legsOf, reported, type Cell } from './cell.ts';

/** Completion and resources. */
export function offerCells(lane: Lane, policy: Policy): readonly Cell[] {
  return [completion, completionInContext(lane, policy), ...resourceCells];
}

const prompt = 'test_prompt_with_arguments';
const argument = { name: 'arg2', value: 'par' };
const context = { arg1: 'one' };

const completion: Cell = {
  thing: 'completion',
  outcome: 'crosses',
  run: async ({ peer }) => {
    expect(await peer.complete({ prompt, argument })).toEqual(['paris', 'park', 'party']);
  },
};

/** A completion that depends on what was chosen for another argument. */
function completionInContext(lane: Lane, policy: Policy): Cell {
  const thing = 'completion, with the arguments chosen so far';
  const feature = 'completion-context';
  if (!reads(lane, '2025-06-18')) {
    // Its client has no member for them, and completes each argument alone.
    return { ...completion, thing, outcome: 'unsaid' };
  }
  if (says(lane, '2025-06-18')) {
    return {
      thing,
      outcome: 'crosses',
      run: async ({ peer }) => {
        const values = await peer.complete({ prompt, argument, context });
        expect(values).toEqual(['one-paris', 'one-park', 'one-party']);
      },
    };
  }
  const { from, to } = legsOf(lane);
  const legs = { from: to, to: from };
  if (policy === 'strict') {
    return {
      thing,
      outcome: 'refused',
      feature,
      run: (scene) =>
        expectRefusedRequest(scene, 'completion/complete', feature, legs, () =>
          scene.peer.complete({ prompt, argument, context }),
        ),
    };
  }
  return {
    thing,
    outcome: 'lowered',
    feature,
    run: async ({ peer, station }) => {
      const lines = await reported(station, async () => {
        const values = await peer.complete({ prompt, argument, context });
        expect(values).toEqual(['paris', 'park', 'party']);
      });
      expect(lines).toMatchObject([
        { kind: 'report', method: 'completion/complete', feature, loss: 'lossy', ...legs },
      ]);
    },
  };
}

const resourceCells: readonly Cell[] = [
  {
    thing: 'resources/list and resources/templates/list',
    outcome: 'crosses',
    run: async ({ peer }) => {
      const resources = await peer.listResources();
      expect(resources.map(({ uri, mimeType }) => [uri, mimeType])).toEqual([
        ['test://static-text', 'text/plain'],
        ['test://static-binary', 'image/png'],
        [WATCHED_URI, 'text/plain'],
      ]);
      expect(await peer.listResourceTemplates()).toMatchObject([
        { uriTemplate: 'test://template/{id}/data', name: 'template' },
      ]);
    },
  },
  {
    thing: 'resources/read, a text, bytes and a template',
    outcome: 'crosses',
    run: async ({ peer }) => {
      expect(await peer.readResource('test://static-text')).toEqual([
        { uri: 'test://static-text', mimeType: 'text/plain', text: STATIC_TEXT },
      ]);
      expect(await peer.readResource('test://static-binary')).toEqual([
        { uri: 'test://static-binary', mimeType: 'image/png', blob: PNG },
      ]);
      const data = { id: '42', templateTest: true, data: 'Data for ID: 42' };
      expect(await peer.readResource('test://template/42/data')).toEqual([
        {
          uri: 'test://template/42/data',
          mimeType: 'application/json',
          text: JSON.stringify(data),
        },
      ]);
    },
  },
  {
    thing: 'resources/read, an unknown one, as the server takes it',
    outcome: 'crosses',
    run: ({ peer }) =>
      expect(peer.readResource('test://nowhere')).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('test://nowhere') as string,
      }),
  },
];
