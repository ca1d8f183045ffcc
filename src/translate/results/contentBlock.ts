import type { Concern } from '../../protocol/features.ts';
import type { Profile } from '../../protocol/profile.ts';
import { setMember } from '../../protocol/rawEdit.ts';
import { getMember, kindOf, stringOf, toRaw, type RawJson } from '../../protocol/rawJson.ts';
import { isAtLeast } from '../../protocol/revision.ts';

/** How one content block can be put to a reader. */
export type BlockOutcome =
  | { readonly kind: 'kept' }
  | {
      readonly kind: 'rewritten';
      readonly block: RawJson;
      readonly feature: Concern;
      readonly lossy: boolean;
      readonly before: string;
      readonly after: string;
    };

/** The features a block of each kind needs; tools and prompts name them differently. */
export interface BlockFeatures {
  readonly audio: 'tool-audio-content' | 'audio-in-prompt';
  readonly link: 'tool-resource-link' | 'resource-link-in-prompt';
}

const KNOWN = new Set(['text', 'image', 'resource']);

const textBlock = (text: string): RawJson => toRaw({ type: 'text', text });

/** Puts one content block into what the reader knows. */
export function lowerBlock(block: RawJson, to: Profile, features: BlockFeatures): BlockOutcome {
  const type = stringOf(getMember(block, 'type'));
  if (type === 'audio') {
    return to.features.has(features.audio) ? { kind: 'kept' } : audio(block, features.audio);
  }
  if (type === 'resource_link') {
    return to.features.has(features.link) ? { kind: 'kept' } : link(block, features.link);
  }
  if (type !== undefined && KNOWN.has(type)) return { kind: 'kept' };
  // What a later draft adds is for readers of the draft to judge; every dated revision rejects it with the whole result.
  if (to.revision === 'draft' || !isAtLeast('2026-07-28', to.revision)) return { kind: 'kept' };
  return {
    kind: 'rewritten',
    block: textBlock(block.toString('utf8')),
    feature: 'content-block',
    lossy: true,
    before: `a block of type ${type ?? 'unknown'}`,
    after: 'a text block with its JSON',
  };
}

/** Audio as an embedded resource: the same bytes under the same media type. */
function audio(block: RawJson, feature: Concern): BlockOutcome {
  const mimeType = getMember(block, 'mimeType') ?? toRaw('audio/*');
  let resource = toRaw({ uri: 'rosetta:audio' });
  resource = setMember(resource, 'mimeType', mimeType);
  resource = setMember(resource, 'blob', getMember(block, 'data') ?? toRaw(''));
  let rewritten = setMember(toRaw({ type: 'resource' }), 'resource', resource);
  for (const key of ['annotations', '_meta']) {
    const value = getMember(block, key);
    if (value !== undefined) rewritten = setMember(rewritten, key, value);
  }
  return {
    kind: 'rewritten',
    block: rewritten,
    feature,
    lossy: false,
    before: 'an audio block',
    after: 'an embedded resource',
  };
}

function link(block: RawJson, feature: Concern): BlockOutcome {
  const say = (key: string): string | undefined => stringOf(getMember(block, key));
  const size = getMember(block, 'size');
  const lines = [
    `${say('title') ?? say('name') ?? 'Resource'}: ${say('uri') ?? ''}`,
    say('description'),
    say('mimeType'),
    size !== undefined && kindOf(size) === 'number'
      ? `${size.toString('latin1')} bytes`
      : undefined,
  ];
  return {
    kind: 'rewritten',
    block: textBlock(lines.filter((line) => line !== undefined).join('\n')),
    feature,
    lossy: true,
    before: 'a resource link',
    after: 'a text block that names it',
  };
}
