import type { ReceivedHeaders } from './requests.ts';

/** Headers of which each has one value. */
export type SingleHeaders = Readonly<Record<string, string>>;

/** The headers whose several lines make one list (RFC 9110, section 5.3) and that are read here. */
const LISTS: ReadonlySet<string> = new Set(['www-authenticate']);

/** The headers of a response with one value each: of a header that may stand only once, the first counts. */
export function singleValues(headers: ReceivedHeaders): SingleHeaders {
  const single: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    const values = value === undefined || typeof value === 'string' ? [value] : value;
    const one = LISTS.has(name) ? values.join(', ') : values[0];
    if (one !== undefined) single.push([name, one]);
  }
  return Object.fromEntries(single);
}
