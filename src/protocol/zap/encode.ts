import { ErrorCode } from '../errorCodes.ts';
import type { Frame, FrameError } from '../frame.ts';
import { membersOf, type RawJson } from '../rawJson.ts';
import { Codec, ERROR_FLAG, Field, Header, HEADER_BYTES, KIND, MAGIC } from './layout.ts';
import { OBJECT_BYTES, VERSION } from './layout.ts';

/** A message on the wire; `lost` names what the wire has no place for, for the end of a sentence. */
export interface Encoded {
  readonly bytes: Buffer;
  readonly lost?: string;
}

const NONE = Buffer.alloc(0);

const ERROR_MEMBERS: ReadonlySet<string> = new Set(['code', 'message', 'data']);

/**
 * Writes a message of MCP over ZAP, byte for byte as the reference's builder does. `before` bytes are left free at the
 * front, for whatever frames the message.
 */
export function encodeZap(frame: Frame, before = 0): Encoded {
  const error = frame.kind === 'response' ? frame.error : undefined;
  const tails = tailsOf(frame, error);
  let size = HEADER_BYTES + OBJECT_BYTES;
  for (const [, bytes] of tails) size += bytes.length;

  const bytes = Buffer.allocUnsafe(before + size).fill(0, 0, before + HEADER_BYTES + OBJECT_BYTES);
  const message = bytes.subarray(before);
  MAGIC.copy(message);
  message.writeUInt16LE(VERSION, Header.version);
  const flags = (KIND[frame.kind] << 8) | (error === undefined ? 0 : ERROR_FLAG);
  message.writeUInt16LE(flags, Header.flags);
  message.writeUInt32LE(HEADER_BYTES, Header.root);
  message.writeUInt32LE(size, Header.size);

  const object = message.subarray(HEADER_BYTES);
  object.writeBigUInt64LE(BigInt.asUintN(64, frame.provenance?.seq ?? 0n), Field.seq);
  object.writeUInt8(Codec[frame.otherPayload?.codec ?? 'json'], Field.codec);
  const code = error === undefined ? 0 : codeOf(error);
  object.writeInt32LE(code, Field.errorCode);
  let end = OBJECT_BYTES;
  for (const [slot, tail] of tails) {
    if (tail.length === 0) continue;
    object.writeUInt32LE(end - slot, slot);
    object.writeUInt32LE(tail.length, slot + 4);
    tail.copy(object, end);
    end += tail.length;
  }
  const lost = lostOf(frame, error, code);
  return lost === undefined ? { bytes } : { bytes, lost };
}

/** The slots with what they point to, in the order in which that follows. */
function tailsOf(frame: Frame, error: FrameError | undefined): [number, Buffer][] {
  const { provenance, otherPayload } = frame;
  const payload = (json: RawJson | undefined): Buffer => otherPayload?.bytes ?? json ?? NONE;
  return [
    [Field.session, text(provenance?.session)],
    [Field.subject, text(provenance?.subject)],
    [Field.sig, provenance?.sig ?? NONE],
    [Field.id, text(frame.kind === 'notify' ? undefined : frame.id)],
    [Field.method, text(frame.kind === 'response' ? undefined : frame.method)],
    [Field.params, frame.kind === 'response' ? NONE : payload(frame.params)],
    [Field.result, frame.kind !== 'response' || error !== undefined ? NONE : payload(frame.result)],
    [Field.errorMessage, text(error?.message)],
    [Field.errorData, error === undefined ? NONE : payload(error.data)],
  ];
}

function text(value: string | undefined): Buffer {
  return value === undefined || value === '' ? NONE : Buffer.from(value);
}

/** A code beyond 32 bits cannot be written, and must not be taken for another one. */
function codeOf({ code }: FrameError): number {
  return (code | 0) === code ? code : ErrorCode.internalError;
}

function lostOf(frame: Frame, error: FrameError | undefined, code: number): string | undefined {
  if (error !== undefined) {
    if (code !== error.code) return `the error code ${error.code}, which is longer than 32 bits`;
    const other = membersOf(error.raw).find(({ key }) => !ERROR_MEMBERS.has(key));
    return other && `the member ${JSON.stringify(other.key)} of an error`;
  }
  if (frame.kind === 'response' || frame.method.isWellFormed()) return undefined;
  return 'half a character in the name of a method';
}
