import type { Concern } from '../../protocol/concern.ts';
import type { Profile } from '../../protocol/profile.ts';
import {
  getMember,
  kindOf,
  stringOf,
  toRaw,
  type JsonPath,
  type RawJson,
} from '../../protocol/rawJson.ts';
import type { Edition } from '../edition.ts';
import { repairMembers } from '../members/repairMembers.ts';
import { BLOCKS } from '../members/shapes.ts';
import { asResource, mendBlock } from './mendBlock.ts';

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

/** Rewrites the content block at `at` for its reader; a block the reader can take comes back as it is. */
export function rewriteBlock(
  original: RawJson,
  at: JsonPath,
  to: Profile,
  features: BlockFeatures,
  edition: Edition,
): RawJson {
  const block = repairBlock(original, at, to, edition);
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

/** The block as its own type wants it; one that cannot be made so becomes a text that says what it was. */
function repairBlock(original: RawJson, at: JsonPath, to: Profile, edition: Edition): RawJson {
  const type = stringOf(getMember(original, 'type'));
  const shape = type === undefined ? undefined : BLOCKS.get(type);
  if (type === undefined || shape === undefined) return original;
  const { revision } = to;
  const owner = 'of a content block';
  const repair = { edition, to: revision, concern: 'content-block', owner } as const;
  const mended = mendBlock(type, repairMembers(original, at, shape, repair), at, revision, edition);
  if (mended.kind === 'whole') return mended.block;
  const { before, text } = mended;
  const after = 'a text block that says so';
  const hint = `The server sent ${before}, over which clients drop the whole result; allow "content-block" to receive ${after}.`;
  return edition.mayLose('content-block', at, before, after, hint) ? textBlock(text) : original;
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
  if (to.revision === 'draft' && type !== undefined) return { kind: 'kept' };
  return {
    kind: 'rewritten',
    block: textBlock(stringOf(block) ?? block.toString('utf8')),
    feature: 'content-block',
    lossy: true,
    before: `a block of type ${type ?? 'unknown'}`,
    after: 'a text block with its JSON',
  };
}

/** Audio as an embedded resource: the same bytes under the same media type. */
function audio(block: RawJson, feature: Concern): BlockOutcome {
  return {
    kind: 'rewritten',
    block: asResource(block, 'audio'),
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
