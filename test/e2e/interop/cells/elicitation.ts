import { expect } from 'vitest';

import { CONSENT_PAGE, TITLED_FORM } from '../../../fixtures/everythingModern/payloads.ts';
import type { Revision } from '../../../../src/protocol/revision.ts';
import { isModernServer, reads, says, type Lane, type Policy } from '../lane.ts';
import { fillIn, type Members } from '../peer.ts';
import {
  answerOf,
  expectRefusal,
  expectRefusedQuestion,
  reported,
  unasked,
  unsaidTool,
  type Cell,
  type Scene,
} from './cell.ts';

/** A tool that asks the user, where both sides can. */
interface Asking {
  readonly thing: string;
  readonly tool: string;
  readonly args?: Members;
  readonly run: Cell['run'];
}

const args = { message: 'Who are you?' };

const FORMS: readonly Asking[] = [
  {
    thing: 'elicitation, a form filled in',
    tool: 'test_elicitation',
    args,
    run: async (scene) => {
      const content = JSON.stringify({ username: 'Ada', email: 'Ada' });
      const said = await answerOf(scene, 'test_elicitation', args);
      expect(said).toBe(`User response: action=accept, content=${content}`);
    },
  },
  ...(['decline', 'cancel'] as const).map((action): Asking => ({
    thing: `elicitation, answered with ${action}`,
    tool: 'test_elicitation',
    args,
    run: async (scene) => {
      scene.peer.onElicit = () => ({ action });
      const said = await answerOf(scene, 'test_elicitation', args);
      scene.peer.onElicit = fillIn;
      expect(said).toBe(`User response: action=${action}, content={}`);
    },
  })),
  {
    thing: 'elicitation, the defaults of a form',
    tool: 'test_elicitation_sep1034_defaults',
    run: async (scene) => {
      const form = await formOf(scene, 'test_elicitation_sep1034_defaults', { name: 'Ada' });
      expect(form).toMatchObject({ properties: { verified: { default: true } } });
    },
  },
  {
    thing: 'elicitation, one of several values',
    tool: 'test_elicitation_choice',
    run: async (scene) => {
      const content = JSON.stringify({ color: 'opt1' });
      const said = await answerOf(scene, 'test_elicitation_choice');
      expect(said).toBe(`User response: action=accept, content=${content}`);
    },
  },
  {
    thing: 'elicitation, several rounds',
    tool: 'test_input_required_result_multi_round',
    run: async (scene) => {
      const said = await answerOf(scene, 'test_input_required_result_multi_round');
      expect(said).toBe('Ada likes Ada');
    },
  },
  {
    thing: 'elicitation, the state of a round',
    tool: 'test_input_required_result_request_state',
    run: async (scene) => {
      const said = await answerOf(scene, 'test_input_required_result_request_state');
      expect(said).toBe('state-ok');
    },
  },
  {
    thing: 'elicitation, in two calls at once: each gets its own answer',
    tool: 'test_elicitation',
    args,
    run: async (scene) => {
      scene.peer.onElicit = ({ message }) => {
        const username = `re: ${String(message)}`;
        return { action: 'accept', content: { username, email: 'a@b' } };
      };
      const said = await Promise.all(
        ['one', 'two'].map((message) => answerOf(scene, 'test_elicitation', { message })),
      );
      scene.peer.onElicit = fillIn;
      expect(said).toMatchObject(
        ['one', 'two'].map((word) => expect.stringContaining(`"re: ${word}"`) as string),
      );
    },
  },
  {
    thing: 'elicitation, in a call that is given up: the server hears of it',
    tool: 'test_elicitation',
    args,
    run: async (scene) => {
      const { peer } = scene;
      const abort = new AbortController();
      let seen: () => void = () => undefined;
      const asked = new Promise<void>((resolve) => (seen = resolve));
      peer.onElicit = () => {
        seen();
        abort.abort('enough');
        return { action: 'cancel' };
      };
      const call = peer.callTool('test_elicitation', args, { signal: abort.signal });
      await expect(call).rejects.toThrow();
      await asked;
      peer.onElicit = fillIn;
      const from = peer.wire.received.length;
      // The way is free for the next one, and nothing of the first is left on it.
      const said = await answerOf(scene, 'test_elicitation', args);
      expect(said).toContain('action=accept');
      const answers = peer.wire.received.slice(from).filter(({ method }) => method === undefined);
      expect(
        answers.filter(({ result }) => result?.['resultType'] !== 'input_required'),
      ).toHaveLength(1);
    },
  },
  {
    thing: 'elicitation and logging in one call',
    tool: 'test_streaming_elicitation',
    run: async (scene) => {
      await scene.peer.setLogLevel('info');
      const from = scene.peer.wire.received.length;
      const said = await answerOf(scene, 'test_streaming_elicitation');
      expect(said).toBe('Answered: accept');
      expect(scene.peer.wire.heard('notifications/message', from)).not.toEqual([]);
    },
  },
];

/** What the server asks of the user in the course of a call. */
export function elicitationCells(lane: Lane, policy: Policy): readonly Cell[] {
  return [
    ...FORMS.map((asking) => asked(lane, '2025-06-18', asking)),
    askingPrompt(lane),
    titledChoice(lane),
    severalValues(
      lane,
      policy,
      'test_elicitation_several',
      'elicitation, a choice of several values',
      { colors: 'option1, option3' },
    ),
    severalValues(
      lane,
      policy,
      'test_elicitation_sep1330_enums',
      'elicitation, each spelling of a choice',
      { untitledMulti: 'option1, option3', titledMulti: 'value1, value3' },
    ),
    page(lane, policy),
  ];
}

/** Crosses, unless a side knows no questions to the user, or not of this kind. */
function asked(lane: Lane, said: Revision, { thing, tool, run, ...more }: Asking): Cell {
  if (!says(lane, said)) return unsaidTool(thing, tool);
  if (reads(lane, '2025-06-18')) return { thing, outcome: 'crosses', run };
  return unasked(lane, thing, tool, 'elicitation', more.args);
}

function askingPrompt(lane: Lane): Cell {
  const thing = 'elicitation, by a prompt';
  const prompt = 'test_input_required_result_prompt';
  if (!says(lane, '2025-06-18')) {
    return {
      thing,
      outcome: 'unsaid',
      run: ({ peer }) => expect(peer.getPrompt(prompt)).rejects.toMatchObject({ code: -32602 }),
    };
  }
  if (reads(lane, '2025-06-18')) {
    return {
      thing,
      outcome: 'crosses',
      run: async ({ peer }) =>
        expect(await peer.getPrompt(prompt)).toMatchObject([
          { content: { type: 'text', text: 'Ada' } },
        ]),
    };
  }
  return {
    thing,
    outcome: 'refused',
    feature: 'client-capability',
    run: async ({ peer, station }) => {
      const lines = await reported(station, () =>
        expect(peer.getPrompt(prompt)).rejects.toMatchObject({
          code: isModernServer(lane) ? -32021 : -32601,
          message: expect.stringContaining('elicitation') as string,
        }),
      );
      expect(lines).toMatchObject([{ kind: 'refusal', feature: 'client-capability' }]);
    },
  };
}

/** Titles of choices: `oneOf` since 2025-11-25, `enumNames` before. */
function titledChoice(lane: Lane): Cell {
  const tool = 'test_elicitation_titled';
  const whole: Asking = {
    thing: 'elicitation, one of several values with titles',
    tool,
    run: async (scene) => {
      const form = await formOf(scene, tool, { color: 'value2' });
      expect(form).toMatchObject(TITLED_FORM);
    },
  };
  const cell = asked(lane, '2025-11-25', whole);
  if (cell.outcome !== 'crosses' || reads(lane, '2025-11-25')) return cell;
  return {
    thing: whole.thing,
    outcome: 'lowered',
    feature: 'elicitation-titled-enum',
    run: async (scene) => {
      let form: unknown;
      const lines = await reported(scene.station, async () => {
        form = await formOf(scene, tool, { color: 'value2' });
      });
      const { oneOf } = TITLED_FORM.properties.color;
      expect(form).toMatchObject({
        properties: {
          color: {
            type: 'string',
            enum: oneOf.map((option) => option.const),
            enumNames: oneOf.map(({ title }) => title),
          },
        },
      });
      expect(lines).toMatchObject([{ feature: 'elicitation-titled-enum', loss: 'none' }]);
    },
  };
}

/** A choice of several values, which before 2025-11-25 is a text with commas, if that may be. */
function severalValues(
  lane: Lane,
  policy: Policy,
  tool: string,
  thing: string,
  typed: Record<string, string>,
): Cell {
  const feature = 'elicitation-multi-select';
  const cell = asked(lane, '2025-11-25', {
    thing,
    tool,
    run: async (scene) => {
      const content = tool.endsWith('several') ? `content={"colors":["option1"]}` : '';
      expect(await answerOf(scene, tool)).toContain(`action=accept, ${content}`);
    },
  });
  if (cell.outcome !== 'crosses' || reads(lane, '2025-11-25')) return cell;
  if (policy === 'permissive') {
    return {
      thing,
      outcome: 'lowered',
      feature,
      run: async (scene) => {
        scene.peer.onElicit = () => ({ action: 'accept', content: typed });
        const lines = await reported(scene.station, async () => {
          const said = await answerOf(scene, tool);
          for (const [field, text] of Object.entries(typed)) {
            expect(said).toContain(`"${field}":${JSON.stringify(text.split(', '))}`);
          }
        });
        scene.peer.onElicit = fillIn;
        const own = lines.filter((line) => line.feature === feature && line.loss === 'lossy');
        expect(own).toHaveLength(Object.keys(typed).length);
      },
    };
  }
  return {
    thing,
    outcome: 'refused',
    feature,
    run: (scene) =>
      isModernServer(lane)
        ? expectRefusal(scene, tool, feature)
        : expectRefusedQuestion(scene, tool, feature, 'choose several values'),
  };
}

/** A page to visit, which before 2025-11-25 is a form that shows its address, if that may be. */
function page(lane: Lane, policy: Policy): Cell {
  const thing = 'elicitation, a page to visit';
  const tool = 'test_elicitation_url';
  const feature = 'elicitation-url';
  const accepted = 'User response: action=accept';
  const cell = asked(lane, '2025-11-25', {
    thing,
    tool,
    run: async (scene) => {
      let question: Members = {};
      scene.peer.onElicit = (params) => {
        question = params;
        return { action: 'accept' };
      };
      const said = await answerOf(scene, tool);
      scene.peer.onElicit = fillIn;
      expect(said).toBe(accepted);
      expect(question).toMatchObject({ mode: 'url', url: CONSENT_PAGE, message: 'Please agree' });
    },
  });
  if (cell.outcome !== 'crosses' || reads(lane, '2025-11-25')) return cell;
  // A server of this era knows what a client cannot, and does not ask.
  if (isModernServer(lane)) return unasked(lane, thing, tool, 'elicitation');
  if (policy === 'strict') {
    return {
      thing,
      outcome: 'refused',
      feature,
      run: (scene) =>
        expectRefusedQuestion(scene, tool, feature, 'cannot be sent to a web address'),
    };
  }
  return {
    thing,
    outcome: 'lowered',
    feature,
    run: async (scene) => {
      let message: unknown;
      scene.peer.onElicit = (params) => {
        message = params['message'];
        return { action: 'accept', content: {} };
      };
      const lines = await reported(scene.station, async () =>
        expect(await answerOf(scene, tool)).toBe(accepted),
      );
      scene.peer.onElicit = fillIn;
      expect(message).toBe(`Please agree\n${CONSENT_PAGE}`);
      expect(lines).toMatchObject([
        { kind: 'report', feature, loss: 'lossy' },
        { kind: 'report', feature, path: '/content', loss: 'none' },
      ]);
    },
  };
}

/** The form that a tool shows, answered with this. */
async function formOf(
  { peer }: Scene,
  tool: string,
  content: Record<string, string>,
): Promise<unknown> {
  let form: unknown;
  peer.onElicit = ({ requestedSchema }) => {
    form = requestedSchema;
    return { action: 'accept', content };
  };
  const said = await answerOf({ peer }, tool);
  peer.onElicit = fillIn;
  for (const value of Object.values(content)) expect(said).toContain(value);
  return form;
}
