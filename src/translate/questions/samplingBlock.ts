import type { Profile } from '../../protocol/profile.ts';
import { getMember, stringOf, toRaw, type JsonPath, type RawJson } from '../../protocol/rawJson.ts';
import { isAtLeast } from '../../protocol/revision.ts';
import { Edition, withoutNulls } from '../edition.ts';
import { PERMISSIVE, type DegradePolicy } from '../policy.ts';
import { pointer } from '../report.ts';
import { isErrorResult, lowerToolResult } from '../results/toolResult.ts';

const OPTIONAL = new Set(['annotations', '_meta', 'mimeType']);

/** Who reads a block of a conversation with a model, and who wrote it. */
interface BlockContext {
  readonly from: Profile;
  readonly to: Profile;
  readonly policy: DegradePolicy;
}

export function isToolBlock(block: RawJson): boolean {
  const type = stringOf(getMember(block, 'type'));
  return type === 'tool_use' || type === 'tool_result';
}

/**
 * Rewrites one block of a conversation with a model for its reader (2025-11-25, Sampling, Messages); a block the reader
 * can take comes back as it is.
 */
export function rewriteSamplingBlock(
  edition: Edition,
  path: JsonPath,
  original: RawJson,
  { from, to, policy }: BlockContext,
): RawJson {
  const type = stringOf(getMember(original, 'type'));
  const refuse = (feature: 'audio-in-prompt' | 'sampling-tools', what: string): RawJson => {
    const hint = `The reader's revision ${to.revision} has no place for ${what} in a conversation with a model.`;
    edition.refusal ??= { feature, path: pointer(path), hint };
    return original;
  };
  switch (type) {
    case 'audio':
      if (!to.features.has('audio-in-prompt')) return refuse('audio-in-prompt', 'sound');
      break;
    case 'tool_use':
    case 'tool_result':
      if (!to.features.has('sampling-tools')) return refuse('sampling-tools', `a ${type} block`);
      if (type === 'tool_result') {
        // It is a tool's result: an error in it is never refused.
        const part = new Edition(original, isErrorResult(original) ? PERMISSIVE : policy);
        lowerToolResult(part, { from, to, promisedOutput: false });
        edition.adopt(part, path);
        return part.raw;
      }
      return original;
    case 'text':
    case 'image':
      break;
    default:
      return unknownBlock(edition, path, original, type, to);
  }
  return withoutNulls(original, OPTIONAL, (key) =>
    edition.note('null-member', [...path, key], 'null', 'absent'),
  );
}

/** No revision has such a block here, and readers of the dated ones drop the whole conversation over it. */
function unknownBlock(
  edition: Edition,
  path: JsonPath,
  block: RawJson,
  type: string | undefined,
  { revision }: Profile,
): RawJson {
  if (isAtLeast(revision, '2026-07-28')) return block;
  const before = `a block of type ${type ?? 'unknown'}`;
  const after = 'a text block with its JSON';
  const hint = `A conversation with a model cannot hold ${before}; allow "content-block" to send ${after} instead.`;
  if (!edition.mayLose('content-block', path, before, after, hint)) return block;
  return toRaw({ type: 'text', text: block.toString('utf8') });
}
