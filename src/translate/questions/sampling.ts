import { arrayOf, removeMember, setMember } from '../../protocol/rawEdit.ts';
import {
  getAt,
  getMember,
  itemsOf,
  kindOf,
  stringOf,
  type RawJson,
} from '../../protocol/rawJson.ts';
import { Edition, withoutNulls } from '../edition.ts';
import { isToolBlock, rewriteSamplingBlock } from './samplingBlock.ts';
import type { Question, QuestionContext } from './types.ts';

const OPTIONAL = new Set([
  'systemPrompt',
  'includeContext',
  'temperature',
  'stopSequences',
  'metadata',
  'modelPreferences',
  'tools',
  'toolChoice',
  '_meta',
  'task',
]);

/** Puts a `sampling/createMessage` into what the client's revision and capabilities allow (2025-11-25, Sampling). */
export function lowerSampling(params: RawJson, context: QuestionContext): Question {
  const edition = new Edition(params, context.policy);
  edition.raw = withoutNulls(edition.raw, OPTIONAL, (key) =>
    edition.note('null-member', [key], 'null', 'absent'),
  );
  const { to, declares } = context;
  if (!to.features.has('sampling-tools') || !declares('sampling', 'tools')) withoutTools(edition);
  lowerMessages(edition, context);
  const outcome = edition.outcome();
  if (outcome.kind === 'refused') return outcome;
  return { kind: 'ask', params: edition.raw, steps: outcome.steps };
}

/**
 * A client that does not declare tools must fail at the very members. A model that may do without tools can be asked
 * without them; one that must use them, or is in the middle of it, cannot.
 */
function withoutTools(edition: Edition): void {
  const { raw } = edition;
  const tools = getMember(raw, 'tools');
  const choice = getMember(raw, 'toolChoice');
  if (tools === undefined && choice === undefined) return;
  const mode = choice && stringOf(getMember(choice, 'mode'));
  const path = [tools === undefined ? 'toolChoice' : 'tools'];
  if (mode === 'required' || blocksOf(raw).some(isToolBlock)) {
    const hint =
      'The server wants the model to use tools while it answers, and this client cannot do that; use a client that declares sampling with tools.';
    edition.refusal ??= { feature: 'sampling-tools', path: `/${path[0] ?? ''}`, hint };
    return;
  }
  const before = 'tools that the model may use';
  const hasNone = tools === undefined || itemsOf(tools, 1).length === 0;
  if (mode === 'none' || hasNone) {
    edition.note('sampling-tools', path, before, 'absent; it would have used none');
  } else {
    const hint =
      'The server lets the model use tools while it answers, and this client cannot do that; allow "sampling-tools" to ask it without them.';
    if (!edition.mayLose('sampling-tools', path, before, 'the question without them', hint)) return;
  }
  edition.raw = removeMember(removeMember(raw, 'tools'), 'toolChoice');
}

function blocksOf(params: RawJson): RawJson[] {
  return itemsOf(getMember(params, 'messages') ?? NONE).flatMap((message) => {
    const content = getMember(message, 'content');
    if (content === undefined) return [];
    return kindOf(content) === 'array' ? itemsOf(content) : [content];
  });
}

const NONE: RawJson = Buffer.from('[]');

function lowerMessages(edition: Edition, context: QuestionContext): void {
  const messages = getAt(edition.raw, ['messages']);
  if (messages === undefined || kindOf(messages) !== 'array') return;
  const before = itemsOf(messages);
  const after = before.flatMap((message, index) => lowerMessage(edition, message, index, context));
  const isSame = after.length === before.length && after.every((each, i) => each === before[i]);
  if (!isSame) edition.raw = setMember(edition.raw, 'messages', arrayOf(after));
}

/** One message, or one for each of its blocks where the reader's revision has one block in each. */
function lowerMessage(
  edition: Edition,
  message: RawJson,
  index: number,
  context: QuestionContext,
): RawJson[] {
  const path = ['messages', index, 'content'];
  const content = getMember(message, 'content');
  if (content === undefined) return [message];
  const withContent = (value: RawJson): RawJson =>
    value === content ? message : setMember(message, 'content', value);
  if (kindOf(content) !== 'array') {
    return [withContent(rewriteSamplingBlock(edition, path, content, context))];
  }
  const before = itemsOf(content);
  const blocks = before.map((block, i) =>
    rewriteSamplingBlock(edition, [...path, i], block, context),
  );
  if (context.to.features.has('sampling-tools')) {
    const isSame = blocks.every((block, i) => block === before[i]);
    return [withContent(isSame ? content : arrayOf(blocks))];
  }
  const [only] = blocks;
  if (blocks.length === 1 && only !== undefined) {
    edition.note('sampling-tools', path, 'an array of one block', 'the block');
    return [withContent(only)];
  }
  const what = `a message of ${blocks.length} blocks`;
  const hint = `The server puts several blocks into one message, and this client's revision takes one in each; allow "sampling-tools" to send a message for each block.`;
  if (!edition.mayLose('sampling-tools', path, what, 'a message for each block', hint))
    return [message];
  return blocks.map(withContent);
}
