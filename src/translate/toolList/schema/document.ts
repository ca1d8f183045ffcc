import { REFERENCES } from './keywords.ts';
import { resolveReference, type Names, type Place, type Resource, type Target } from './resolve.ts';
import { childSchemas, rememberingReader, type PartReader } from './walk.ts';
import { kindOf, stringOf, type JsonPath, type RawJson } from '../../../protocol/rawJson.ts';

/** One reference: where the schema stands that holds it, its keyword and text, and where it leads. */
export interface Reference {
  readonly path: JsonPath;
  readonly keyword: string;
  readonly text: string;
  readonly target: Target;
}

/** A schema read once: its parts and the references in it, by the part that holds them. */
export interface SchemaDocument extends PartReader {
  readonly root: RawJson;
  readonly references: ReadonlyMap<RawJson, Reference>;
}

/** Reads a schema and resolves every reference in it, without following any out of it. */
export function readSchema(root: RawJson): SchemaDocument {
  const reader = rememberingReader();
  const whole: Resource = { raw: root, path: [], uri: undefined };
  const names: Names = { whole, reader, resources: new Map(), anchors: new Map() };
  const places = new Map<RawJson, Place>();
  const visit = (start: Place): void => {
    const open = [start];
    for (const place of open) {
      if (places.has(place.raw)) continue;
      const here = enter(place, names);
      places.set(here.raw, here);
      for (const { raw, path } of childSchemas(here.raw, reader)) {
        open.push({ raw, path: [...here.path, ...path], resource: here.resource });
      }
    }
  };
  visit({ raw: root, path: [], resource: whole });

  const references = new Map<RawJson, Reference>();
  // The map of places grows while it is walked: a reference may lead to a part that no keyword holds.
  for (const { raw, path, resource } of places.values()) {
    const keyword = REFERENCES.find((key) => stringOf(reader.members(raw).get(key)) !== undefined);
    if (keyword === undefined) continue;
    const text = stringOf(reader.members(raw).get(keyword)) ?? '';
    const target = resolveReference(text, resource, names);
    references.set(raw, { path, keyword, text, target });
    if (target.kind !== 'local' || kindOf(target.raw) !== 'object') continue;
    visit({ raw: target.raw, path: target.path, resource });
  }
  return { root, ...reader, references };
}

/** Takes down what names a schema gives itself. */
function enter(place: Place, names: Names): Place {
  const { raw, path } = place;
  const members = names.reader.members(raw);
  const id = stringOf(members.get('$id'));
  let { resource } = place;
  if (id?.startsWith('#') === true) {
    // How drafts before 2019-09 write an anchor.
    names.anchors.set(id.slice(1), place);
  } else if (id !== undefined) {
    const uri = absoluteUri(id, resource.uri);
    resource = { raw, path, uri };
    names.resources.set(uri, resource);
    names.resources.set(id.replace(/#$/, ''), resource);
  }
  const here = { raw, path, resource };
  for (const keyword of ['$anchor', '$dynamicAnchor']) {
    const anchor = stringOf(members.get(keyword));
    if (anchor !== undefined) names.anchors.set(anchor, here);
  }
  return here;
}

function absoluteUri(id: string, base: string | undefined): string {
  const text = id.replace(/#$/, '');
  return base !== undefined && URL.canParse(text, base) ? new URL(text, base).href : text;
}
