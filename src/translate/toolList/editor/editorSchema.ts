import { dialectOf } from './dialect.ts';
import { Notes } from './notes.ts';
import { rewriteSchema } from './rewriteSchema.ts';
import type { Rewriting } from './rewriting.ts';
import { recursiveTargets } from '../schema/cycles.ts';
import { readSchema, type SchemaDocument } from '../schema/document.ts';
import { badReferenceIn } from '../schema/references.ts';
import type { ToolListContext } from '../types.ts';
import { setMember } from '../../../protocol/rawEdit.ts';
import { getMember, rawJsonFrom, type RawJson } from '../../../protocol/rawJson.ts';
import type { Edition } from '../../edition.ts';
import { allows } from '../../policy.ts';

/**
 * Puts the input schema into the form that VS Code takes. Its client leaves out a tool whose schema does not fit the
 * meta-schema of draft-07 (mcpServer.ts, `_normalizeTool`); Copilot fails the whole request over such a schema and over
 * an array without `items` (toolSchemaNormalizer.ts); and earlier ones of Copilot send some models only `properties`
 * and `required`, so that `$defs` never arrive (messagesApi.ts). Nobody there looks at output schemas.
 */
export function repairForEditor(edition: Edition, context: ToolListContext): void {
  const schema = getMember(edition.raw, 'inputSchema');
  const { to, policy } = context;
  if (to.reader !== 'vscode' || schema === undefined || edition.refusal !== undefined) return;
  const document = readSchema(schema);
  const recursive = recursiveTargets(document);
  const cut = allows(policy, 'schema-reference');
  const attempt =
    recursive === undefined
      ? undefined
      : ((cut ? rewrite(document, recursive, 'cut') : undefined) ??
        rewrite(document, recursive, 'kept'));
  if (attempt === undefined) {
    edition.refusal ??= {
      feature: 'schema-reference',
      path: '/inputSchema',
      hint: "The tool's input schema grows beyond all bounds when its references are written out, which the editor needs; only its server can change that.",
    };
    return;
  }
  attempt.notes.writeTo(edition, 'inputSchema');
  if (attempt.raw !== schema) edition.raw = setMember(edition.raw, 'inputSchema', attempt.raw);
}

interface Attempt {
  readonly raw: RawJson;
  readonly notes: Notes;
}

/** The whole schema rewritten; undefined where it grows beyond its bounds or a kept reference would lead nowhere. */
function rewrite(
  document: SchemaDocument,
  recursive: ReadonlySet<string>,
  recursion: Rewriting['recursion'],
): Attempt | undefined {
  const dialect = dialectOf(document.members(document.root).get('$schema'));
  const rewriting: Rewriting = {
    document,
    recursive,
    recursion,
    newer: dialect === 'newer' || dialect === 'unknown',
    notes: new Notes(),
    written: new Map(),
    followed: new Set(),
    hasLocal: [...document.references.values()].some(({ target }) => target.kind === 'local'),
    rewrite: (part, path, nesting) => rewriteSchema(rewriting, part, path, nesting),
    tooLarge: false,
  };
  const raw = rewriteSchema(rewriting, document.root, [], { depth: 0, rounds: 0 });
  // Parts that fit by themselves can nest deeper than anybody reads once they stand inside each other.
  if (rewriting.tooLarge || rawJsonFrom(raw) === undefined) return undefined;
  if (rewriting.followed.size > 0) {
    const before = `references to parts of the schema (${rewriting.followed.size})`;
    rewriting.notes.lossless('schema-reference', [], before, 'those parts in their places');
  }
  if (recursive.size > 0 && badReferenceIn(raw) !== undefined) return undefined;
  return { raw, notes: rewriting.notes };
}
