/** A text as whoever decodes it reads it, and where in the original its characters stand. */
export interface DecodedText {
  readonly text: string;
  /** The offset in the original of an offset in `text`. */
  readonly originOf: (offset: number) => number;
}

/** What an escape stands for, and how long it is. */
interface Escape {
  readonly character: string;
  readonly length: number;
}

/** Those of one letter; every other character behind a backslash stands for itself. */
const CONTROLS: ReadonlyMap<string, Escape> = new Map(
  Object.entries({ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }).map(([letter, character]) => [
    letter,
    { character, length: 2 },
  ]),
);
const CODE = /^[0-9a-f]{4}$/i;
/** One character of UTF-8 as addresses and forms write it. */
const PERCENT =
  /^(?:%[0-7][0-9a-f]|%[cd][0-9a-f]%[89ab][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f]){2}|%f[0-7](?:%[89ab][0-9a-f]){3})/i;
const LONGEST_PERCENT = 12;

/** Reads the escapes of JSON: programs differ in what they write as one, and some write everything so. */
export function decodeJsonEscapes(text: string): DecodedText | undefined {
  return decode(text, '\\', (at) => {
    const letter = text.charAt(at + 1);
    if (letter !== 'u') return CONTROLS.get(letter) ?? { character: letter, length: 2 };
    const code = text.slice(at + 2, at + 6);
    if (!CODE.test(code)) return undefined;
    return { character: String.fromCharCode(Number.parseInt(code, 16)), length: 6 };
  });
}

/** Reads the escapes of addresses (RFC 3986, section 2.1). */
export function decodePercentEscapes(text: string): DecodedText | undefined {
  return decode(text, '%', (at) => {
    const [escape] = PERCENT.exec(text.slice(at, at + LONGEST_PERCENT)) ?? [];
    if (escape === undefined) return undefined;
    try {
      return { character: decodeURIComponent(escape), length: escape.length };
    } catch {
      // No character: an overlong or a forbidden one.
      return undefined;
    }
  });
}

/** One reading after another. */
export function decodedFrom(outer: DecodedText, inner: DecodedText): DecodedText {
  return { text: inner.text, originOf: (offset) => outer.originOf(inner.originOf(offset)) };
}

/** Undefined where there is nothing to decode. */
function decode(
  original: string,
  mark: string,
  read: (at: number) => Escape | undefined,
): DecodedText | undefined {
  let text = '';
  let from = 0;
  /** Where each escape ends: in the decoded text, and in the original. */
  const decodedEnds = [0];
  const originEnds = [0];
  let at = original.indexOf(mark);
  while (at >= 0) {
    const escape = read(at);
    if (escape !== undefined) {
      text += original.slice(from, at) + escape.character;
      from = at + escape.length;
      decodedEnds.push(text.length);
      originEnds.push(from);
    }
    at = original.indexOf(mark, at + (escape?.length ?? 1));
  }
  if (from === 0) return undefined;
  return {
    text: text + original.slice(from),
    originOf: (offset) => {
      let low = 0;
      let high = decodedEnds.length - 1;
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if ((decodedEnds[middle] ?? 0) <= offset) low = middle;
        else high = middle - 1;
      }
      return (originEnds[low] ?? 0) + offset - (decodedEnds[low] ?? 0);
    },
  };
}
