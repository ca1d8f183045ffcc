import { isUtf8 } from 'node:buffer';
import type { EnvelopeFlaw, EnvelopeSource, Frame, FrameError } from './frame.ts';
import { skipSpace, skipValue } from './jsonScanner.ts';
import {
  getMember,
  isNull,
  itemsOf,
  kindOf,
  stringOf,
  visitMembers,
  type RawJson,
} from './rawJson.ts';

/** What one received message turned out to be. */
export type Reading =
  | { readonly kind: 'frame'; readonly frame: Frame }
  /** Several messages in one array, which only revision 2025-03-26 allows; each to be read on its own. */
  | { readonly kind: 'batch'; readonly messages: readonly Buffer[] }
  | { readonly kind: 'noise'; readonly reason: NoiseReason };

export type NoiseReason = 'not-utf8' | 'not-json' | 'not-json-rpc';

interface Parts {
  jsonrpc?: RawJson;
  id?: RawJson;
  method?: RawJson;
  params?: RawJson;
  result?: RawJson;
  error?: RawJson;
  unknown: number;
}

/** More messages in one array than any honest peer sends; each costs far more than its few bytes. */
const MAX_BATCH = 1000;

/** An object with more members of its own than this is no envelope. */
const MAX_UNKNOWN = 64;

const ENVELOPE = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);

/**
 * Reads one message (JSON-RPC 2.0) by scanning its envelope; params and result are passed over, not parsed. Of
 * duplicate members the last one counts.
 */
export function readMessage(bytes: Buffer): Reading {
  const start = skipSpace(bytes, 0);
  const end = skipValue(bytes, start);
  if (end < 0 || skipSpace(bytes, end) < bytes.length) return { kind: 'noise', reason: 'not-json' };
  const raw = bytes.subarray(start, end);
  if (!isUtf8(raw)) return { kind: 'noise', reason: 'not-utf8' };
  if (kindOf(raw) === 'array') {
    const messages = itemsOf(raw, MAX_BATCH + 1);
    return messages.length > MAX_BATCH
      ? { kind: 'noise', reason: 'not-json-rpc' }
      : { kind: 'batch', messages };
  }
  if (kindOf(raw) !== 'object') return { kind: 'noise', reason: 'not-json-rpc' };

  const parts: Parts = { unknown: 0 };
  visitMembers(raw, ({ key, value }) => {
    if (ENVELOPE.has(key)) parts[key as keyof Omit<Parts, 'unknown'>] = value;
    else parts.unknown++;
    return parts.unknown <= MAX_UNKNOWN;
  });
  if (parts.unknown > MAX_UNKNOWN) return { kind: 'noise', reason: 'not-json-rpc' };
  const frame = frameFrom(raw, parts);
  return frame === undefined ? { kind: 'noise', reason: 'not-json-rpc' } : { kind: 'frame', frame };
}

function frameFrom(bytes: Buffer, parts: Parts): Frame | undefined {
  const flaws: EnvelopeFlaw[] = [];
  if (stringOf(parts.jsonrpc) !== '2.0') flaws.push('missing-jsonrpc');
  if (parts.unknown > 0) flaws.push('unknown-member');

  const id = isNull(parts.id) ? undefined : parts.id;
  const token = id?.toString('utf8');
  const method = stringOf(parts.method);
  if (method !== undefined) {
    // An id is a string or a number (JSON-RPC 2.0, section 4); nobody could tell what another value names.
    if (id !== undefined && kindOf(id) !== 'string' && kindOf(id) !== 'number') return undefined;
    const params = isNull(parts.params) ? undefined : parts.params;
    if (isNull(parts.params)) flaws.push('null-params');
    if (parts.result !== undefined || parts.error !== undefined) flaws.push('unknown-member');
    if (isNull(parts.id)) flaws.push('null-member');
    const received = { ...source(bytes, id, params), ...(flaws.length > 0 && { flaws }) };
    return token === undefined
      ? { kind: 'notify', method, params, ...received }
      : { kind: 'request', id: token, method, params, ...received };
  }

  if (parts.method !== undefined) return undefined;
  if (parts.params !== undefined) flaws.push('unknown-member');
  if (parts.error !== undefined && !isNull(parts.error)) {
    if (parts.result !== undefined) flaws.push('result-and-error');
    const { error, whole } = readError(parts.error);
    if (!whole) flaws.push('malformed-error');
    return {
      kind: 'response',
      id: token,
      error,
      ...source(bytes, id, parts.error),
      ...(flaws.length > 0 && { flaws }),
    };
  }
  if (parts.result === undefined || token === undefined) {
    // An object with an id but without an outcome still ends the wait of whoever asked.
    if (token === undefined) return undefined;
    const error = makeMalformed('The peer answered with neither a result nor an error.');
    return { kind: 'response', id: token, error, flaws: [...flaws, 'response-without-outcome'] };
  }
  if (parts.error !== undefined) flaws.push('null-member');
  return {
    kind: 'response',
    id: token,
    result: parts.result,
    ...source(bytes, id, parts.result),
    ...(flaws.length > 0 && { flaws }),
  };
}

function source(
  bytes: Buffer,
  id: RawJson | undefined,
  payload: RawJson | undefined,
): { source: EnvelopeSource } {
  return { source: { bytes, id, payload } };
}

function makeMalformed(message: string): FrameError {
  return { code: -32603, message, raw: Buffer.from(JSON.stringify({ code: -32603, message })) };
}

/** The error that an object is; false where it was not whole and what every reader demands was filled in. */
export function readError(raw: RawJson): { error: FrameError; whole: boolean } {
  const code = Number(getMember(raw, 'code')?.toString('latin1'));
  // Some servers send their words alone in place of the object, or another value in place of the words.
  const said = kindOf(raw) === 'object' ? getMember(raw, 'message') : raw;
  const message = stringOf(said);
  const data = getMember(raw, 'data');
  if (Number.isSafeInteger(code) && message !== undefined && said !== raw) {
    return { error: { code, message, data, raw }, whole: true };
  }
  // The words that are there are kept; only what every reader demands is filled in.
  const words = said === undefined || isNull(said) ? undefined : said.toString('utf8');
  const repaired = {
    code: Number.isSafeInteger(code) ? code : -32603,
    message: message ?? words ?? 'The peer reported an error without a message.',
  };
  const members = [`"code":${repaired.code}`, `"message":${JSON.stringify(repaired.message)}`];
  const chunks: Buffer[] = [Buffer.from(`{${members.join(',')}`)];
  if (data !== undefined) chunks.push(Buffer.from(',"data":'), data);
  chunks.push(Buffer.from('}'));
  return { error: { ...repaired, data, raw: Buffer.concat(chunks) }, whole: false };
}

function payloadOf(frame: Frame): RawJson | undefined {
  if (frame.kind !== 'response') return frame.params;
  return frame.error === undefined ? frame.result : frame.error.raw;
}

/**
 * Writes a message as chunks of bytes. A message that came over a wire keeps every byte but its id and payload where
 * those were replaced; one of our own making, or one with a flawed envelope, is written afresh around its raw payload.
 */
export function writeMessage(frame: Frame): Buffer[] {
  const { source: from } = frame;
  const payload = payloadOf(frame);
  const samePresence = (from?.payload === undefined) === (payload === undefined);
  const sameId = frame.kind === 'notify' || (from?.id === undefined) === (frame.id === undefined);
  if (from === undefined || frame.flaws !== undefined || !samePresence || !sameId) {
    return writeAfresh(frame);
  }

  const edits: { at: RawJson; by: Buffer }[] = [];
  if (frame.kind !== 'notify' && from.id !== undefined) {
    const id = Buffer.from(frame.id ?? 'null');
    if (!id.equals(from.id)) edits.push({ at: from.id, by: id });
  }
  if (payload !== undefined && from.payload !== undefined && payload !== from.payload) {
    edits.push({ at: from.payload, by: payload });
  }
  edits.sort((a, b) => a.at.byteOffset - b.at.byteOffset);
  const chunks: Buffer[] = [];
  let done = 0;
  for (const { at, by } of edits) {
    const start = at.byteOffset - from.bytes.byteOffset;
    chunks.push(from.bytes.subarray(done, start), by);
    done = start + at.length;
  }
  chunks.push(from.bytes.subarray(done));
  return chunks;
}

function writeAfresh(frame: Frame): Buffer[] {
  const payload = payloadOf(frame);
  let head = '{"jsonrpc":"2.0"';
  if (frame.kind !== 'notify') head += `,"id":${frame.id ?? 'null'}`;
  if (frame.kind !== 'response') head += `,"method":${JSON.stringify(frame.method)}`;
  if (payload === undefined) return [Buffer.from(`${head}}`)];
  const name =
    frame.kind !== 'response' ? 'params' : frame.error === undefined ? 'result' : 'error';
  return [Buffer.from(`${head},"${name}":`), payload, Buffer.from('}')];
}

/** The whole message in one buffer. */
export function messageBytes(frame: Frame): Buffer {
  return Buffer.concat(writeMessage(frame));
}
