import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { answer, fail, reply, type Frame } from '../../../../src/protocol/frame.ts';
import { messageBytes, readMessage } from '../../../../src/protocol/jsonRpc.ts';
import { toRaw } from '../../../../src/protocol/rawJson.ts';
import { decodeZap } from '../../../../src/protocol/zap/decode.ts';
import { encodeZap } from '../../../../src/protocol/zap/encode.ts';
import { encodePeer, decodePeer, type PeerFrame } from '../../../fixtures/zapPeer/wire.ts';
import { wireFrame } from '../../../support/arbitraryFrame.ts';

const CODEC = { binary: 1, none: 2 } as const;

/** The same message as the reference's builder is told of it. */
function toPeer(frame: Frame): PeerFrame {
  const { kind, provenance, otherPayload } = frame;
  const common = {
    kind,
    ...provenance,
    ...(otherPayload && { codec: CODEC[otherPayload.codec] }),
  };
  if (kind !== 'response') {
    const params = otherPayload?.bytes ?? frame.params;
    const named = { ...common, method: frame.method, ...(params && { params }) };
    return kind === 'request' ? { ...named, id: frame.id } : named;
  }
  const identified = { ...common, id: frame.id ?? '' };
  if (frame.error === undefined) return { ...identified, result: frame.result };
  const { code, message, data } = frame.error;
  return { ...identified, error: { code, message, ...(data && { data }) } };
}

describe('the codec and the reference', () => {
  test('write the same bytes', () => {
    fc.assert(
      fc.property(wireFrame, (frame) => {
        const { bytes, lost } = encodeZap(frame);
        expect(lost).toBeUndefined();
        expect(bytes.toString('hex')).toBe(Buffer.from(encodePeer(toPeer(frame))).toString('hex'));
      }),
      { numRuns: 500 },
    );
  });

  test('read the same bytes alike, and the frame that was written', () => {
    fc.assert(
      fc.property(wireFrame, (frame) => {
        const { bytes } = encodeZap(frame);
        const reading = decodeZap(bytes);
        expect(reading).toEqual({ kind: 'frame', frame });
        expect(encodePeer(decodePeer(bytes))).toEqual(new Uint8Array(bytes));
      }),
      { numRuns: 500 },
    );
  });
});

interface Golden {
  readonly name: string;
  readonly hex: string;
  readonly frame: {
    readonly kind: PeerFrame['kind'];
    readonly seq?: string;
    readonly codec?: number;
    readonly session?: string;
    readonly subject?: string;
    readonly sig?: string;
    readonly id?: string;
    readonly method?: string;
    readonly params?: string;
    readonly result?: string;
    readonly error?: { readonly code: number; readonly message: string; readonly data?: string };
  };
  /** The same message as JSON-RPC; null where it has no such form. */
  readonly jsonRpc: string | null;
}

const corpus = JSON.parse(
  readFileSync(new URL('../../../corpus/zap/frames.json', import.meta.url), 'utf8'),
) as Golden[];

describe.each(corpus)('the golden frame: $name', ({ hex, frame, jsonRpc }) => {
  const bytes = Buffer.from(hex, 'hex');

  test('is what the reference writes', () => {
    const { seq, sig, params, result, error, ...rest } = frame;
    const built = encodePeer({
      ...rest,
      ...(seq && { seq: BigInt(seq) }),
      ...(sig && { sig: Buffer.from(sig, 'hex') }),
      ...(params && { params: Buffer.from(params) }),
      ...(result && { result: Buffer.from(result) }),
      ...(error && { error: { ...error, data: Buffer.from(error.data ?? '') } }),
    });
    expect(Buffer.from(built).toString('hex')).toBe(hex);
  });

  test('is read, written and shown as JSON-RPC', () => {
    const reading = decodeZap(bytes);
    if (reading.kind !== 'frame') {
      expect(jsonRpc).toBeNull();
      return;
    }
    expect(messageBytes(reading.frame).toString('utf8')).toBe(jsonRpc);
    // An absent result is written as the null that JSON-RPC demands in its place.
    if (frame.kind !== 'response' || frame.result !== undefined || frame.error !== undefined) {
      expect(encodeZap(reading.frame).bytes.toString('hex')).toBe(hex);
    }
  });
});

const good = encodeZap({
  kind: 'request',
  id: '1',
  method: 'ping',
  params: toRaw({ a: 1 }),
}).bytes;

function changed(change: (bytes: Buffer) => Buffer | undefined): Buffer {
  const bytes = Buffer.from(good);
  return change(bytes) ?? bytes;
}

const put = (at: number, value: number) => (bytes: Buffer) => {
  bytes.writeUInt32LE(value, at);
  return undefined;
};

const withText = (field: 'id' | 'method' | 'params', value: string | Buffer): Buffer =>
  Buffer.from(
    encodePeer({
      kind: 'request',
      id: '1',
      method: 'ping',
      [field]: field === 'params' ? Buffer.from(value) : value,
    }),
  );

describe('what is no message', () => {
  test.each([
    ['nothing', Buffer.alloc(0), 'short'],
    ['half a header', good.subarray(0, 15), 'short'],
    ['another magic', changed((bytes) => void bytes.write('PAZ\0')), 'wrong-magic'],
    ['version 0', changed((bytes) => void bytes.writeUInt16LE(0, 4)), 'unknown-version'],
    ['version 3', changed((bytes) => void bytes.writeUInt16LE(3, 4)), 'unknown-version'],
    ['kind 0', changed((bytes) => void bytes.writeUInt8(0, 7)), 'unknown-kind'],
    ['kind 4', changed((bytes) => void bytes.writeUInt8(4, 7)), 'unknown-kind'],
    ['a size below the header', changed(put(12, 15)), 'size-out-of-bounds'],
    ['a size beyond the bytes', changed(put(12, good.length + 1)), 'size-out-of-bounds'],
    ['a cut message', good.subarray(0, good.length - 1), 'size-out-of-bounds'],
    ['a root in the header', changed(put(8, 8)), 'root-out-of-bounds'],
    ['a root too near the end', changed(put(8, good.length - 87)), 'root-out-of-bounds'],
    ['the largest root', changed(put(8, 0xffffffff)), 'root-out-of-bounds'],
    ['a slot beyond the end', changed(put(16 + 56, 1000)), 'slot-out-of-bounds'],
    ['a slot longer than the rest', changed(put(16 + 60, 8)), 'slot-out-of-bounds'],
    ['the longest slot', changed(put(16 + 60, 0xffffffff)), 'slot-out-of-bounds'],
    [
      'a slot of no use pointing outside',
      changed((b) => put(16 + 64, 99)(b) ?? put(16 + 68, 99)(b)),
      'slot-out-of-bounds',
    ],
    ['an unknown codec', changed((bytes) => void bytes.writeUInt8(3, 16 + 8)), 'unknown-codec'],
    ['no id', withText('id', ''), 'id-not-json-rpc'],
    ['a null id', withText('id', 'null'), 'id-not-json-rpc'],
    ['an id that is an object', withText('id', '{}'), 'id-not-json-rpc'],
    ['an id that adds a member', withText('id', '1,"method":"tools/call"'), 'id-not-json-rpc'],
    ['an id with a space', withText('id', '1 '), 'id-not-json-rpc'],
    ['params that are not JSON', withText('params', '{"a":}'), 'payload-not-json'],
    [
      'params that are not UTF-8',
      withText('params', Buffer.from([0x22, 0xff, 0x22])),
      'payload-not-json',
    ],
    ['two values as params', withText('params', '{}{}'), 'payload-not-json'],
  ])('%s', (_, bytes, flaw) => {
    expect(decodeZap(bytes)).toMatchObject({ kind: 'refused', flaw });
  });

  test('texts that are not UTF-8', () => {
    const bytes = Buffer.from(encodePeer({ kind: 'request', id: '1', method: 'ab' }));
    bytes[bytes.indexOf('ab')] = 0xff;
    expect(decodeZap(bytes)).toEqual({
      kind: 'refused',
      flaw: 'text-not-utf8',
      of: 'request',
      id: '1',
    });
  });

  test('slots that point to the same bytes over and over', () => {
    const long = Buffer.alloc(4096, 0x20);
    const bytes = Buffer.from(encodePeer({ kind: 'request', id: '1', method: 'm', sig: long }));
    const sig = 16 + 32;
    const start = sig + bytes.readUInt32LE(sig);
    for (const slot of [16 + 16, 16 + 24, 16 + 48]) {
      bytes.writeUInt32LE(start - slot, slot);
      bytes.writeUInt32LE(long.length, slot + 4);
    }
    expect(decodeZap(bytes)).toMatchObject({ kind: 'refused', flaw: 'slots-overlap' });
  });

  test('says whose request it was where that can be read', () => {
    expect(decodeZap(withText('params', '{'))).toEqual({
      kind: 'refused',
      flaw: 'payload-not-json',
      of: 'request',
      id: '1',
    });
  });

  test('never throws and keeps no more than a few times its bytes, whatever the bytes are', () => {
    const mutated = fc
      .tuple(
        wireFrame,
        fc.array(fc.tuple(fc.nat(), fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 0x7f, 0xff))), {
          maxLength: 12,
        }),
      )
      .map(([frame, edits]) => {
        const { bytes } = encodeZap(frame);
        for (const [at, value] of edits) bytes[at % bytes.length] = value;
        return bytes;
      });
    const any = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array)),
      fc
        .uint8Array({ maxLength: 300 })
        .map((array) => Buffer.concat([good.subarray(0, 12), Buffer.from(array)])),
      mutated,
    );
    fc.assert(
      fc.property(any, (bytes) => {
        const reading = decodeZap(bytes);
        if (reading.kind !== 'frame') return;
        const { frame } = reading;
        expect(sizeOf(frame)).toBeLessThanOrEqual(8 * bytes.length + 64);
        // What is read can be written, and is the same message then.
        expect(decodeZap(encodeZap(frame).bytes)).toEqual(reading);
        // A result that answers nobody is no message of JSON-RPC.
        if (frame.kind === 'response' && frame.id === undefined && !frame.error) return;
        const line = readMessage(messageBytes(frame));
        expect(line.kind === 'frame' && line.frame.kind).toBe(frame.kind);
      }),
      { numRuns: 3000 },
    );
  });
});

function sizeOf(frame: Frame): number {
  const { provenance, otherPayload } = frame;
  const parts = [
    provenance?.session,
    provenance?.subject,
    provenance?.sig,
    otherPayload?.bytes,
    frame.kind === 'response' ? frame.result : frame.params,
    frame.kind === 'response' ? frame.error?.raw : frame.method,
  ];
  return parts.reduce((sum, part) => sum + (part?.length ?? 0), 0);
}

test('a frame outlives the bytes it was read from', () => {
  const bytes = Buffer.from(good);
  const reading = decodeZap(bytes);
  bytes.fill(0);
  const frame = { kind: 'request', id: '1', method: 'ping', params: toRaw({ a: 1 }) };
  expect(reading).toEqual({ kind: 'frame', frame });
});

test('the second version is read like the first', () => {
  const bytes = Buffer.from(encodePeer({ kind: 'notify', method: 'a' }));
  bytes.writeUInt16LE(2, 4);
  expect(decodeZap(bytes)).toEqual({ kind: 'frame', frame: { kind: 'notify', method: 'a' } });
});

test('white space around a payload stays behind', () => {
  expect(decodeZap(withText('params', ' \n{"a": 1}\n'))).toMatchObject({
    frame: { params: Buffer.from('{"a": 1}') },
  });
});

test('an error whose members are all zero is an error', () => {
  const bytes = Buffer.from(
    encodePeer({ kind: 'response', id: '1', error: { code: 0, message: '' } }),
  );
  expect(decodeZap(bytes)).toMatchObject({ frame: { error: { code: 0, message: '' } } });
});

describe('what the wire has no place for is named', () => {
  test.each([
    [
      { code: 2 ** 40, message: 'm', raw: toRaw({ code: 2 ** 40, message: 'm' }) },
      /error code 1099511627776/,
    ],
    [{ code: 1, message: 'm', raw: toRaw({ code: 1, message: 'm', cause: 2 }) }, /"cause"/],
  ])('of an error', (error, lost) => {
    expect(encodeZap({ kind: 'response', id: '1', error }).lost).toMatch(lost);
  });

  test('of a method', () => {
    expect(encodeZap({ kind: 'notify', method: '\ud800' }).lost).toBeDefined();
  });
});

describe('a reply', () => {
  const provenance = { session: 's', seq: 7n, subject: 'client', sig: Buffer.from([1]) };
  const asked = { kind: 'request', id: '"a"', method: 'm', provenance } as const;
  const own = { session: 's', seq: 7n, subject: '', sig: Buffer.alloc(0) };

  test('carries session, number and id of its request', () => {
    expect(answer(asked, toRaw({}))).toMatchObject({ id: '"a"', provenance: own });
    expect(fail(asked, 1, 'm')).toMatchObject({ id: '"a"', provenance: own });
  });

  test('keeps who signed it', () => {
    const signed = { session: 'other', seq: 1n, subject: 'server', sig: Buffer.from([2]) };
    const response = { kind: 'response', id: '9', result: toRaw({}), provenance: signed } as const;
    expect(reply(asked, response)).toEqual({
      ...response,
      id: '"a"',
      provenance: { ...signed, session: 's', seq: 7n },
    });
  });

  test('to a request of JSON-RPC has none of it', () => {
    const plain = { kind: 'request', id: '1', method: 'm' } as const;
    expect(answer(plain, toRaw({}))).toEqual({ kind: 'response', id: '1', result: toRaw({}) });
  });
});
