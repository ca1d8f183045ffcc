import { expect } from 'vitest';

import { PNG, STATIC_TEXT, WATCHED_URI } from '../../../fixtures/everythingModern/payloads.ts';
import type { Cell } from './cell.ts';

/** Prompts, completion and resources. */
export const offerCells: readonly Cell[] = [
  {
    name: 'prompts: list',
    run: async ({ peer: { client } }) => {
      const { prompts } = await client.listPrompts();
      expect(prompts.map(({ name }) => name)).toEqual([
        'test_simple_prompt',
        'test_prompt_with_arguments',
        'test_prompt_with_embedded_resource',
        'test_prompt_with_image',
        'test_input_required_result_prompt',
      ]);
      expect(prompts[1]?.arguments).toMatchObject([
        { name: 'arg1', description: 'First test argument', required: true },
        { name: 'arg2', description: 'Second test argument', required: true },
      ]);
    },
  },
  {
    name: 'prompts: get, with arguments',
    run: async ({ peer: { client } }) => {
      const { messages } = await client.getPrompt({
        name: 'test_prompt_with_arguments',
        arguments: { arg1: 'one', arg2: 'two' },
      });
      const text = "Prompt with arguments: arg1='one', arg2='two'";
      expect(messages).toEqual([{ role: 'user', content: { type: 'text', text } }]);
    },
  },
  {
    name: 'prompts: get, with an embedded resource and with an image',
    run: async ({ peer: { client } }) => {
      const embedded = await client.getPrompt({
        name: 'test_prompt_with_embedded_resource',
        arguments: { resourceUri: 'test://x' },
      });
      expect(embedded.messages[0]?.content).toMatchObject({
        type: 'resource',
        resource: { uri: 'test://x', mimeType: 'text/plain' },
      });
      const image = await client.getPrompt({ name: 'test_prompt_with_image' });
      expect(image.messages[0]?.content).toEqual({
        type: 'image',
        data: PNG,
        mimeType: 'image/png',
      });
    },
  },
  {
    name: 'prompts: an unknown one is an error of the server',
    run: async ({ peer: { client } }) => {
      await expect(client.getPrompt({ name: 'no_such_prompt' })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('no_such_prompt') as string,
      });
    },
  },
  {
    name: 'completion',
    run: async ({ peer: { client } }) => {
      const { completion } = await client.complete({
        ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
        argument: { name: 'arg1', value: 'par' },
      });
      expect(completion.values).toEqual(['paris', 'park', 'party']);
    },
  },
  {
    name: 'resources: list and templates',
    run: async ({ peer: { client } }) => {
      const { resources } = await client.listResources();
      expect(resources.map(({ uri, mimeType }) => [uri, mimeType])).toEqual([
        ['test://static-text', 'text/plain'],
        ['test://static-binary', 'image/png'],
        [WATCHED_URI, 'text/plain'],
      ]);
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates).toMatchObject([
        { uriTemplate: 'test://template/{id}/data', name: 'template' },
      ]);
    },
  },
  {
    name: 'resources: read text, bytes and a template',
    run: async ({ peer: { client } }) => {
      const read = async (uri: string): Promise<unknown> =>
        (await client.readResource({ uri })).contents;
      expect(await read('test://static-text')).toEqual([
        { uri: 'test://static-text', mimeType: 'text/plain', text: STATIC_TEXT },
      ]);
      expect(await read('test://static-binary')).toEqual([
        { uri: 'test://static-binary', mimeType: 'image/png', blob: PNG },
      ]);
      const data = { id: '42', templateTest: true, data: 'Data for ID: 42' };
      expect(await read('test://template/42/data')).toEqual([
        {
          uri: 'test://template/42/data',
          mimeType: 'application/json',
          text: JSON.stringify(data),
        },
      ]);
    },
  },
  {
    name: 'resources: an unknown one is an error of the server',
    run: async ({ peer: { client } }) => {
      await expect(client.readResource({ uri: 'test://nowhere' })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('test://nowhere') as string,
      });
    },
  },
];
