import fc from 'fast-check';
import type { Frame, FrameError, Provenance } from '../../src/protocol/frame.ts';
import { setMember } from '../../src/protocol/rawEdit.ts';
import { toRaw, type RawJson } from '../../src/protocol/rawJson.ts';
import { jsonText } from './arbitraryJson.ts';

const bytes = fc.uint8Array({ maxLength: 24 }).map((array) => Buffer.from(array));
const text = fc.string({ unit: 'binary', maxLength: 12 });

const payload: fc.Arbitrary<RawJson> = jsonText
  .filter((json) => json !== 'null')
  .map((json) => Buffer.from(json));

const id = fc.oneof(
  text.map((value) => JSON.stringify(value)),
  fc.integer().map(String),
  fc.constantFrom('1.0', '12345678901234567890', '-0', '1e3', '""'),
);

const provenance: fc.Arbitrary<{ provenance?: Provenance }> = fc.oneof(
  fc.constant({}),
  fc
    .record({
      session: text,
      seq: fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
      subject: text,
      sig: bytes,
    })
    .map((value) => ({ provenance: value })),
);

const params = fc.oneof(
  payload.map((value) => ({ params: value })),
  fc.constant({}),
  fc
    .record({ codec: fc.constantFrom('binary' as const, 'none' as const), bytes })
    .map((value) => ({ otherPayload: value })),
);

const error: fc.Arbitrary<FrameError> = fc
  .record({
    code: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    message: text,
    data: fc.option(payload, { nil: undefined }),
  })
  .map(({ code, message, data }) => {
    const raw = toRaw({ code, message });
    return { code, message, data, raw: data === undefined ? raw : setMember(raw, 'data', data) };
  });

/** Every message that the wire can carry whole. */
export const wireFrame: fc.Arbitrary<Frame> = fc
  .oneof(
    fc.tuple(fc.record({ kind: fc.constant('request' as const), id, method: text }), params),
    fc.tuple(fc.record({ kind: fc.constant('notify' as const), method: text }), params),
    fc.tuple(
      fc.record({
        kind: fc.constant('response' as const),
        id: fc.option(id, { nil: undefined }),
        result: payload,
      }),
      fc.constant({}),
    ),
    fc.tuple(
      fc.record({
        kind: fc.constant('response' as const),
        id: fc.option(id, { nil: undefined }),
        error,
      }),
      fc.constant({}),
    ),
  )
  .chain(([frame, rest]) => provenance.map((from): Frame => ({ ...frame, ...rest, ...from })));
