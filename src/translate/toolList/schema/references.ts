import { mayHold, REFERENCES } from './keywords.ts';
import { readSchema } from './document.ts';
import { getMember, type JsonPath, type RawJson } from '../../../protocol/rawJson.ts';
import type { Edition } from '../../edition.ts';
import { pointer } from '../../report.ts';

/** A reference that nobody can or may follow. */
export interface BadReference {
  readonly path: JsonPath;
  readonly what: string;
}

const SHOWN = 100;

/**
 * The first reference that leads out of the schema or to nothing. None is ever fetched (2026-07-28, Overview, `$ref`
 * Resolution): the address is a stranger's.
 */
export function badReferenceIn(schema: RawJson): BadReference | undefined {
  if (!mayHold(schema, ...REFERENCES)) return undefined;
  for (const { path, keyword, text, target } of readSchema(schema).references.values()) {
    if (target.kind !== 'outside' && target.kind !== 'dangling') continue;
    const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
    const what =
      target.kind === 'outside'
        ? `a reference out of it, to ${shown}, which is never fetched`
        : `a reference that leads nowhere, ${shown}`;
    return { path: [...path, keyword], what };
  }
  return undefined;
}

/** Withholds a tool whose input schema holds such a reference; some clients throw on it with the whole list. */
export function checkReferences(edition: Edition): void {
  const schema = getMember(edition.raw, 'inputSchema');
  const bad = schema === undefined ? undefined : badReferenceIn(schema);
  if (bad === undefined) return;
  edition.refusal ??= {
    feature: 'schema-reference',
    path: pointer(['inputSchema', ...bad.path]),
    hint: `The tool's input schema has ${bad.what}; only its server can change that.`,
  };
}
