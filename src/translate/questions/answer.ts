import { Method } from '../../protocol/methods.ts';
import { setMember } from '../../protocol/rawEdit.ts';
import {
  getMember,
  itemsOf,
  kindOf,
  stringOf,
  toRaw,
  type RawJson,
} from '../../protocol/rawJson.ts';
import { Edition } from '../edition.ts';
import { liftElicitation } from './formAnswer.ts';
import { rewriteSamplingBlock } from './samplingBlock.ts';
import type { LiftedAnswer, QuestionContext } from './types.ts';

/** The params of a question as the server wrote them, and as the client was shown them. */
export interface AskedParams {
  readonly original: RawJson | undefined;
  readonly asked: RawJson | undefined;
}

/** Puts a client's answer to a question into what the server that asked can read. */
export function liftAnswer(
  method: string,
  { original, asked }: AskedParams,
  result: RawJson,
  context: QuestionContext,
): LiftedAnswer {
  if (method === Method.elicit && original !== undefined && asked !== undefined) {
    return liftElicitation(original, asked, result);
  }
  if (method === Method.createMessage) return liftSampling(result, context);
  return { kind: 'answer', result, steps: [] };
}

/** Until 2025-06-18 an answer of the model is one block, and no call of a tool (2025-11-25, Sampling with Tools). */
function liftSampling(result: RawJson, { from, to, policy }: QuestionContext): LiftedAnswer {
  const edition = new Edition(result, policy);
  const content = getMember(result, 'content');
  if (content !== undefined && !from.features.has('sampling-tools')) {
    const reading = { from: to, to: from, policy };
    const only = kindOf(content) === 'array' ? oneBlock(edition, content) : content;
    const block = only && rewriteSamplingBlock(edition, ['content'], only, reading);
    if (block !== undefined && block !== content) {
      edition.raw = setMember(result, 'content', block);
    }
  }
  const outcome = edition.outcome();
  if (outcome.kind === 'refused') return outcome;
  return { kind: 'answer', result: edition.raw, steps: outcome.steps };
}

/** The one block that several come to; undefined where the answer is refused over it. */
function oneBlock(edition: Edition, content: RawJson): RawJson | undefined {
  const blocks = itemsOf(content);
  const path = ['content'];
  const [only] = blocks;
  if (blocks.length === 1 && only !== undefined) {
    edition.note('sampling-tools', path, 'an array of one block', 'the block');
    return only;
  }
  const texts = blocks.map((block) => stringOf(getMember(block, 'text')));
  const before = `${blocks.length} blocks`;
  if (texts.includes(undefined)) {
    const hint = "The model answered with several blocks, and the server's revision takes one.";
    edition.refusal ??= { feature: 'sampling-tools', path: '/content', hint };
    return undefined;
  }
  const hint =
    'The model answered with several texts, and the server\'s revision takes one; allow "sampling-tools" to join them.';
  if (!edition.mayLose('sampling-tools', path, before, 'one text', hint)) {
    return undefined;
  }
  return toRaw({ type: 'text', text: texts.join('\n\n') });
}
