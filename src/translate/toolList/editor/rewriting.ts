import type { Notes } from './notes.ts';
import type { SchemaDocument } from '../schema/document.ts';
import type { JsonPath, RawJson } from '../../../protocol/rawJson.ts';

/**
 * A schema written out to more than this, and to more than twice its size, is no use to any model and may be meant to
 * exhaust its reader.
 */
const MAX_BYTES = 256 * 1024;

/** One rewriting of a schema for the editor. */
export interface Rewriting {
  readonly document: SchemaDocument;
  /** Targets of references that lead back to themselves. */
  readonly recursive: ReadonlySet<string>;
  /** Whether recursion is cut at a depth, or left for readers that can follow it. */
  readonly recursion: 'cut' | 'kept';
  /** Whether the keywords mean what 2019-09 and 2020-12 say. */
  readonly newer: boolean;
  readonly notes: Notes;
  /** Parts written out before, by their place and the rounds of recursion around them. */
  readonly written: Map<string, RawJson>;
  /** Places of the references that were followed. */
  readonly followed: Set<string>;
  /** Whether any reference leads to a part of the schema. */
  readonly hasLocal: boolean;
  /** Rewrites one schema object; the very same object where it needs nothing. */
  readonly rewrite: (raw: RawJson, path: JsonPath, nesting: Nesting) => RawJson;
  /** Set once the schema grows beyond its bounds; what comes out is then not used. */
  tooLarge: boolean;
}

/** How deep a part stands: within others, and within repetitions of itself. */
export interface Nesting {
  readonly depth: number;
  readonly rounds: number;
}

/** Builds a part unless its pieces are too many bytes; nothing is built to learn that. */
export function bounded(
  rewriting: Rewriting,
  raw: RawJson,
  pieces: Iterable<RawJson>,
  build: () => RawJson,
): RawJson {
  let bytes = 0;
  for (const piece of pieces) bytes += piece.length;
  if (bytes > Math.max(MAX_BYTES, 2 * rewriting.document.root.length)) rewriting.tooLarge = true;
  return rewriting.tooLarge ? raw : build();
}
