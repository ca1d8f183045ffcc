import { expect } from 'vitest';

import { QUESTION_WITH_PICTURE } from '../../../fixtures/everythingModern/payloads.ts';
import { isModernServer, reads, says, type Lane, type Policy } from '../lane.ts';
import { ROOT, SAMPLED } from '../peer.ts';
import {
  answerOf,
  expectRefusedQuestion,
  expectUnasked,
  reported,
  unasked,
  unsaidTool,
  type Cell,
} from './cell.ts';

const SAID = `LLM response: ${JSON.stringify(SAMPLED)}`;

/** What the server asks of the model and of the workspace in the course of a call. */
export function questionCells(lane: Lane, policy: Policy): readonly Cell[] {
  return [
    {
      thing: 'sampling, a text',
      outcome: 'crosses',
      run: async (scene) => {
        const question = { prompt: 'Capital of France?' };
        expect(await answerOf(scene, 'test_sampling', question)).toBe(SAID);
      },
    },
    {
      thing: 'sampling, a picture',
      outcome: 'crosses',
      run: async (scene) => {
        const from = scene.peer.wire.received.length;
        expect(await answerOf(scene, 'test_sampling_picture')).toBe(SAID);
        const { messages } = QUESTION_WITH_PICTURE;
        expect(JSON.stringify(scene.peer.wire.received.slice(from))).toContain(
          messages[0]?.content.data,
        );
      },
    },
    samplingWithTool(lane, policy),
    {
      thing: 'roots',
      outcome: 'crosses',
      run: async (scene) =>
        expect(await answerOf(scene, 'test_input_required_result_list_roots')).toBe(ROOT.uri),
    },
    {
      thing: 'a question that this client did not say it can be asked',
      outcome: 'refused',
      feature: 'client-capability',
      run: async ({ lane: own, station }) => {
        const peer = await station.connect({});
        const args = { prompt: 'Anything' };
        await expectUnasked({ lane: own, station }, peer, 'test_sampling', 'sampling', args);
        expect(peer.wire.problems).toEqual([]);
        await peer.close();
      },
    },
    severalKinds(lane),
  ];
}

function samplingWithTool(lane: Lane, policy: Policy): Cell {
  const thing = 'sampling, with a tool';
  const tool = 'test_sampling_tools';
  const feature = 'sampling-tools';
  if (!says(lane, '2025-11-25')) return unsaidTool(thing, tool);
  if (reads(lane, '2025-11-25')) {
    return {
      thing,
      outcome: 'crosses',
      run: async (scene) => expect(await answerOf(scene, tool)).toBe(SAID),
    };
  }
  if (isModernServer(lane)) return unasked(lane, thing, tool, 'sampling');
  if (policy === 'permissive') {
    return {
      thing,
      outcome: 'lowered',
      feature,
      run: async (scene) => {
        const lines = await reported(scene.station, async () =>
          expect(await answerOf(scene, tool)).toBe(SAID),
        );
        expect(lines).toMatchObject([{ kind: 'report', feature, loss: 'lossy' }]);
      },
    };
  }
  return {
    thing,
    outcome: 'refused',
    feature,
    run: (scene) => expectRefusedQuestion(scene, tool, feature, 'use tools while it answers'),
  };
}

/** As many kinds at once as the server's revision has. */
function severalKinds(lane: Lane): Cell {
  const thing = 'several questions at once, one of each kind';
  const tool = 'test_input_required_result_multiple_inputs';
  const withForm = says(lane, '2025-06-18');
  if (withForm && !reads(lane, '2025-06-18')) {
    return unasked(lane, thing, tool, 'elicitation');
  }
  return {
    thing,
    outcome: 'crosses',
    run: async (scene) => {
      const said = await answerOf(scene, tool);
      expect(said).toContain(JSON.stringify(SAMPLED));
      expect(said).toContain(ROOT.uri);
      if (withForm) expect(said).toContain('Ada');
    },
  };
}
