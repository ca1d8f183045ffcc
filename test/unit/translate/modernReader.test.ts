import { describe, expect, test } from 'vitest';
import { notify, type FrameError } from '../../../src/protocol/frame.ts';
import { messageBytes } from '../../../src/protocol/jsonRpc.ts';
import { profileOf } from '../../../src/protocol/profile.ts';
import type { Revision } from '../../../src/protocol/revision.ts';
import { discoverResult } from '../../../src/translate/discoverResult.ts';
import { salientParams, toLegacyParams } from '../../../src/translate/legacyRequest.ts';
import { errorForModern } from '../../../src/translate/modernError.ts';
import { PERMISSIVE, STRICT, type DegradePolicy } from '../../../src/translate/policy.ts';
import { lowerResult } from '../../../src/translate/results/lowerResult.ts';
import { listenResult, withSubscription } from '../../../src/translate/subscription.ts';
import { lowerToolList } from '../../../src/translate/toolList/lowerToolList.ts';

const OWN = '"io.modelcontextprotocol/';
const SERVER = Buffer.from('{ "name":"old" }');

describe('params for a legacy server', () => {
  test.each([
    [
      'lose what the modern era says in each request, and keep every other byte',
      `{ "a" : 1.0, "_meta":{${OWN}protocolVersion":"2026-07-28","x":1e3,${OWN}clientInfo":{},${OWN}clientCapabilities":{},${OWN}logLevel":"info","progressToken":"p"},"n":-0 }`,
      '{ "a" : 1.0, "_meta":{"x":1e3,"progressToken":"p"},"n":-0 }',
    ],
    [
      'lose a _meta that held nothing else',
      `{"a":1,"_meta":{${OWN}protocolVersion":"x"}}`,
      '{"a":1}',
    ],
    [
      'lose the answers to questions',
      '{"requestState":"s","a":1,"inputResponses":{"k":{}}}',
      '{"a":1}',
    ],
    ['stay as they are by position', '[1, 2]', '[1, 2]'],
    ['stay as they are without _meta', '{ "a":1 }', '{ "a":1 }'],
  ])('%s', (_name, params, expected) => {
    expect(toLegacyParams(Buffer.from(params)).toString('utf8')).toBe(expected);
  });

  test('are told apart by what is asked alone', () => {
    const params = Buffer.from('{"a":1,"_meta":{"x":1},"inputResponses":{},"requestState":"s"}');
    expect(salientParams(params).toString('utf8')).toBe('{"a":1}');
  });
});

function complete(
  method: string,
  text: string,
  from: Revision,
  to: Revision,
  policy: DegradePolicy = STRICT,
) {
  const outcome = lowerResult(method, Buffer.from(text), {
    from: profileOf(from),
    to: profileOf(to),
    policy,
    promisedOutput: false,
    serverInfo: SERVER,
  });
  return outcome.kind === 'changed' ? outcome.raw.toString('utf8') : outcome.kind;
}

describe('a result for a modern reader', () => {
  test.each([
    [
      'tools/call',
      '{ "content":[],"n":1.0 }',
      '{ "content":[],"n":1.0,"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{ "name":"old" }} }',
    ],
    [
      'prompts/list',
      '{"prompts":[],"_meta":{"k":-0}}',
      '{"prompts":[],"_meta":{"k":-0,"io.modelcontextprotocol/serverInfo":{ "name":"old" }},"resultType":"complete","ttlMs":0,"cacheScope":"private"}',
    ],
    [
      'x/unknown',
      '{}',
      '{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{ "name":"old" }}}',
    ],
  ])('of %s gains by insertion what the reader needs', (method, text, expected) => {
    expect(complete(method, text, '2025-11-25', '2026-07-28')).toBe(expected);
  });

  test.each([
    ['tools/call', '{"resultType":"input_required","requestState":"s"}'],
    ['tools/call', '{"resultType":"task","taskId":"t"}'],
    [
      'tools/call',
      '{ "resultType":"complete","content":[{"type":"text","text":"\\u0041"}],"x":1.0 }',
    ],
    ['tools/list', '{"tools":[],"resultType":"complete","ttlMs":1e3,"cacheScope":"public"}'],
    ['x/unknown', '{"a":null,"resultType":"complete"}'],
  ])('of %s from a modern server keeps every byte', (method, text) => {
    expect(complete(method, text, '2026-07-28', '2026-07-28')).toBe('unchanged');
    expect(complete(method, text, '2026-07-28', 'draft')).toBe('unchanged');
  });

  test('of a modern server that forgot what it owes is refused, or completed', () => {
    const text = '{"tools":[],"ttlMs":-1}';
    expect(complete('tools/list', text, '2026-07-28', '2026-07-28')).toBe('refused');
    expect(complete('tools/list', text, '2026-07-28', '2026-07-28', PERMISSIVE)).toBe(
      '{"tools":[],"ttlMs":0,"resultType":"complete","cacheScope":"private"}',
    );
  });
});

describe('an error for a modern client', () => {
  const params = Buffer.from('{"uri":"a:b"}');
  const read = (text: string, method = 'resources/read'): string => {
    const { code, message } = JSON.parse(text) as FrameError;
    const raw = Buffer.from(text);
    const data = text.includes('"data"')
      ? Buffer.from(/"data":(.*)}$/.exec(text)?.[1] ?? '')
      : undefined;
    const error = { code, message, data, raw };
    return errorForModern(method, error, params, profileOf('2026-07-28')).raw.toString('utf8');
  };

  test.each([
    ['{"code":-32002,"message":"a"}', '{"code":-32602,"message":"a","data":{"uri":"a:b"}}'],
    [
      '{"code":-32002,"message":"a","data":{"uri":"c:d"}}',
      '{"code":-32602,"message":"a","data":{"uri":"c:d"}}',
    ],
    ['{"code":-32002,"message":"a","data":[1]}', '{"code":-32602,"message":"a","data":[1]}'],
    ['{ "code":-32603,"message":"a" }', '{ "code":-32603,"message":"a" }'],
  ])('%s on reading a resource', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test('is the server’s own on everything else', () => {
    const text = '{"code":-32002,"message":"a"}';
    expect(read(text, 'tools/call')).toBe(text);
  });
});

test('a stream names itself in all that it carries', () => {
  const frame = notify('x/y', Buffer.from('{ "a":1.0,"_meta":{"k":1} }'));
  expect(messageBytes(withSubscription(frame, '"7"')).toString('utf8')).toBe(
    '{"jsonrpc":"2.0","method":"x/y","params":{ "a":1.0,"_meta":{"k":1,"io.modelcontextprotocol/subscriptionId":"7"} }}',
  );
  expect(JSON.parse(listenResult('7').toString('utf8'))).toEqual({
    resultType: 'complete',
    _meta: { 'io.modelcontextprotocol/subscriptionId': 7 },
  });
});

test('a server without a name or instructions is discovered without them', () => {
  const capabilities = Buffer.from('{ "tools":{},"logging":{} }');
  const raw = Buffer.from('{"protocolVersion":"2025-11-25","capabilities":{}}');
  const none = { capabilities, serverInfo: undefined, raw };
  expect(discoverResult(none).toString('utf8')).toBe(
    '{"capabilities":{ "tools":{},"logging":{} },"resultType":"complete","supportedVersions":["2026-07-28","draft"],"ttlMs":0,"cacheScope":"private"}',
  );
});

describe('the headers that a tool wants', () => {
  const list = (annotation: string): Buffer =>
    Buffer.from(
      `{"tools":[{"name":"a","inputSchema":{"type":"object","properties":{"r":{"type":"string","x-mcp-header":${annotation}}}}}]}`,
    );
  const facts = (annotation: string) =>
    lowerToolList(list(annotation), {
      from: profileOf('2025-11-25'),
      to: profileOf('2026-07-28'),
      policy: STRICT,
      upstream: 'stdio',
      aliases: new Map(),
    });

  test('are known for a modern reader even where the server does not need them', () => {
    expect(facts('"Region"')).toMatchObject({
      kind: 'unchanged',
      tools: [{ paramHeaders: [{ header: 'Mcp-Param-Region', path: ['r'] }] }],
    });
  });

  test('cost a tool nothing there that names them badly', () => {
    expect(facts('"a b"')).toMatchObject({ withheld: [], tools: [{ paramHeaders: [] }] });
  });
});
