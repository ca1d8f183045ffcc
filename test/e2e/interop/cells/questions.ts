import { expect } from 'vitest';

import { isAtLeast } from '../../../../src/protocol/revision.ts';
import { fillIn, ROOT, SAMPLED } from '../peer.ts';
import { canElicit } from '../sdks.ts';
import type { Lane } from '../station.ts';
import { expectRefusal, reported, textOf, type Cell, type Scene } from './cell.ts';

/** What the server asks of the client in the course of a call. */
export function questionCells(lane: Lane): readonly Cell[] {
  return [
    {
      name: 'sampling: the answer reaches the tool',
      run: async (scene) => {
        const said = await call(scene, 'test_sampling', { prompt: 'Capital of France?' });
        expect(said).toBe(`LLM response: ${JSON.stringify(SAMPLED)}`);
      },
    },
    {
      name: 'roots: the answer reaches the tool',
      run: async (scene) => {
        expect(await call(scene, 'test_input_required_result_list_roots')).toBe(ROOT.uri);
      },
    },
    {
      name: 'roots: list_changed is taken',
      run: async ({ peer: { client } }) => {
        await client.sendRootsListChanged();
        await client.ping();
      },
    },
    {
      name: 'no capability: the question is not put, and the call says why',
      run: async ({ station }) => {
        const peer = await station.connect({});
        const call = { name: 'test_sampling', arguments: { prompt: 'Anything' } };
        const lines = await reported(station, async () => {
          if (lane.server === 'modern') {
            // The server knows before it asks, and has an error for it.
            await expect(peer.client.callTool(call)).rejects.toMatchObject({
              code: -32021,
              message: expect.stringContaining('sampling/createMessage') as string,
            });
          } else {
            const result = await peer.client.callTool(call);
            expect(result.isError).toBe(true);
            expect(textOf(result)).toContain('does not support sampling');
          }
        });
        expect(lines).toMatchObject([
          { kind: 'refusal', tool: 'test_sampling', feature: 'client-capability' },
        ]);
        expect(peer.wire.heard('sampling/createMessage')).toEqual([]);
        expect(peer.wire.problems).toEqual([]);
        await peer.close();
      },
    },
    ...(canElicit(lane.sdk) ? elicitationCells(lane) : []),
  ];
}

function elicitationCells({ sdk, server }: Lane): readonly Cell[] {
  const multiSelect = isAtLeast(sdk.revision, '2025-11-25');
  return [
    {
      name: 'elicitation: a form is filled in',
      run: async (scene) => {
        const said = await call(scene, 'test_elicitation', { message: 'Who are you?' });
        const content = JSON.stringify({ username: 'Ada', email: 'Ada' });
        expect(said).toBe(`User response: action=accept, content=${content}`);
      },
    },
    {
      name: 'elicitation: declined and cancelled are told apart',
      run: async (scene) => {
        for (const action of ['decline', 'cancel'] as const) {
          scene.peer.onElicit = () => ({ action });
          const said = await call(scene, 'test_elicitation', { message: 'Who are you?' });
          expect(said).toBe(`User response: action=${action}, content={}`);
        }
        scene.peer.onElicit = fillIn;
      },
    },
    {
      name: 'elicitation: the defaults of a form arrive',
      run: async (scene) => {
        let form: unknown;
        scene.peer.onElicit = ({ requestedSchema }) => {
          form = requestedSchema;
          return { action: 'accept', content: { name: 'Ada' } };
        };
        await call(scene, 'test_elicitation_sep1034_defaults');
        scene.peer.onElicit = fillIn;
        expect(form).toMatchObject({ properties: { verified: { default: true } } });
      },
    },
    multiSelect
      ? {
          name: 'elicitation: the five spellings of a choice arrive',
          run: async (scene) => {
            const said = await call(scene, 'test_elicitation_sep1330_enums');
            expect(said).toContain('Elicitation completed: action=accept');
          },
        }
      : server === 'modern'
        ? {
            name: 'elicitation: several choices refused (elicitation-multi-select)',
            run: (scene) =>
              expectRefusal(scene, 'test_elicitation_sep1330_enums', 'elicitation-multi-select'),
          }
        : {
            name: 'elicitation: several choices are an error of the tool',
            run: async ({ peer: { client } }) => {
              const name = 'test_elicitation_sep1330_enums';
              const result = await client.callTool({ name, arguments: {} });
              expect(result.isError).toBe(true);
              expect(textOf(result)).toContain('choose several values');
            },
          },
    {
      name: 'several rounds: each answer leads to the next question',
      run: async (scene) => {
        const said = await call(scene, 'test_input_required_result_multi_round');
        expect(said).toBe('Ada likes Ada');
      },
    },
    {
      name: 'several questions at once, of three kinds',
      run: async (scene) => {
        const said = await call(scene, 'test_input_required_result_multiple_inputs');
        expect(said).toContain(JSON.stringify(SAMPLED));
        expect(said).toContain(ROOT.uri);
        expect(said).toContain('Ada');
      },
    },
    {
      name: 'the state of a round comes back to the server untouched',
      run: async (scene) => {
        expect(await call(scene, 'test_input_required_result_request_state')).toBe('state-ok');
      },
    },
    {
      name: 'prompts: one that asks gets its answer',
      run: async ({ peer: { client } }) => {
        const { messages } = await client.getPrompt({ name: 'test_input_required_result_prompt' });
        expect(messages).toMatchObject([{ content: { type: 'text', text: 'Ada' } }]);
      },
    },
    {
      name: 'logging and a question in one call',
      run: async (scene) => {
        await scene.peer.client.setLoggingLevel('info');
        expect(await call(scene, 'test_streaming_elicitation')).toBe('Answered: accept');
        expect(scene.peer.wire.heard('notifications/message')).not.toEqual([]);
      },
    },
  ];
}

/** The text a tool answers with, whatever it asks on the way. */
async function call(
  { peer: { client } }: Scene,
  name: string,
  args: Record<string, unknown> = {},
): Promise<string> {
  const result = await client.callTool({ name, arguments: args });
  expect(result.isError ?? false, textOf(result)).toBe(false);
  return textOf(result);
}
