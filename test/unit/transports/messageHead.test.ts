import { expect, test } from 'vitest';
import { peekMessage } from '../../../src/transports/messageHead.ts';

test.each([
  ['{"jsonrpc":"2.0","id":7,"result":{"content":[{"te', { kind: 'answer', id: '7' }],
  ['{"id":"a b","error":{"cod', { kind: 'answer', id: '"a b"' }],
  ['{"result":{"id":7,"con', { kind: 'answer' }],
  ['{"id":12', { kind: 'unknown' }],
  ['{"id":null,"result":"', { kind: 'answer' }],
  ['{"method":"x","id":3,"params":{', { kind: 'call', id: '3' }],
  ['{"params":{"method":"x', { kind: 'unknown' }],
  ['Server running', { kind: 'unknown' }],
])('reads the front of %j', (head, expected) => {
  expect(peekMessage(Buffer.from(head))).toEqual(expected);
});

test.each([
  ['xxx"}],"jsonrpc":"2.0","id":7}', { kind: 'answer', id: '7' }],
  ['xxx"},"id":"a","jsonrpc":"2.0"}', { kind: 'answer', id: '"a"' }],
  ['xxx","id":7}}', { kind: 'answer' }],
  ['xxx\\",\\"id\\":7}"}', { kind: 'answer' }],
])('reads the end %j of an answer', (tail, expected) => {
  expect(peekMessage(Buffer.from('{"result":{"text":"x'), Buffer.from(tail))).toEqual(expected);
});
