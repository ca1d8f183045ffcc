import { itemsOf, kindOf, membersOf, parseRaw, type RawJson } from './rawJson.ts';

/**
 * One text for all spellings of the same JSON value: white space, member order and escapes do not count; numbers count
 * by their digits as written, since two that JavaScript rounds to one are not the same.
 */
export function canonical(raw: RawJson): string {
  switch (kindOf(raw)) {
    case 'object': {
      // A map, so that of duplicate members the last one counts.
      const members = new Map(membersOf(raw).map(({ key, value }) => [key, value]));
      const sorted = [...members].sort(([a], [b]) => (a < b ? -1 : 1));
      return `{${sorted.map(([key, value]) => `${JSON.stringify(key)}:${canonical(value)}`).join(',')}}`;
    }
    case 'array':
      return `[${itemsOf(raw).map(canonical).join(',')}]`;
    case 'string':
      return JSON.stringify(parseRaw(raw));
    case 'number':
    case 'boolean':
    case 'null':
      return raw.toString('latin1');
  }
}
