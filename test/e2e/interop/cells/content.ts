import { expect } from 'vitest';

import { LINK, PNG, WAV, WEATHER } from '../../../fixtures/everythingModern/payloads.ts';
import { isAtLeast, type Revision } from '../../../../src/protocol/revision.ts';
import type { Lane } from '../station.ts';
import { expectRefusal, reported, serverRevision, type Cell } from './cell.ts';

interface ToolResult {
  readonly content: readonly object[];
  readonly structuredContent?: unknown;
}

/** What a tool answers with, and what becomes of that for clients of a revision that has no word for it. */
interface Kind {
  readonly kind: string;
  readonly tool: string;
  readonly sent: ToolResult;
  readonly since?: {
    readonly revision: Revision;
    readonly feature: string;
    readonly lossy: boolean;
    readonly lowered: ToolResult;
    /** A revision whose readers pass over what they do not know here. */
    readonly ignoredBy?: Revision;
  };
  readonly modernOnly?: true;
}

const text = (value: string) => ({ type: 'text', text: value });
const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const link = `${LINK.title}: ${LINK.uri}\n${LINK.description}\n${LINK.mimeType}\n${LINK.size} bytes`;
const weather = text(JSON.stringify(WEATHER));
const letters = text('["a","b"]');

const KINDS: readonly Kind[] = [
  {
    kind: 'text',
    tool: 'test_simple_text',
    sent: { content: [text('This is a simple text response for testing.')] },
  },
  { kind: 'image', tool: 'test_image_content', sent: { content: [image] } },
  {
    kind: 'audio',
    tool: 'test_audio_content',
    sent: { content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] },
    since: {
      revision: '2025-03-26',
      feature: 'tool-audio-content',
      lossy: false,
      lowered: {
        content: [
          {
            type: 'resource',
            resource: {
              uri: expect.any(String) as string,
              mimeType: 'audio/wav',
              blob: WAV,
            },
          },
        ],
      },
    },
  },
  {
    kind: 'embedded resource',
    tool: 'test_embedded_resource',
    sent: {
      content: [
        {
          type: 'resource',
          resource: {
            uri: 'test://embedded-resource',
            mimeType: 'text/plain',
            text: 'This is an embedded resource content.',
          },
        },
      ],
    },
  },
  {
    kind: 'resource link',
    tool: 'test_resource_link',
    sent: { content: [LINK] },
    since: {
      revision: '2025-06-18',
      feature: 'tool-resource-link',
      lossy: true,
      lowered: { content: [text(link)] },
    },
  },
  {
    kind: 'text, image and resource in one',
    tool: 'test_multiple_content_types',
    sent: {
      content: [
        text('Multiple content types test:'),
        image,
        {
          type: 'resource',
          resource: {
            uri: 'test://mixed-content-resource',
            mimeType: 'application/json',
            text: '{"test":"data","value":123}',
          },
        },
      ],
    },
  },
  {
    kind: 'structured object that a text repeats',
    tool: 'test_structured_object',
    sent: { content: [weather], structuredContent: WEATHER },
  },
  {
    kind: 'structured object alone',
    tool: 'test_structured_only',
    sent: { content: [], structuredContent: WEATHER },
    since: {
      revision: '2025-06-18',
      feature: 'tool-structured-output',
      lossy: true,
      lowered: { content: [weather] },
    },
  },
  {
    kind: 'structured array that a text repeats',
    tool: 'test_array_output',
    sent: { content: [letters], structuredContent: ['a', 'b'] },
    since: {
      revision: '2026-07-28',
      feature: 'tool-structured-any',
      lossy: false,
      lowered: { content: [letters] },
      ignoredBy: '2024-11-05',
    },
    modernOnly: true,
  },
  {
    kind: 'structured array alone',
    tool: 'test_array_only',
    sent: { content: [text('Two letters')], structuredContent: ['a', 'b'] },
    since: {
      revision: '2026-07-28',
      feature: 'tool-structured-any',
      lossy: true,
      lowered: { content: [text('Two letters'), letters] },
    },
    modernOnly: true,
  },
];

/** A call of each kind of result: it crosses, is lowered, or is refused by name. */
export function contentCells(lane: Lane): readonly Cell[] {
  return KINDS.filter(({ modernOnly }) => lane.server === 'modern' || modernOnly !== true).map(
    (kind) => contentCell(lane, kind),
  );
}

function contentCell(lane: Lane, { kind, tool, sent, since }: Kind): Cell {
  const { revision } = lane.sdk;
  if (since === undefined || since.ignoredBy === revision || isAtLeast(revision, since.revision)) {
    return {
      name: `call, ${kind}: crosses as it is`,
      run: async ({ peer: { client, wire }, station }) => {
        const lines = await reported(station, async () => {
          const result = await client.callTool({ name: tool, arguments: {} });
          expect(result.content).toEqual(sent.content);
        });
        const result = wire.resultOf('tools/call');
        expect(result?.['content']).toEqual(sent.content);
        expect(result?.['structuredContent']).toEqual(sent.structuredContent);
        expect(lines).toEqual([]);
      },
    };
  }
  const { feature, lossy, lowered } = since;
  if (lossy && lane.policy === 'strict') {
    return {
      name: `call, ${kind}: refused (${feature})`,
      run: (scene) => expectRefusal(scene, tool, feature),
    };
  }
  return {
    name: `call, ${kind}: lowered ${lossy ? 'with a loss' : 'without loss'} (${feature})`,
    run: async ({ peer: { client }, station }) => {
      const lines = await reported(station, async () => {
        const result = await client.callTool({ name: tool, arguments: {} });
        expect(result.isError).not.toBe(true);
        expect(result.content).toEqual(lowered.content);
      });
      expect(lines).toMatchObject([
        {
          kind: 'report',
          method: 'tools/call',
          tool,
          feature,
          loss: lossy ? 'lossy' : 'none',
          from: serverRevision(lane),
          to: revision,
        },
      ]);
    },
  };
}
