import type { Profile } from '../../protocol/profile.ts';
import { arrayOf, setMember } from '../../protocol/rawEdit.ts';
import {
  getMember,
  itemsOf,
  kindOf,
  stringOf,
  toRaw,
  type JsonPath,
  type RawJson,
} from '../../protocol/rawJson.ts';
import type { Edition } from '../edition.ts';
import { describeRaw } from '../report.ts';
import { rewriteBlock } from './contentBlock.ts';
import { ensureArray } from './entries.ts';

const PROMPT_FEATURES = { audio: 'audio-in-prompt', link: 'resource-link-in-prompt' } as const;

/** Rewrites a `prompts/get` result for its reader: each message keeps its one content block. */
export function lowerPromptResult(edition: Edition, to: Profile): void {
  ensureArray(edition, 'messages', 'result-content');
  const messages = getMember(edition.raw, 'messages');
  if (messages === undefined) return;
  const before = itemsOf(messages);
  const after = before.flatMap((message, index) => {
    const at = ['messages', index];
    return lowerMessage(withRole(message, at, edition), at, to, edition);
  });
  const isSame = after.length === before.length && after.every((each, i) => each === before[i]);
  if (!isSame) edition.raw = setMember(edition.raw, 'messages', arrayOf(after));
}

function withRole(given: RawJson, at: JsonPath, edition: Edition): RawJson {
  const message = kindOf(given) === 'object' ? given : setMember(toRaw({}), 'content', given);
  const role = getMember(message, 'role');
  const named = stringOf(role);
  if (named === 'user' || named === 'assistant') return message;
  const before = named === undefined ? describeRaw(role) : 'a role of no revision';
  const hint = `A message has neither the role "user" nor "assistant" (${before}); allow "result-content" to read it as the user's.`;
  const path = [...at, 'role'];
  if (!edition.mayLose('result-content', path, before, '"user"', hint)) return message;
  return setMember(message, 'role', toRaw('user'));
}

/** A message holds one block (every revision, PromptMessage); of several in an array each gets its own. */
function lowerMessage(message: RawJson, at: JsonPath, to: Profile, edition: Edition): RawJson[] {
  const path = [...at, 'content'];
  const content = getMember(message, 'content');
  const blocks = blocksOf(content, path, edition);
  if (blocks === undefined) return [message];
  return blocks.map((given) => {
    const block = rewriteBlock(given, path, to, PROMPT_FEATURES, edition);
    return block === content ? message : setMember(message, 'content', block);
  });
}

function blocksOf(
  content: RawJson | undefined,
  path: JsonPath,
  edition: Edition,
): RawJson[] | undefined {
  if (content !== undefined && kindOf(content) === 'object') return [content];
  const items = content === undefined ? [] : itemsOf(content);
  if (items.length === 1) {
    edition.note('result-content', path, 'an array of one block', 'the block');
    return items;
  }
  const before = describeRaw(content);
  if (items.length > 1) {
    const hint = `A message holds ${items.length} blocks where it may hold one; allow "result-content" to receive a message for each.`;
    const after = 'a message for each block';
    return edition.mayLose('result-content', path, before, after, hint) ? items : undefined;
  }
  const hint = `The content of a message is no block (${before}); allow "result-content" to read it as text.`;
  if (!edition.mayLose('result-content', path, before, 'a text block', hint)) return undefined;
  const text = content === undefined ? '' : (stringOf(content) ?? content.toString('utf8'));
  return [toRaw({ type: 'text', text })];
}
