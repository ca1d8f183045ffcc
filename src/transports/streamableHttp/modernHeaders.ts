import type { IncomingHttpHeaders } from 'node:http';
import type { RequestFrame } from '../../protocol/frame.ts';
import { decodeHeaderValue, headersFor, type ParamHeader } from '../../protocol/headerValue.ts';
import { getAt, getMember, kindOf, stringOf } from '../../protocol/rawJson.ts';
import { versionInMeta } from '../../protocol/requestMeta.ts';
import { NAMED_BY } from '../../protocol/standardHeaders.ts';

/** Decimal spellings of one number, of which 42 and 42.0 are two. */
const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** What may stand in a header as it is; all else has to be encoded (2026-07-28, Streamable HTTP, Value Encoding). */
const PLAIN = /^[\t\x20-\x7e]*$/;

/** Why the version header of a request does not go with its body, or undefined where it does. */
export function versionMismatch(
  headers: IncomingHttpHeaders,
  frame: RequestFrame,
): string | undefined {
  const inHeader = headers['mcp-protocol-version'];
  if (typeof inHeader !== 'string') return 'the MCP-Protocol-Version header is missing';
  const inBody = versionInMeta(frame.params);
  if (inBody === undefined || inBody === inHeader) return undefined;
  return `MCP-Protocol-Version is '${inHeader}' but the body says '${inBody}'`;
}

/**
 * Why the headers that repeat parts of a request do not go with its body, or undefined where they do (2026-07-28,
 * Streamable HTTP, Server Validation). `paramHeaders` are those that the tool being called is known to want.
 */
export function headerMismatch(
  headers: IncomingHttpHeaders,
  frame: RequestFrame,
  paramHeaders: (tool: string) => readonly ParamHeader[],
): string | undefined {
  const method = headers['mcp-method'];
  if (typeof method !== 'string') return 'the Mcp-Method header is missing';
  if (method !== frame.method)
    return `Mcp-Method is '${method}' but the body says '${frame.method}'`;
  const named = NAMED_BY.get(frame.method);
  if (named === undefined) return undefined;
  const name = frame.params && stringOf(getMember(frame.params, named));
  const given = headers['mcp-name'];
  // What a request without a name lacks is for its server to say.
  if (name === undefined) {
    return given === undefined ? undefined : `Mcp-Name is given but ${named} is not`;
  }
  const problem = mismatch('Mcp-Name', given, name);
  if (problem !== undefined || named !== 'name') return problem;
  return paramMismatch(headers, frame, paramHeaders(name));
}

function paramMismatch(
  headers: IncomingHttpHeaders,
  frame: RequestFrame,
  paramHeaders: readonly ParamHeader[],
): string | undefined {
  const given = frame.params && getMember(frame.params, 'arguments');
  const expected = headersFor(paramHeaders, given);
  for (const { header, path } of paramHeaders) {
    const inBody = expected[header];
    const inHeader = headers[header.toLowerCase()];
    if (inBody === undefined) {
      if (inHeader !== undefined) return `${header} is given but the argument is not`;
      continue;
    }
    const value = given && getAt(given, path);
    const same = value !== undefined && kindOf(value) === 'number' ? isSameNumber : isSameText;
    const problem = mismatch(header, inHeader, decodeHeaderValue(inBody) ?? inBody, same);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

type Same = (inHeader: string, inBody: string) => boolean;

const isSameText: Same = (inHeader, inBody) => inHeader === inBody;

/** Past the integers that a number can tell apart, the digits have to be the same. */
const isSameNumber: Same = (inHeader, inBody) =>
  inHeader === inBody ||
  (NUMBER.test(inHeader) &&
    Number(inHeader) === Number(inBody) &&
    Math.abs(Number(inBody)) <= Number.MAX_SAFE_INTEGER);

function mismatch(
  header: string,
  value: string | string[] | undefined,
  inBody: string,
  same: Same = isSameText,
): string | undefined {
  if (typeof value !== 'string') return `the ${header} header is missing`;
  if (!PLAIN.test(value)) return `${header} has characters that have to be encoded`;
  const text = decodeHeaderValue(value);
  if (text === undefined) return `${header} is not valid base64`;
  return same(text, inBody) ? undefined : `${header} is '${text}' but the body says '${inBody}'`;
}
