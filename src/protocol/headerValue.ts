import { getAt, kindOf, stringOf, type RawJson } from './rawJson.ts';

/**
 * How a text is carried in the `Mcp-Name` and `Mcp-Param-*` headers (2026-07-28, Streamable HTTP, Value Encoding).
 */

const OPEN = '=?base64?';
const CLOSE = '?=';

/** Visible ASCII with spaces and tabs inside, which every HTTP stack passes on as it is. */
const PLAIN = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** An argument that a call must repeat as an HTTP header. */
export interface ParamHeader {
  /** The whole field name, `Mcp-Param-` included. */
  readonly header: string;
  /** The names of the nested properties that lead to the argument. */
  readonly path: readonly string[];
}

/**
 * The field value for a text: the text itself where that is safe and cannot be taken for an encoded one, else its
 * base64 form. An empty text is encoded too, because empty fields get lost on the way.
 */
export function encodeHeaderValue(text: string): string {
  if (PLAIN.test(text) && !isEncoded(text)) return text;
  return `${OPEN}${Buffer.from(text).toString('base64')}${CLOSE}`;
}

/** The text that a field value carries, or undefined where its base64 form is not valid. */
export function decodeHeaderValue(value: string): string | undefined {
  if (!isEncoded(value)) return value;
  const inner = value.slice(OPEN.length, -CLOSE.length);
  if (!BASE64.test(inner)) return undefined;
  const text = Buffer.from(inner, 'base64').toString('utf8');
  // Bytes that are not UTF-8 carry no text.
  return Buffer.from(text).toString('base64') === inner ? text : undefined;
}

function isEncoded(value: string): boolean {
  return (
    value.length >= OPEN.length + CLOSE.length && value.startsWith(OPEN) && value.endsWith(CLOSE)
  );
}

/**
 * The `Mcp-Param-*` headers of a call (2026-07-28, Streamable HTTP, Custom Headers). An argument that is absent or null
 * has none, nor has one that is no primitive, which its server refuses by its schema.
 */
export function headersFor(
  paramHeaders: readonly ParamHeader[],
  callArguments: RawJson | undefined,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { header, path } of paramHeaders) {
    const value = callArguments === undefined ? undefined : getAt(callArguments, path);
    const text = value === undefined ? undefined : headerText(value);
    if (text !== undefined) headers[header] = encodeHeaderValue(text);
  }
  return headers;
}

function headerText(value: RawJson): string | undefined {
  switch (kindOf(value)) {
    case 'string':
      return stringOf(value);
    case 'boolean':
      return value.toString('latin1');
    case 'number':
      return decimal(value.toString('latin1'));
    case 'null':
    case 'object':
    case 'array':
      return undefined;
  }
}

/** `42` for `42`, `42.0` and `4.2e1`; a number that JavaScript cannot hold exactly keeps its spelling. */
function decimal(lexeme: string): string {
  const value = Number(lexeme);
  return Number.isSafeInteger(value) ? String(value) : lexeme;
}
