import { expect } from 'vitest';

import { LINK, PNG, WAV, WEATHER } from '../../../fixtures/everythingModern/payloads.ts';
import type { Concern } from '../../../../src/protocol/concern.ts';
import { isAtLeast, type Revision } from '../../../../src/protocol/revision.ts';
import { reads, says, serverRevision, type Lane, type Policy } from '../lane.ts';
import { expectRefusal, legsOf, reported, unsaidTool, type Cell } from './cell.ts';

interface ToolResult {
  readonly content: readonly object[];
  readonly structuredContent?: unknown;
  /** What a tool says of its failure crosses under every policy. */
  readonly isError?: true;
}

/** What a tool answers with, and what becomes of that for clients of a revision that has no word for it. */
interface Kind {
  readonly kind: string;
  readonly tool: string;
  readonly sent: ToolResult;
  /** The first revision whose servers can say it. */
  readonly said?: Revision;
  /** The first revision whose clients can read it. */
  readonly since?: {
    readonly revision: Revision;
    readonly feature: Concern;
    readonly lossy: boolean;
    readonly lowered: ToolResult;
    /** True for a member, which two peers pass over who agreed on a revision before it. */
    readonly isMember?: true;
    /** A revision whose readers pass over what they do not know here. */
    readonly ignoredBy?: Revision;
  };
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
    said: '2025-03-26',
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
    said: '2025-06-18',
    sent: { content: [LINK] },
    since: {
      revision: '2025-06-18',
      feature: 'tool-resource-link',
      lossy: true,
      lowered: { content: [text(link)] },
    },
  },
  {
    kind: 'error with a resource link',
    tool: 'test_error_with_link',
    said: '2025-06-18',
    sent: { content: [text('Out of reach'), LINK], isError: true },
    since: {
      revision: '2025-06-18',
      feature: 'tool-resource-link',
      lossy: true,
      lowered: { content: [text('Out of reach'), text(link)], isError: true },
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
    said: '2025-06-18',
    sent: { content: [weather], structuredContent: WEATHER },
  },
  {
    kind: 'structured object alone',
    tool: 'test_structured_only',
    said: '2025-06-18',
    sent: { content: [], structuredContent: WEATHER },
    since: {
      revision: '2025-06-18',
      feature: 'tool-structured-output',
      isMember: true,
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
    said: '2026-07-28',
  },
  {
    kind: 'structured number that a text repeats',
    tool: 'test_number_output',
    said: '2026-07-28',
    sent: { content: [text('-4.5')], structuredContent: -4.5 },
    since: {
      revision: '2026-07-28',
      feature: 'tool-structured-any',
      lossy: false,
      lowered: { content: [text('-4.5')] },
      ignoredBy: '2024-11-05',
    },
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
    said: '2026-07-28',
  },
];

/** A call of each kind of result: it crosses, is lowered, or is refused by name. */
export function contentCells(lane: Lane, policy: Policy): readonly Cell[] {
  return KINDS.map((kind) => contentCell(lane, policy, kind));
}

function contentCell(lane: Lane, policy: Policy, { kind, tool, sent, said, since }: Kind): Cell {
  const thing = `tools/call, ${kind}`;
  if (said !== undefined && !says(lane, said)) return unsaidTool(thing, tool);
  const { revision } = lane.sdk;
  const agreedBefore = since?.isMember === true && !isAtLeast(serverRevision(lane), since.revision);
  const passes =
    since === undefined ||
    since.ignoredBy === revision ||
    reads(lane, since.revision) ||
    (agreedBefore && sent.content.length > 0);
  if (passes) {
    return {
      thing,
      outcome: 'crosses',
      run: async ({ peer, station }) => {
        const lines = await reported(station, async () => {
          const result = await peer.callTool(tool);
          expect(result.content).toEqual(sent.content);
          expect(result.isError ?? false).toBe(sent.isError ?? false);
        });
        const result = peer.wire.resultOf('tools/call');
        expect(result?.['content']).toEqual(sent.content);
        expect(result?.['structuredContent']).toEqual(sent.structuredContent);
        expect(lines).toEqual([]);
      },
    };
  }
  const { feature, lowered } = since;
  const lossy = since.lossy && !agreedBefore;
  if (lossy && policy === 'strict' && sent.isError !== true) {
    return {
      thing,
      outcome: 'refused',
      feature,
      run: (scene) => expectRefusal(scene, tool, feature),
    };
  }
  return {
    thing,
    outcome: 'lowered',
    feature,
    run: async ({ peer, station }) => {
      const lines = await reported(station, async () => {
        const result = await peer.callTool(tool);
        expect(result.isError ?? false).toBe(sent.isError ?? false);
        expect(result.content).toEqual(lowered.content);
      });
      const loss = lossy ? 'lossy' : 'none';
      expect(lines).toMatchObject([
        { kind: 'report', method: 'tools/call', tool, feature, loss, ...legsOf(lane) },
      ]);
    },
  };
}
