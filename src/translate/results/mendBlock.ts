import { setMember } from '../../protocol/rawEdit.ts';
import {
  getMember,
  kindOf,
  stringOf,
  toRaw,
  type JsonPath,
  type RawJson,
} from '../../protocol/rawJson.ts';
import type { Revision } from '../../protocol/revision.ts';
import type { Edition } from '../edition.ts';
import { describeRaw } from '../report.ts';
import { toStandardBase64 } from './base64.ts';
import { mendContents, unreadable, withPlainText } from './resourceContents.ts';

/** What a block came to: still a block of its type, or what nothing but a text can say. */
export type Mended =
  | { readonly kind: 'whole'; readonly block: RawJson }
  | { readonly kind: 'unreadable'; readonly before: string; readonly text: string };

type Mend = (block: RawJson, at: JsonPath, to: Revision, edition: Edition) => Mended;

/**
 * Makes whole what each type of block must have, as far as that loses nothing (2025-11-25, TextContent, ImageContent,
 * AudioContent, EmbeddedResource, ResourceLink; the earlier revisions say the same).
 */
const BY_TYPE: ReadonlyMap<string, Mend> = new Map([
  ['text', mendText],
  ['image', mendMedia('image')],
  ['audio', mendMedia('audio')],
  ['resource', mendResource],
  ['resource_link', mendLink],
]);

/** A block of a type that is not known comes back as it is. */
export function mendBlock(
  type: string,
  block: RawJson,
  at: JsonPath,
  to: Revision,
  edition: Edition,
): Mended {
  return BY_TYPE.get(type)?.(block, at, to, edition) ?? whole(block);
}

const whole = (block: RawJson): Mended => ({ kind: 'whole', block });

function mendText(block: RawJson, at: JsonPath, _to: Revision, edition: Edition): Mended {
  const text = getMember(block, 'text');
  if (text !== undefined) return whole(withPlainText(block, text, at, edition));
  edition.note('content-block', [...at, 'text'], 'absent', 'an empty text');
  return whole(setMember(block, 'text', toRaw('')));
}

function mendMedia(type: 'image' | 'audio'): Mend {
  return (given, at, _to, edition) => {
    let block = given;
    const mimeType = stringOf(getMember(block, 'mimeType'));
    const data = getMember(block, 'data');
    const standard = data !== undefined && kindOf(data) === 'string' && toStandardBase64(data);
    if (data === undefined || standard === undefined || standard === false) {
      const before = `an ${type} whose data is not base64 (${describeRaw(data)})`;
      return { kind: 'unreadable', before, text: unreadable(type, mimeType) };
    }
    if (standard !== data) {
      const path = [...at, 'data'];
      edition.note('content-block', path, 'base64 in another spelling', 'standard base64');
      block = setMember(block, 'data', standard);
    }
    if (mimeType !== undefined) return whole(block);
    // Nobody can tell what it is an image of; as a resource the same bytes need no type.
    edition.note('content-block', at, `an ${type} without a type`, 'an embedded resource');
    return whole(asResource(block, type));
  };
}

/** Sound or an image as an embedded resource: the same bytes under the same media type. */
export function asResource(block: RawJson, type: 'image' | 'audio'): RawJson {
  let resource = toRaw({ uri: `rosetta:${type}` });
  const mimeType = getMember(block, 'mimeType');
  if (mimeType !== undefined) resource = setMember(resource, 'mimeType', mimeType);
  resource = setMember(resource, 'blob', getMember(block, 'data') ?? toRaw(''));
  let rewritten = setMember(toRaw({ type: 'resource' }), 'resource', resource);
  for (const key of ['annotations', '_meta']) {
    const value = getMember(block, key);
    if (value !== undefined) rewritten = setMember(rewritten, key, value);
  }
  return rewritten;
}

function mendResource(block: RawJson, at: JsonPath, to: Revision, edition: Edition): Mended {
  const resource = getMember(block, 'resource');
  const path = [...at, 'resource'];
  const uri = toRaw('rosetta:resource');
  const mended = resource && mendContents(resource, path, to, uri, edition);
  if (mended === undefined) {
    const before = `an embedded resource that is none (${describeRaw(resource)})`;
    return { kind: 'unreadable', before, text: block.toString('utf8') };
  }
  return whole(mended === resource ? block : setMember(block, 'resource', mended));
}

function mendLink(block: RawJson, at: JsonPath, _to: Revision, edition: Edition): Mended {
  const uri = getMember(block, 'uri');
  if (uri === undefined) {
    const before = 'a resource link without an address';
    return { kind: 'unreadable', before, text: block.toString('utf8') };
  }
  if (getMember(block, 'name') !== undefined) return whole(block);
  edition.note('content-block', [...at, 'name'], 'absent', 'what it is called otherwise');
  return whole(setMember(block, 'name', nameFor(block, uri)));
}

/** The name of a resource that has none: its title, or its address. */
export function nameFor(resource: RawJson, address: RawJson): RawJson {
  const title = getMember(resource, 'title');
  return title !== undefined && kindOf(title) === 'string' ? title : address;
}
