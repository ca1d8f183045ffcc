import { expect } from 'vitest';

import { LINK, PNG, WAV } from '../../../fixtures/everythingModern/payloads.ts';
import type { Concern } from '../../../../src/protocol/concern.ts';
import type { Revision } from '../../../../src/protocol/revision.ts';
import { reads, says, type Lane, type Policy } from '../lane.ts';
import { expectRefusedRequest, legsOf, reported, type Cell } from './cell.ts';

/** What a prompt's first message holds, and what becomes of that for clients of a revision that has no word for it. */
interface Kind {
  readonly kind: string;
  readonly prompt: string;
  readonly args?: Record<string, string>;
  readonly sent: object;
  readonly since?: {
    readonly revision: Revision;
    readonly feature: Concern;
    readonly lossy: boolean;
    readonly lowered: object;
  };
}

const link = `${LINK.title}: ${LINK.uri}\n${LINK.description}\n${LINK.mimeType}\n${LINK.size} bytes`;

const KINDS: readonly Kind[] = [
  {
    kind: 'text, with arguments',
    prompt: 'test_prompt_with_arguments',
    args: { arg1: 'one', arg2: 'two' },
    sent: { type: 'text', text: "Prompt with arguments: arg1='one', arg2='two'" },
  },
  {
    kind: 'image',
    prompt: 'test_prompt_with_image',
    sent: { type: 'image', data: PNG, mimeType: 'image/png' },
  },
  {
    kind: 'embedded resource',
    prompt: 'test_prompt_with_embedded_resource',
    args: { resourceUri: 'test://x' },
    sent: {
      type: 'resource',
      resource: {
        uri: 'test://x',
        mimeType: 'text/plain',
        text: 'Embedded resource content for testing.',
      },
    },
  },
  {
    kind: 'audio',
    prompt: 'test_prompt_with_audio',
    sent: { type: 'audio', data: WAV, mimeType: 'audio/wav' },
    since: {
      revision: '2025-03-26',
      feature: 'audio-in-prompt',
      lossy: false,
      lowered: {
        type: 'resource',
        resource: { uri: expect.any(String) as string, mimeType: 'audio/wav', blob: WAV },
      },
    },
  },
  {
    kind: 'resource link',
    prompt: 'test_prompt_with_resource_link',
    sent: LINK,
    since: {
      revision: '2025-06-18',
      feature: 'resource-link-in-prompt',
      lossy: true,
      lowered: { type: 'text', text: link },
    },
  },
];

/** The list of prompts, and one of each kind of content. */
export function promptCells(lane: Lane, policy: Policy): readonly Cell[] {
  return [
    {
      thing: 'prompts/list',
      outcome: 'crosses',
      run: async ({ peer }) => {
        const prompts = await peer.listPrompts();
        expect(prompts.map(({ name }) => name)).toEqual([
          'test_simple_prompt',
          'test_prompt_with_arguments',
          'test_prompt_with_embedded_resource',
          'test_prompt_with_image',
          ...(says(lane, '2025-03-26') ? ['test_prompt_with_audio'] : []),
          ...(says(lane, '2025-06-18')
            ? ['test_prompt_with_resource_link', 'test_input_required_result_prompt']
            : []),
        ]);
        expect(prompts[1]?.['arguments']).toMatchObject([
          { name: 'arg1', description: 'First test argument', required: true },
          { name: 'arg2', description: 'Second test argument', required: true },
        ]);
      },
    },
    ...KINDS.map((kind) => promptCell(lane, policy, kind)),
    {
      thing: 'prompts/get, an unknown one, as the server takes it',
      outcome: 'crosses',
      run: ({ peer }) => expectUnknown(peer.getPrompt('no_such_prompt'), 'no_such_prompt'),
    },
  ];
}

function promptCell(lane: Lane, policy: Policy, { kind, prompt, args, sent, since }: Kind): Cell {
  const thing = `prompts/get, ${kind}`;
  if (since !== undefined && !says(lane, since.revision)) {
    return {
      thing,
      outcome: 'unsaid',
      run: ({ peer }) => expectUnknown(peer.getPrompt(prompt), prompt),
    };
  }
  if (since === undefined || reads(lane, since.revision)) {
    return {
      thing,
      outcome: 'crosses',
      run: async ({ peer, station }) => {
        const lines = await reported(station, async () => {
          const [first] = await peer.getPrompt(prompt, args);
          expect(first).toEqual({ role: 'user', content: sent });
        });
        expect(lines).toEqual([]);
      },
    };
  }
  const { feature, lossy, lowered } = since;
  if (lossy && policy === 'strict') {
    return {
      thing,
      outcome: 'refused',
      feature,
      run: (scene) =>
        expectRefusedRequest(scene, 'prompts/get', feature, legsOf(lane), () =>
          scene.peer.getPrompt(prompt),
        ),
    };
  }
  return {
    thing,
    outcome: 'lowered',
    feature,
    run: async ({ peer, station }) => {
      const lines = await reported(station, async () => {
        const [first] = await peer.getPrompt(prompt, args);
        expect(first).toEqual({ role: 'user', content: lowered });
      });
      const loss = lossy ? 'lossy' : 'none';
      expect(lines).toMatchObject([
        { kind: 'report', method: 'prompts/get', feature, loss, ...legsOf(lane) },
      ]);
    },
  };
}

function expectUnknown(got: Promise<unknown>, name: string): Promise<void> {
  return expect(got).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining(name) as string,
  });
}
