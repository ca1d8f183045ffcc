import { schemaHolder } from './keywords.ts';
import { memberMap } from '../rawParts.ts';
import { itemsOf, kindOf, type JsonPath, type RawJson } from '../../../protocol/rawJson.ts';

/** One schema object and where it stands. */
export interface SchemaNode {
  readonly raw: RawJson;
  readonly path: JsonPath;
}

/** How parts are read; a reader that remembers gives the same objects for the same part. */
export interface PartReader {
  readonly members: (raw: RawJson) => ReadonlyMap<string, RawJson>;
  readonly items: (raw: RawJson) => readonly RawJson[];
}

/** Reads each part anew. */
const PLAIN_READER: PartReader = { members: memberMap, items: itemsOf };

/** A reader that reads each part once. */
export function rememberingReader(): PartReader {
  const members = new Map<RawJson, ReadonlyMap<string, RawJson>>();
  const items = new Map<RawJson, readonly RawJson[]>();
  const remember = <T>(known: Map<RawJson, T>, raw: RawJson, read: (raw: RawJson) => T): T => {
    const found = known.get(raw) ?? read(raw);
    known.set(raw, found);
    return found;
  };
  return {
    members: (raw) => remember(members, raw, memberMap),
    items: (raw) => remember(items, raw, itemsOf),
  };
}

/** The schemas that stand directly in one, by the keywords that hold schemas; what other keywords hold is data. */
export function childSchemas(raw: RawJson, reader: PartReader): SchemaNode[] {
  const children: SchemaNode[] = [];
  const add = (child: RawJson, ...path: (string | number)[]): void => {
    if (kindOf(child) === 'object') children.push({ raw: child, path });
  };
  for (const [keyword, value] of reader.members(raw)) {
    const holder = schemaHolder(keyword);
    if (holder === undefined) continue;
    const isArray = kindOf(value) === 'array';
    if (holder === 'schemas' || (holder === 'schemaOrSchemas' && isArray)) {
      reader.items(value).forEach((item, index) => {
        add(item, keyword, index);
      });
    } else if (holder === 'schemaMap' || holder === 'dependencies') {
      for (const [key, item] of reader.members(value)) add(item, keyword, key);
    } else {
      add(value, keyword);
    }
  }
  return children;
}

/** A schema and all schemas inside it, outermost first. */
export function schemaNodes(root: RawJson): SchemaNode[] {
  const nodes: SchemaNode[] = [{ raw: root, path: [] }];
  // The list grows while it is walked: no depth of nesting can exhaust the stack.
  for (const { raw, path } of nodes) {
    for (const child of childSchemas(raw, PLAIN_READER)) {
      nodes.push({ raw: child.raw, path: [...path, ...child.path] });
    }
  }
  return nodes;
}
