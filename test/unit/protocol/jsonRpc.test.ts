import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  answer,
  fail,
  request,
  withId,
  withParams,
  withResult,
  type Frame,
} from '../../../src/protocol/frame.ts';
import { messageBytes, readMessage } from '../../../src/protocol/jsonRpc.ts';
import { jsonText } from '../../support/arbitraryJson.ts';

function frameOf(text: string): Frame {
  const reading = readMessage(Buffer.from(text));
  if (reading.kind !== 'frame') throw new Error(`${reading.kind}: ${text}`);
  return reading.frame;
}

const written = (frame: Frame): string => messageBytes(frame).toString('utf8');

describe('reading', () => {
  test.each([
    ['{"jsonrpc":"2.0","id":1,"method":"a"}', 'request', '1'],
    ['{"jsonrpc":"2.0","id":"1","method":"a"}', 'request', '"1"'],
    ['{"jsonrpc":"2.0","id":0,"method":"a"}', 'request', '0'],
    ['{"jsonrpc":"2.0","id":12345678901234567890,"method":"a"}', 'request', '12345678901234567890'],
    ['{"jsonrpc":"2.0","method":"a"}', 'notify', undefined],
    ['{"jsonrpc":"2.0","id":null,"method":"a"}', 'notify', undefined],
    ['{"result":{},"jsonrpc":"2.0","id":7}', 'response', '7'],
    ['{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}', 'response', undefined],
  ])('%s is a %s', (text, kind, id) => {
    const frame = frameOf(text);
    expect(frame.kind).toBe(kind);
    expect('id' in frame ? frame.id : undefined).toBe(id);
  });

  test('of duplicate envelope members the last one counts', () => {
    expect(frameOf('{"jsonrpc":"2.0","id":1,"method":"a","id":2,"method":"b"}')).toMatchObject({
      id: '2',
      method: 'b',
    });
  });

  test.each([
    ['Server v1.2 running on stdio', 'not-json'],
    ['------', 'not-json'],
    ['[INFO] {"jsonrpc":"2.0","id":1,"result":{}}', 'not-json'],
    ['{"level":"info","msg":"db up"}', 'not-json-rpc'],
    ['42', 'not-json-rpc'],
    ['{"jsonrpc":"2.0","id":1,"method":7}', 'not-json-rpc'],
    ['{"jsonrpc":"2.0","id":true,"method":"a"}', 'not-json-rpc'],
    ['{"jsonrpc":"2.0","id":{"a":1},"method":"a"}', 'not-json-rpc'],
    ['{"jsonrpc":"2.0","id":[1],"method":"a"}', 'not-json-rpc'],
    ['', 'not-json'],
  ])('%s is noise', (text, reason) => {
    expect(readMessage(Buffer.from(text))).toEqual({ kind: 'noise', reason });
  });

  test('bytes that are no UTF-8 are noise', () => {
    const bytes = Buffer.from([
      ...Buffer.from('{"jsonrpc":"2.0","id":1,"result":"'),
      0xff,
      0x22,
      0x7d,
    ]);
    expect(readMessage(bytes)).toEqual({ kind: 'noise', reason: 'not-utf8' });
  });

  test('an array is a batch, each message with its own bytes', () => {
    const reading = readMessage(Buffer.from('[{"jsonrpc":"2.0","id":1,"method":"a"}, 1 ]'));
    expect(reading.kind === 'batch' && reading.messages.map(String)).toEqual([
      '{"jsonrpc":"2.0","id":1,"method":"a"}',
      '1',
    ]);
  });

  test.each([
    ['a batch', `[${'1,'.repeat(1000)}1]`],
    ['an envelope', `{"jsonrpc":"2.0","id":1,"result":{}${',"x":1'.repeat(65)}}`],
  ])('%s of absurdly many parts is noise, so that it costs no memory', (_what, text) => {
    expect(readMessage(Buffer.from(text))).toEqual({ kind: 'noise', reason: 'not-json-rpc' });
  });

  test('nothing that is read throws', () => {
    fc.assert(
      fc.property(fc.oneof(jsonText, fc.string()), (text) => {
        readMessage(Buffer.from(text));
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        readMessage(Buffer.from(bytes));
      }),
    );
  });
});

describe('writing', () => {
  const payload = fc.record({ id: fc.constantFrom('1', '"x"'), body: jsonText });

  test('a message that nobody touched leaves with the bytes it came with', () => {
    fc.assert(
      fc.property(payload, fc.boolean(), ({ id, body }, late) => {
        const text = late
          ? `{"result":${body}, "jsonrpc" : "2.0","id": ${id}}`
          : `{"jsonrpc":"2.0","id":${id},"result":${body}}`;
        expect(written(frameOf(text))).toBe(text);
      }),
    );
  });

  test('another id replaces the id alone', () => {
    fc.assert(
      fc.property(payload, ({ id, body }) => {
        const frame = frameOf(`{"id":${id}, "params":${body},"jsonrpc":"2.0","method":"m"}`);
        if (frame.kind !== 'request') throw new Error('no request');
        const params = body === 'null' ? '' : `"params":${body},`;
        if (params === '') return;
        expect(written(withId(frame, '99'))).toBe(
          `{"id":99, ${params}"jsonrpc":"2.0","method":"m"}`,
        );
      }),
    );
  });

  test('an error that could not name its request is written under the id it is given', () => {
    for (const id of ['"id":null,', '']) {
      const frame = frameOf(`{"jsonrpc":"2.0",${id}"error":{"code":-32700,"message":"m"}}`);
      if (frame.kind !== 'response') throw new Error('no response');
      expect(JSON.parse(written(withId(frame, '7')))).toEqual({
        jsonrpc: '2.0',
        id: 7,
        error: { code: -32700, message: 'm' },
      });
    }
  });

  test('another payload replaces the payload alone', () => {
    const frame = frameOf('{ "jsonrpc":"2.0","method":"m" ,"params":{"a":1},"id":1 }');
    if (frame.kind !== 'request') throw new Error('no request');
    expect(written(withParams(frame, Buffer.from('{}')))).toBe(
      '{ "jsonrpc":"2.0","method":"m" ,"params":{},"id":1 }',
    );
  });

  test('params for a request that had none are written', () => {
    const frame = frameOf('{"jsonrpc":"2.0","id":1,"method":"m"}');
    if (frame.kind !== 'request') throw new Error('no request');
    expect(written(withParams(frame, Buffer.from('{}')))).toBe(
      '{"jsonrpc":"2.0","id":1,"method":"m","params":{}}',
    );
  });

  test('replies carry the id of their request', () => {
    const asked = request('"q"', 'm');
    expect(written(answer(asked, Buffer.from('{}')))).toBe(
      '{"jsonrpc":"2.0","id":"q","result":{}}',
    );
    expect(written(fail(asked, -32601, 'no'))).toBe(
      '{"jsonrpc":"2.0","id":"q","error":{"code":-32601,"message":"no"}}',
    );
  });
});

/** Every known client drops such a message without a word, so it must not be written as it came. */
describe('a flawed envelope is written anew around its own payload', () => {
  test.each([
    [
      '{"jsonrpc":"2.0","id":1,"result":{"n":1.0},"x-new":1}',
      'unknown-member',
      '{"jsonrpc":"2.0","id":1,"result":{"n":1.0}}',
    ],
    [
      '{"jsonrpc":"2.0","id":1,"result":{"n":1.0},"error":null}',
      'null-member',
      '{"jsonrpc":"2.0","id":1,"result":{"n":1.0}}',
    ],
    ['{"id":1,"result":{}}', 'missing-jsonrpc', '{"jsonrpc":"2.0","id":1,"result":{}}'],
    [
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"data":{"n":1.0}}}',
      'malformed-error',
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"The peer reported an error without a message.","data":{"n":1.0}}}',
    ],
    [
      '{"jsonrpc":"2.0","id":1,"error":{"code":"E1","message":"m"}}',
      'malformed-error',
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"m"}}',
    ],
    [
      '{"jsonrpc":"2.0","id":1,"error":"no such table"}',
      'malformed-error',
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no such table"}}',
    ],
    [
      '{"jsonrpc":"2.0","id":1,"error":{"code":7,"message":{"a":1.0}}}',
      'malformed-error',
      '{"jsonrpc":"2.0","id":1,"error":{"code":7,"message":"{\\"a\\":1.0}"}}',
    ],
    [
      '{"jsonrpc":"2.0","id":1,"error":{"code":1e300,"message":"m"}}',
      'malformed-error',
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"m"}}',
    ],
    [
      '{"jsonrpc":"2.0","id":1,"result":null,"error":null}',
      'null-member',
      '{"jsonrpc":"2.0","id":1,"result":null}',
    ],
    [
      '{"jsonrpc":"2.0","id":1}',
      'response-without-outcome',
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"The peer answered with neither a result nor an error."}}',
    ],
    [
      '{"jsonrpc":"2.0","method":"m","params":null}',
      'null-params',
      '{"jsonrpc":"2.0","method":"m"}',
    ],
  ])('%s', (text, flaw, repaired) => {
    const frame = frameOf(text);
    expect(frame.flaws).toContain(flaw);
    expect(written(frame)).toBe(repaired);
  });

  test('a result beside an error is an error', () => {
    const frame = frameOf('{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}}');
    expect(frame.flaws).toContain('result-and-error');
    expect(written(frame)).toBe('{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}');
  });

  test('another result is the only change to an untouched envelope', () => {
    const frame = frameOf('{"result":{"a":1},"jsonrpc":"2.0","id":1}');
    if (frame.kind !== 'response' || frame.error !== undefined) throw new Error('no result');
    expect(written(withResult(frame, Buffer.from('{}')))).toBe(
      '{"result":{},"jsonrpc":"2.0","id":1}',
    );
  });
});
