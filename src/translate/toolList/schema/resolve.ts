import type { PartReader } from './walk.ts';
import { kindOf, type JsonPath, type RawJson } from '../../../protocol/rawJson.ts';
import { pointer } from '../../report.ts';

/** Where a reference leads. */
export type Target =
  | { readonly kind: 'local'; readonly raw: RawJson; readonly path: JsonPath }
  /** A published meta-schema, which validators bring along. */
  | { readonly kind: 'metaSchema' }
  | { readonly kind: 'outside' }
  | { readonly kind: 'dangling' };

/** A part that has an address of its own: the whole schema, or one with an `$id`. */
export interface Resource {
  readonly raw: RawJson;
  readonly path: JsonPath;
  readonly uri: string | undefined;
}

/** A schema object in its document. */
export interface Place {
  readonly raw: RawJson;
  readonly path: JsonPath;
  readonly resource: Resource;
}

/** All names by which a reference can mean a part of the document. */
export interface Names {
  readonly whole: Resource;
  readonly reader: PartReader;
  readonly resources: Map<string, Resource>;
  readonly anchors: Map<string, Place>;
}

const META_SCHEMA =
  /^https?:\/\/json-schema\.org\/(draft-0[467]|draft\/20(19-09|20-12))\/schema#?$/;

const DANGLING: Target = { kind: 'dangling' };

/** Where a reference in this resource leads; nothing outside the document is ever looked at. */
export function resolveReference(text: string, from: Resource, names: Names): Target {
  if (META_SCHEMA.test(text)) return { kind: 'metaSchema' };
  const hash = text.indexOf('#');
  const uri = hash < 0 ? text : text.slice(0, hash);
  const fragment = hash < 0 ? '' : decoded(text.slice(hash + 1));
  const resource = uri === '' ? from : findResource(uri, from, names);
  if (resource === undefined) return { kind: 'outside' };
  if (fragment === '') return { kind: 'local', raw: resource.raw, path: resource.path };
  if (fragment.startsWith('/')) {
    // Many write an `$id` into a part and still point from the root.
    const target = byPointer(fragment, resource, names) ?? byPointer(fragment, names.whole, names);
    return target ?? DANGLING;
  }
  const place = names.anchors.get(fragment);
  return place === undefined ? DANGLING : { kind: 'local', raw: place.raw, path: place.path };
}

/** The place a local target stands at, as one text; undefined for any other. */
export function targetKey(target: Target): string | undefined {
  return target.kind === 'local' ? pointer(target.path) : undefined;
}

function findResource(uri: string, from: Resource, names: Names): Resource | undefined {
  const base = from.uri;
  const full = base !== undefined && URL.canParse(uri, base) ? new URL(uri, base).href : uri;
  return names.resources.get(full) ?? names.resources.get(uri);
}

function byPointer(fragment: string, resource: Resource, names: Names): Target | undefined {
  let raw: RawJson | undefined = resource.raw;
  const path = [...resource.path];
  for (const part of fragment.slice(1).split('/')) {
    if (raw === undefined) return undefined;
    const step = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const isIndex: boolean = kindOf(raw) === 'array' && /^\d+$/.test(step);
    path.push(isIndex ? Number(step) : step);
    raw = isIndex ? names.reader.items(raw)[Number(step)] : names.reader.members(raw).get(step);
  }
  const isSchema = raw !== undefined && ['object', 'boolean'].includes(kindOf(raw));
  return raw !== undefined && isSchema ? { kind: 'local', raw, path } : undefined;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    // Not an escape: the characters stand for themselves.
    return fragment;
  }
}
