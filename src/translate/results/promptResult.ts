import type { Profile } from '../../protocol/profile.ts';
import { arrayOf, setMember } from '../../protocol/rawEdit.ts';
import { getMember, itemsOf, kindOf } from '../../protocol/rawJson.ts';
import type { Edition } from '../edition.ts';
import { rewriteBlock } from './contentBlock.ts';

const PROMPT_FEATURES = { audio: 'audio-in-prompt', link: 'resource-link-in-prompt' } as const;

/** Rewrites a `prompts/get` result for its reader: each message keeps its one content block. */
export function lowerPromptResult(edition: Edition, to: Profile): void {
  const messages = getMember(edition.raw, 'messages');
  if (messages === undefined) return;
  const before = itemsOf(messages);
  const after = before.map((message, index) => {
    const content = getMember(message, 'content');
    if (content === undefined || kindOf(content) !== 'object') return message;
    const at = ['messages', index, 'content'];
    const block = rewriteBlock(content, at, to, PROMPT_FEATURES, edition);
    return block === content ? message : setMember(message, 'content', block);
  });
  if (after.some((message, index) => message !== before[index])) {
    edition.raw = setMember(edition.raw, 'messages', arrayOf(after));
  }
}
