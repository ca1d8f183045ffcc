import { createHash } from 'node:crypto';
import { canonical } from '../protocol/canonical.ts';
import { isNull, membersOf, type RawJson } from '../protocol/rawJson.ts';

/** The members that make a tool what a user agreed to. */
const DEFINING: ReadonlySet<string> = new Set([
  'name',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
]);

/** Left out of the comparison of lists: it may hold what changes with every answer. */
const VOLATILE: ReadonlySet<string> = new Set(['_meta']);

/**
 * One text for all spellings of the same tool definition: the order of members does not count, nor do icons and
 * metadata; every word of its names, description, schemas and annotations does.
 */
export function toolFingerprint(tool: RawJson): string {
  return sha256(partsOf(tool, (key) => DEFINING.has(key)));
}

/** One text for all lists of the same tools, in any order and with everything they show. */
export function listFingerprint(tools: readonly RawJson[]): string {
  const entries = tools.map((tool) => partsOf(tool, (key) => !VOLATILE.has(key)));
  return sha256(entries.map(sha256).sort().join('\n'));
}

function partsOf(tool: RawJson, counts: (key: string) => boolean): string {
  const members = new Map(membersOf(tool).map(({ key, value }) => [key, value]));
  return [...members]
    .filter(([key, value]) => counts(key) && !isNull(value))
    .map(([key, value]) => `${JSON.stringify(key)}:${canonical(value)}`)
    .sort()
    .join('\n');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
