import { isZapUrl, parseZapAddress } from '../protocol/zap/address.ts';
import { describeHttpSocketProblem, isSocketUrl } from './socketUrl.ts';

const SCHEMES = 'must start with http:// or https://';
/** What any entry can name, and `--url`. */
const ALL_SCHEMES =
  'must start with http:// or https://, or with unix://, pipe://, zap+unix:// or zap+tcp://';

/** What is wrong with a server's address, as the predicate of a sentence; undefined where it can be used. */
export function describeUrlProblem(text: string): string | undefined {
  if (isZapUrl(text)) {
    const address = parseZapAddress(text);
    return address.kind === 'problem' ? address.problem : undefined;
  }
  const problem = describeHttpProblem(text);
  return problem === SCHEMES ? ALL_SCHEMES : problem;
}

/** The same for an address that can only be one of HTTP. */
export function describeHttpProblem(text: string): string | undefined {
  if (isSocketUrl(text)) return describeHttpSocketProblem(text);
  if (!URL.canParse(text)) {
    return /^[\w.-]+(:\d+)?(\/|$)/.test(text)
      ? SCHEMES
      : 'is not an address; write one such as http://localhost:3000/mcp';
  }
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return SCHEMES;
  }
  // Node's fetch refuses such an address, and it would put a password into every log line.
  if (url.username !== '' || url.password !== '') {
    return 'holds a user name or password; send it in "headers" instead';
  }
  return undefined;
}
