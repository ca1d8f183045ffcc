import { canonical } from '../../protocol/canonical.ts';
import type { Profile } from '../../protocol/profile.ts';
import { appendItem, arrayOf, removeMember, setMember } from '../../protocol/rawEdit.ts';
import {
  getMember,
  itemsOf,
  kindOf,
  rawJsonFrom,
  stringOf,
  toRaw,
  type RawJson,
} from '../../protocol/rawJson.ts';
import type { Edition } from '../edition.ts';
import { rewriteBlock, type BlockFeatures } from './contentBlock.ts';

/** What the bridge must know to put a tool's result to its reader. */
export interface ToolResultContext {
  readonly from: Profile;
  readonly to: Profile;
  /** True where the reader holds a tool list that promises structured output for this tool. */
  readonly promisedOutput: boolean;
}

const TOOL_FEATURES: BlockFeatures = { audio: 'tool-audio-content', link: 'tool-resource-link' };

/** True for a tool's own error, which the model must read under every policy. */
export function isErrorResult(result: RawJson): boolean {
  return getMember(result, 'isError')?.toString('latin1') === 'true';
}

/** Rewrites a `tools/call` result for its reader. */
export function lowerToolResult(edition: Edition, context: ToolResultContext): void {
  const { to } = context;
  lowerStructuredContent(edition, context);
  ensureContent(edition);
  const content = getMember(edition.raw, 'content');
  if (content !== undefined) {
    const lowered = lowerContent(content, to, edition);
    if (lowered !== content) edition.raw = setMember(edition.raw, 'content', lowered);
  }
  if (context.promisedOutput && breaksPromise(edition.raw)) demandPromisedOutput(edition);
}

/** The text blocks' texts that are JSON themselves, each in its one canonical form. */
function jsonTexts(content: RawJson | undefined): Set<string> {
  const texts = new Set<string>();
  for (const block of content === undefined ? [] : itemsOf(content)) {
    const text = stringOf(getMember(block, 'text'));
    const raw = text === undefined ? undefined : rawJsonFrom(Buffer.from(text));
    if (raw !== undefined) texts.add(canonical(raw));
  }
  return texts;
}

function lowerStructuredContent(edition: Edition, context: ToolResultContext): void {
  const value = getMember(edition.raw, 'structuredContent');
  if (value === undefined) return;
  const isObject = kindOf(value) === 'object';
  const { to, from } = context;
  // Until 2025-11-25 the schema knows objects alone, so a null from such a server means absent.
  if (kindOf(value) === 'null' && !from.features.has('tool-structured-any')) {
    edition.raw = removeMember(edition.raw, 'structuredContent');
    edition.note('null-member', ['structuredContent'], 'null', 'absent');
    return;
  }
  const feature = isObject ? 'tool-structured-output' : 'tool-structured-any';
  if (to.features.has(feature)) return;
  const path = ['structuredContent'];
  const content = getMember(edition.raw, 'content');
  if (isObject && !from.features.has(feature)) {
    // Said in a revision that does not know the member either, so that its reader passes over it; but it must not be all.
    if (content !== undefined && kindOf(content) === 'array' && itemsOf(content).length === 0) {
      appendText(edition, value.toString('utf8'));
      edition.note(feature, path, 'structured content alone', 'a text block with its JSON besides');
    }
    return;
  }
  const told = jsonTexts(content).has(canonical(value));
  // Readers before structured output pass over the member; a later one rejects the result over a value of a new kind.
  const mustGo = !isObject && to.revision !== '2024-11-05';
  if (!told) {
    const hint = isObject
      ? `Readers before 2025-06-18 have no structured content; allow "${feature}" to receive it as text.`
      : `Readers before 2026-07-28 take only an object as structured content; allow "${feature}" to receive this one as text.`;
    if (
      !edition.mayLose(
        feature,
        path,
        `structured content (${kindOf(value)})`,
        'a text block with its JSON',
        hint,
      )
    )
      return;
    appendText(edition, value.toString('utf8'));
  } else if (mustGo) {
    edition.note(
      feature,
      path,
      `structured content (${kindOf(value)})`,
      'absent; a text block holds it',
    );
  }
  if (mustGo) edition.raw = removeMember(edition.raw, 'structuredContent');
}

function appendText(edition: Edition, text: string): void {
  const content = getMember(edition.raw, 'content');
  const block = toRaw({ type: 'text', text });
  const blocks =
    content !== undefined && kindOf(content) === 'array'
      ? appendItem(content, block)
      : arrayOf([block]);
  edition.raw = setMember(edition.raw, 'content', blocks);
}

/** A result without `content` breaks readers of most revisions, even where its structured content says it all. */
function ensureContent(edition: Edition): void {
  const content = getMember(edition.raw, 'content');
  if (content !== undefined && kindOf(content) === 'array') return;
  if (content === undefined) {
    const structured = getMember(edition.raw, 'structuredContent');
    if (structured === undefined) edition.raw = setMember(edition.raw, 'content', toRaw([]));
    else appendText(edition, structured.toString('utf8'));
    const after = structured === undefined ? 'an empty array' : 'the structured content as text';
    edition.note('result-content', ['content'], 'absent', after);
    return;
  }
  if (kindOf(content) === 'object') {
    edition.raw = setMember(edition.raw, 'content', arrayOf([content]));
    edition.note('result-content', ['content'], 'an object', 'an array of it');
    return;
  }
  const before = `content that is ${kindOf(content)}`;
  const hint =
    'The server must send `content` as an array of blocks; allow "result-content" to read it as text.';
  if (!edition.mayLose('result-content', ['content'], before, 'one text block', hint)) return;
  const text = stringOf(content) ?? content.toString('utf8');
  edition.raw = setMember(edition.raw, 'content', toRaw([{ type: 'text', text }]));
}

function lowerContent(content: RawJson, to: Profile, edition: Edition): RawJson {
  const before = itemsOf(content);
  const after = before.map((block, index) =>
    rewriteBlock(block, ['content', index], to, TOOL_FEATURES, edition),
  );
  return after.every((block, index) => block === before[index]) ? content : arrayOf(after);
}

/** True for a success without the structured content that an output schema promises. */
export function breaksPromise(result: RawJson): boolean {
  return !isErrorResult(result) && getMember(result, 'structuredContent') === undefined;
}

/** A client that holds an output schema throws on a result without the structured content it promises. */
function demandPromisedOutput(edition: Edition): void {
  edition.mayLose(
    'tool-structured-output',
    ['structuredContent'],
    'absent, though the tool has an output schema',
    'absent; the output schema leaves the next tool list',
    'The server promised structured content in the tool\'s outputSchema and sent none; allow "tool-structured-output" to pass the result on.',
  );
}
