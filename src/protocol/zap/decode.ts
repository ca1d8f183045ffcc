import { isUtf8 } from 'node:buffer';
import {
  type Frame,
  type FrameError,
  type IdToken,
  type OtherPayload,
  type Provenance,
} from '../frame.ts';
import { setMember } from '../rawEdit.ts';
import { kindOf, rawJsonFrom, toRaw, type RawJson } from '../rawJson.ts';
import { Codec, ERROR_FLAG, Field, Header, HEADER_BYTES, KIND, MAGIC } from './layout.ts';
import { OBJECT_BYTES, VERSIONS } from './layout.ts';

/** Why bytes are no message of MCP over ZAP. */
export type ZapFlaw =
  | 'short'
  | 'wrong-magic'
  | 'unknown-version'
  | 'unknown-kind'
  | 'size-out-of-bounds'
  | 'root-out-of-bounds'
  | 'slot-out-of-bounds'
  /** The slots together point to more bytes than there are, which only a message made to exhaust memory does. */
  | 'slots-overlap'
  | 'text-not-utf8'
  | 'id-not-json-rpc'
  | 'payload-not-json'
  | 'unknown-codec';

/** What the bytes turned out to be. Of a refused message `kind` and `id` are told as far as they could be read. */
export type ZapReading =
  | { readonly kind: 'frame'; readonly frame: Frame }
  | {
      readonly kind: 'refused';
      readonly flaw: ZapFlaw;
      readonly of?: Frame['kind'];
      readonly id?: IdToken;
    };

const KINDS: ReadonlyMap<number, Frame['kind']> = new Map([
  [KIND.request, 'request'],
  [KIND.response, 'response'],
  [KIND.notify, 'notify'],
]);

const SLOTS = Object.values(Field).filter((field) => field >= Field.session);

const NOWHERE = { start: 0, end: 0 };

const NULL = Buffer.from('null');

/**
 * Reads one message of MCP over ZAP. Everything kept is a copy, so that the frame outlives the bytes it came in; it never
 * throws, and takes no more memory than a small multiple of the message's own length.
 */
export function decodeZap(bytes: Buffer): ZapReading {
  if (bytes.length < HEADER_BYTES) return { kind: 'refused', flaw: 'short' };
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) {
    return { kind: 'refused', flaw: 'wrong-magic' };
  }
  if (!VERSIONS.has(bytes.readUInt16LE(Header.version))) {
    return { kind: 'refused', flaw: 'unknown-version' };
  }
  const flags = bytes.readUInt16LE(Header.flags);
  const kind = KINDS.get(flags >> 8);
  if (kind === undefined) return { kind: 'refused', flaw: 'unknown-kind' };
  const size = bytes.readUInt32LE(Header.size);
  if (size < HEADER_BYTES || size > bytes.length) {
    return { kind: 'refused', flaw: 'size-out-of-bounds', of: kind };
  }
  const root = bytes.readUInt32LE(Header.root);
  if (root < HEADER_BYTES || root + OBJECT_BYTES > size) {
    return { kind: 'refused', flaw: 'root-out-of-bounds', of: kind };
  }
  const object = new RootObject(bytes.subarray(0, size), root);
  const frame = frameOf(kind, (flags & ERROR_FLAG) !== 0, object);
  const { flaw } = object;
  if (flaw === undefined && frame !== undefined) return { kind: 'frame', frame };
  const id = frame === undefined || frame.kind === 'notify' ? undefined : frame.id;
  return {
    kind: 'refused',
    flaw: flaw ?? 'id-not-json-rpc',
    of: kind,
    ...(id !== undefined && { id }),
  };
}

/** The frame that an object holds; undefined for a request that cannot be answered, because it has no id. */
function frameOf(kind: Frame['kind'], isError: boolean, object: RootObject): Frame | undefined {
  const provenance = object.provenance();
  const received = provenance === undefined ? {} : { provenance };
  if (kind === 'notify') {
    const method = object.text(Field.method);
    return { kind, method, ...paramsOf(object), ...received };
  }
  const id = object.id();
  if (kind === 'request') {
    const method = object.text(Field.method);
    return id === undefined ? undefined : { kind, id, method, ...paramsOf(object), ...received };
  }
  const slot = isError ? Field.errorData : Field.result;
  const { json, otherPayload } = object.payload(slot);
  const other = otherPayload === undefined ? {} : { otherPayload };
  return isError
    ? { kind, id, error: errorOf(object, json), ...other, ...received }
    : { kind, id, result: json ?? NULL, ...other, ...received };
}

function paramsOf(object: RootObject): { params?: RawJson; otherPayload?: OtherPayload } {
  const { json, otherPayload } = object.payload(Field.params);
  if (otherPayload !== undefined) return { otherPayload };
  return json === undefined ? {} : { params: json };
}

function errorOf(object: RootObject, data: RawJson | undefined): FrameError {
  const code = object.errorCode();
  const message = object.text(Field.errorMessage);
  const raw = toRaw({ code, message });
  return { code, message, data, raw: data === undefined ? raw : setMember(raw, 'data', data) };
}

/** Reads the fields of one object; the first thing found wrong is kept in `flaw`. */
class RootObject {
  flaw: ZapFlaw | undefined;
  readonly #message: Buffer;
  readonly #at: number;
  #taken = 0;

  constructor(message: Buffer, at: number) {
    this.#message = message;
    this.#at = at;
    for (const slot of SLOTS)
      if (this.#rangeOf(slot) === undefined) this.#refuse('slot-out-of-bounds');
  }

  errorCode(): number {
    return this.#message.readInt32LE(this.#at + Field.errorCode);
  }

  text(field: number): string {
    const bytes = this.#view(field);
    if (!isUtf8(bytes)) this.#refuse('text-not-utf8');
    return bytes.toString('utf8');
  }

  /** A null id is read as an absent one. */
  id(): IdToken | undefined {
    const token = this.text(Field.id);
    if (token === '' || token === 'null') return undefined;
    const raw = rawJsonFrom(Buffer.from(token));
    const isWhole = raw?.toString('utf8') === token;
    // Written into the envelope as it is, anything else could add members to it.
    if (isWhole && (kindOf(raw) === 'string' || kindOf(raw) === 'number')) return token;
    this.#refuse('id-not-json-rpc');
    return undefined;
  }

  provenance(): Provenance | undefined {
    const seq = this.#message.readBigUInt64LE(this.#at + Field.seq);
    const session = this.text(Field.session);
    const subject = this.text(Field.subject);
    const sig = Buffer.from(this.#view(Field.sig));
    const isEmpty = seq === 0n && session === '' && subject === '' && sig.length === 0;
    return isEmpty ? undefined : { session, seq, subject, sig };
  }

  payload(field: number): { json?: RawJson; otherPayload?: OtherPayload } {
    const bytes = this.#view(field);
    switch (this.#message[this.#at + Field.codec]) {
      case Codec.json:
        return this.#json(bytes);
      case Codec.binary:
        return { otherPayload: { codec: 'binary', bytes: Buffer.from(bytes) } };
      case Codec.none:
        return { otherPayload: { codec: 'none', bytes: Buffer.from(bytes) } };
      default:
        this.#refuse('unknown-codec');
        return {};
    }
  }

  #json(bytes: Buffer): { json?: RawJson } {
    if (bytes.length === 0) return {};
    const raw = isUtf8(bytes) ? rawJsonFrom(bytes) : undefined;
    if (raw === undefined) this.#refuse('payload-not-json');
    return raw === undefined ? {} : { json: Buffer.from(raw) };
  }

  /** What a slot points to, where it stands; empty where it points nowhere. */
  #view(field: number): Buffer {
    const { start, end } = this.#rangeOf(field) ?? NOWHERE;
    this.#taken += end - start;
    if (this.#taken <= this.#message.length) return this.#message.subarray(start, end);
    this.#refuse('slots-overlap');
    return this.#message.subarray(0, 0);
  }

  #rangeOf(field: number): { start: number; end: number } | undefined {
    const slot = this.#at + field;
    const offset = this.#message.readUInt32LE(slot);
    const length = this.#message.readUInt32LE(slot + 4);
    if (offset === 0 || length === 0) return NOWHERE;
    const start = slot + offset;
    const end = start + length;
    return end > this.#message.length ? undefined : { start, end };
  }

  #refuse(flaw: ZapFlaw): void {
    this.flaw ??= flaw;
  }
}
