import { removeMember, setMember } from '../protocol/rawEdit.ts';
import { getMember, type RawJson } from '../protocol/rawJson.ts';

/** What a server can only do by telling something of its own accord. */
const TELLING: readonly (readonly [string, string?])[] = [
  ['logging'],
  ['tools', 'listChanged'],
  ['prompts', 'listChanged'],
  ['resources', 'listChanged'],
  ['resources', 'subscribe'],
];

/** The capabilities that are left, and the names of the others. */
function answeringCapabilities(capabilities: RawJson): {
  readonly capabilities: RawJson;
  readonly left: readonly string[];
} {
  const left: string[] = [];
  let result = capabilities;
  for (const [name, part] of TELLING) {
    const value = getMember(result, name);
    if (value === undefined) continue;
    if (part === undefined) {
      result = removeMember(result, name);
      left.push(name);
    } else if (getMember(value, part) !== undefined) {
      result = setMember(result, name, removeMember(value, part));
      left.push(`${name}.${part}`);
    }
  }
  return { capabilities: result, left };
}

/** The answer to a handshake (InitializeResult or DiscoverResult) of a server that can only answer. */
export function answeringResult(raw: RawJson): {
  readonly result: RawJson;
  readonly left: readonly string[];
} {
  const promised = getMember(raw, 'capabilities');
  if (promised === undefined) return { result: raw, left: [] };
  const { capabilities, left } = answeringCapabilities(promised);
  const result = left.length === 0 ? raw : setMember(raw, 'capabilities', capabilities);
  return { result, left };
}
