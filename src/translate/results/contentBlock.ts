import type { Concern } from '../../protocol/concern.ts';
import type { Profile } from '../../protocol/profile.ts';
import { setMember } from '../../protocol/rawEdit.ts';
import {
  getMember,
  kindOf,
  stringOf,
  toRaw,
  type JsonPath,
  type RawJson,
} from '../../protocol/rawJson.ts';
import { withoutNulls, type Edition } from '../edition.ts';

/** How one content block can be put to a reader. */
type BlockOutcome =
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

const OPTIONAL = new Set([
  'annotations',
  '_meta',
  'title',
  'description',
  'mimeType',
  'size',
  'icons',
]);

/** Rewrites the content block at `at` for its reader; a block the reader can take comes back as it is. */
export function rewriteBlock(
  original: RawJson,
  at: JsonPath,
  to: Profile,
  features: BlockFeatures,
  edition: Edition,
): RawJson {
  const block = withoutNulls(original, OPTIONAL, (key) =>
    edition.note('null-member', [...at, key], 'null', 'absent'),
  );
  const outcome = lowerBlock(block, to, features);
  if (outcome.kind === 'kept') return block;
  const { feature, before, after } = outcome;
  if (!outcome.lossy) {
    edition.note(feature, at, before, after);
    return outcome.block;
  }
  const hint = `The reader's revision ${to.revision} cannot take ${before}; allow "${feature}" to receive ${after} instead.`;
  return edition.mayLose(feature, at, before, after, hint) ? outcome.block : block;
}

function lowerBlock(block: RawJson, to: Profile, features: BlockFeatures): BlockOutcome {
  const type = stringOf(getMember(block, 'type'));
  if (type === 'audio') {
    return to.features.has(features.audio) ? { kind: 'kept' } : audio(block, features.audio);
  }
  if (type === 'resource_link') {
    return to.features.has(features.link) ? { kind: 'kept' } : link(block, features.link);
  }
  if (type !== undefined && KNOWN.has(type)) return { kind: 'kept' };
  // What a later draft adds is for readers of the draft to judge; every dated revision rejects it with the whole result.
  if (to.revision === 'draft') return { kind: 'kept' };
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
