import { didYouMean } from '../config/nearestName.ts';
import { describeUrlProblem } from '../config/serverUrl.ts';
import { describeSocketProblem, isLineSocketUrl } from '../config/socketUrl.ts';
import { quote } from '../config/quote.ts';
import { CONCERNS } from '../protocol/concern.ts';
import { isRevision, REVISIONS, type Revision } from '../protocol/revision.ts';
import { parseZapAddress, type ZapAddress } from '../protocol/zap/address.ts';
import { parsePolicy, type DegradePolicy } from '../translate/policy.ts';

/** Takes the reason why a command line cannot be understood. The readers here return its undefined then. */
export type Complain = (reason: string) => undefined;

/** One of a closed list of names. */
export function readName<T extends string>(
  flag: string,
  text: string,
  names: readonly T[],
  complain: Complain,
): T | undefined {
  const found = names.find((name) => name === text);
  if (found !== undefined) return found;
  const hint = didYouMean(text, names);
  const list = hint === '' ? `; it takes ${names.join(', ')}.` : hint;
  return complain(`--${flag} does not know ${quote(text)}${list}`);
}

/** What `--degrade` takes. */
export function readPolicy(text: string, complain: Complain): DegradePolicy | undefined {
  const parsed = parsePolicy(text);
  if (parsed.kind === 'policy') return parsed.policy;
  const hint = didYouMean(parsed.name, ['strict', 'permissive', ...CONCERNS]);
  return complain(
    `--degrade does not know ${quote(parsed.name)}${hint === '' ? '; it takes strict, permissive or names of features.' : hint}`,
  );
}

/** A revision named without a flag. */
export function readRevision(text: string, complain: Complain): Revision | undefined {
  if (isRevision(text)) return text;
  return complain(`unknown revision ${quote(text)}; there are ${REVISIONS.join(', ')}.`);
}

/** A port number; 0 is one. */
export function readPort(text: string, complain: Complain): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= 65535) return port;
  return complain(`--port takes a number from 0 to 65535, not ${quote(text)}.`);
}

/** A time in seconds, as milliseconds. */
export function readHold(text: string, complain: Complain): number | undefined {
  const seconds = /^\d{1,5}(\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (seconds > 0) return Math.round(seconds * 1000);
  return complain(`--hold takes a number of seconds above 0, not ${quote(text)}.`);
}

/** The address of a server; `source` is where it was given. */
export function readUrl(text: string, source: string, complain: Complain): string | undefined {
  const problem = isLineSocketUrl(text) ? describeSocketProblem(text) : describeUrlProblem(text);
  if (problem === undefined) return text;
  return complain(`${source} ${problem.replace('"headers"', '--header')}.`);
}

/** What stands in an environment variable that a flag names. It may be a secret and is never repeated in a message. */
export function readVariable(
  flag: string,
  name: string,
  env: Readonly<Record<string, string | undefined>>,
  complain: Complain,
): string | undefined {
  const value = env[name] ?? '';
  return value === ''
    ? complain(`--${flag} names the environment variable ${quote(name)}, which is not set.`)
    : value;
}

/** Headers of the form `Name=VARIABLE`, as those of `--header`. */
export function readHeaderVariables(
  texts: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  complain: Complain,
): string[] | undefined {
  const headers: string[] = [];
  for (const text of texts) {
    const [, name, variable] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    if (name === undefined || variable === undefined) {
      return complain('--header-env takes NAME=VARIABLE, as in Authorization=MY_TOKEN.');
    }
    const value = readVariable('header-env', variable, env, complain);
    if (value === undefined) return undefined;
    headers.push(`${name}: ${value}`);
  }
  return headers;
}

/** The address to serve MCP over ZAP at. */
export function readZapAddress(text: string, complain: Complain): ZapAddress | undefined {
  const address = parseZapAddress(text);
  if (address.kind !== 'problem') return address;
  return complain(`--zap ${address.problem}, not ${quote(text)}.`);
}

/** A bearer token, wherever it comes from. It is never repeated in a message. */
export function readToken(source: string, text: string, complain: Complain): string | undefined {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  return complain(`${source} must be printable ASCII characters without spaces.`);
}

/** Headers of the form `Name: value`. Values are secrets more often than not and never repeated in a message. */
export function readHeaders(
  texts: readonly string[],
  complain: Complain,
): Record<string, string> | undefined {
  const headers = new Map<string, [string, string]>();
  for (const text of texts) {
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):\s*(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined) {
      return complain(`--header takes 'Name: value', with a name that a header can have.`);
    }
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
      return complain(`The value of --header ${name} holds a character that no header can.`);
    }
    if (headers.has(name.toLowerCase())) return complain(`--header ${name} is given twice.`);
    headers.set(name.toLowerCase(), [name, value.trim()]);
  }
  return Object.fromEntries(headers.values());
}
