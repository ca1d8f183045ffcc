import type { IncomingHttpHeaders } from 'node:http';
import type { RequestFrame } from '../../protocol/frame.ts';
import { decodeHeaderValue, headersFor, type ParamHeader } from '../../protocol/headerValue.ts';
import { getMember, stringOf } from '../../protocol/rawJson.ts';
import { versionInMeta } from '../../protocol/requestMeta.ts';
import { NAMED_BY } from '../../protocol/standardHeaders.ts';

/** Decimal spellings of one number, of which 42 and 42.0 are two. */
const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

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
  const name =
    named === undefined || frame.params === undefined
      ? undefined
      : stringOf(getMember(frame.params, named));
  if (name === undefined) return undefined;
  const problem = mismatch('Mcp-Name', headers['mcp-name'], name);
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
  for (const { header } of paramHeaders) {
    const inBody = expected[header];
    const inHeader = headers[header.toLowerCase()];
    if (inBody === undefined) {
      if (inHeader !== undefined) return `${header} is given but the argument is not`;
      continue;
    }
    const problem = mismatch(header, inHeader, decodeHeaderValue(inBody) ?? inBody);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function mismatch(
  header: string,
  value: string | string[] | undefined,
  inBody: string,
): string | undefined {
  if (typeof value !== 'string') return `the ${header} header is missing`;
  const text = decodeHeaderValue(value);
  if (text === undefined) return `${header} is not valid base64`;
  if (text === inBody) return undefined;
  if (NUMBER.test(text) && NUMBER.test(inBody) && Number(text) === Number(inBody)) return undefined;
  return `${header} is '${text}' but the body says '${inBody}'`;
}
