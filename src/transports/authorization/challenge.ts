/** One challenge of a `WWW-Authenticate` header (RFC 9110, section 11.6.1). */
export interface Challenge {
  /** In lower case. */
  readonly scheme: string;
  /** By names in lower case; of a name that stands twice, the first counts. */
  readonly parameters: ReadonlyMap<string, string>;
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const PARAMETER = new RegExp(`^(${TOKEN})[ \\t]*=[ \\t]*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s",]*))`);
const SCHEME = new RegExp(`^(${TOKEN})(?:[ \\t]+|(?=,|$))`);
const TOKEN68 = /^[A-Za-z0-9._~+/-]+=*[ \t]*(?=,|$)/;
const SEPARATORS = /^[\s,]+/;

/** The challenges of a header. What cannot be read is passed over. */
export function readChallenges(header: string): Challenge[] {
  const challenges: { scheme: string; parameters: Map<string, string> }[] = [];
  let rest = header;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    const found = pattern.exec(rest) ?? undefined;
    if (found !== undefined) rest = rest.slice(found[0].length);
    return found;
  };
  while (rest !== '') {
    if (take(SEPARATORS) !== undefined) continue;
    const parameter = take(PARAMETER);
    if (parameter !== undefined) {
      const [, name = '', quoted, bare = ''] = parameter;
      const key = name.toLowerCase();
      const parameters = challenges.at(-1)?.parameters;
      if (parameters?.has(key) === false) {
        parameters.set(key, quoted?.replace(/\\(.)/g, '$1') ?? bare);
      }
      continue;
    }
    const scheme = take(SCHEME);
    if (scheme !== undefined) {
      challenges.push({ scheme: (scheme[1] ?? '').toLowerCase(), parameters: new Map() });
      // What `Negotiate` and its like say is one word, which may look like a parameter.
      take(TOKEN68);
      continue;
    }
    rest = rest.slice(1);
  }
  return challenges;
}

/** What a header says to a client that can show a bearer token; undefined where it asks for none. */
export function bearerChallenge(header: string): Challenge | undefined {
  return readChallenges(header).find(({ scheme }) => scheme === 'bearer');
}
