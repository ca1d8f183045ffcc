import { joinSchemas } from './joinSchemas.ts';
import { bounded, type Nesting, type Rewriting } from './rewriting.ts';
import { withMembers } from '../rawParts.ts';
import type { Reference } from '../schema/document.ts';
import { REFERENCES } from '../schema/keywords.ts';
import { targetKey, type Target } from '../schema/resolve.ts';
import { booleanAsObject } from '../typedMembers.ts';
import { kindOf, toRaw, type RawJson } from '../../../protocol/rawJson.ts';
import { pointer } from '../../report.ts';

/** How often a recursive definition is written out inside itself before it is cut. */
const RECURSION_DEPTH = 3;

/** What a part keeps for itself where it is written out elsewhere. */
const OWN: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$anchor',
  '$dynamicAnchor',
  '$recursiveAnchor',
  '$defs',
  'definitions',
]);

/** Puts a reference and what stands beside it into one schema. */
type Follow = (members: Map<string, RawJson>, rewriteRest: () => RawJson) => RawJson;

/** How a reference is written out; undefined where it stays. */
export function followReference(
  rewriting: Rewriting,
  reference: Reference,
  nesting: Nesting,
): Follow | undefined {
  const { path, target } = reference;
  const key = targetKey(target);
  if (target.kind !== 'local' || key === undefined) return undefined;
  const isRecursive = rewriting.recursive.has(key);
  if (isRecursive && rewriting.recursion === 'kept') {
    const before = 'a definition that contains itself';
    rewriting.notes.warning('schema-reference', target.path, before, 'left as it is');
    return (members, rewriteRest) => keep(reference, key, members, rewriteRest);
  }
  if (isRecursive && nesting.rounds >= RECURSION_DEPTH) {
    const before = 'a definition that contains itself';
    const after = `the same ${RECURSION_DEPTH} levels deep, with anything below`;
    rewriting.notes.lossy('schema-reference', target.path, before, after);
    return (members, rewriteRest) => {
      dropReferences(members);
      return rewriteRest();
    };
  }
  const rounds = nesting.rounds + (isRecursive ? 1 : 0);
  rewriting.followed.add(pointer(path));
  return (members, rewriteRest) => {
    const part = writeOut(rewriting, target, key, { depth: nesting.depth + 1, rounds });
    dropReferences(members);
    const rest = rewriteRest();
    return bounded(rewriting, rest, [part, rest], () => joinSchemas(rest, part));
  };
}

function dropReferences(members: Map<string, RawJson>): void {
  for (const name of REFERENCES) members.delete(name);
}

/** A reference that stays, in the one form that every draft knows. */
function keep(
  reference: Reference,
  key: string,
  members: Map<string, RawJson>,
  rewriteRest: () => RawJson,
): RawJson {
  const pointed = `#${key.replaceAll('%', '%25')}`;
  if (reference.keyword !== '$ref' || reference.text !== pointed) {
    dropReferences(members);
    members.set('$ref', toRaw(pointed));
  }
  return rewriteRest();
}

/** The part a reference leads to, without what only makes sense where it stands. */
function writeOut(
  rewriting: Rewriting,
  target: Target & { kind: 'local' },
  key: string,
  nesting: Nesting,
): RawJson {
  if (kindOf(target.raw) === 'boolean') return booleanAsObject(target.raw);
  const known = `${key} ${nesting.rounds}`;
  const written = rewriting.written.get(known);
  if (written !== undefined) return written;
  const whole = rewriting.rewrite(target.raw, target.path, nesting);
  const members = new Map(rewriting.document.members(whole));
  for (const name of OWN) members.delete(name);
  const part = withMembers(whole, members);
  rewriting.written.set(known, part);
  return part;
}
