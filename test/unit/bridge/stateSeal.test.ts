import { describe, expect, test } from 'vitest';
import { StateSeal } from '../../../src/bridge/stateSeal.ts';
import { request } from '../../../src/protocol/frame.ts';

const call = (params: string) => request('1', 'tools/call', Buffer.from(params));
const CALL = call('{"name":"a","arguments":{"x":1}}');
const STATE = { call: 'c', round: 2 };

describe('a sealed state', () => {
  test('opens for the request it was given for, however that is written', () => {
    const seal = new StateSeal(1000);
    const sealed = seal.seal(STATE, CALL);
    const same = call('{ "arguments":{"x":1}, "requestState":"s", "name":"a", "_meta":{} }');
    expect(seal.open(sealed, same)).toMatchObject({ kind: 'state', state: STATE });
  });

  test.each<[string, (sealed: string) => string]>([
    ['nothing', () => ''],
    ['a text', () => 'state'],
    ['a changed payload', (sealed) => `A${sealed.slice(1)}`],
    ['a changed signature', (sealed) => sealed.slice(0, -2)],
    ['a payload alone', (sealed) => sealed.split('.')[0] ?? ''],
    ['a part too many', (sealed) => `${sealed}.x`],
  ])('is not %s', (_name, change) => {
    const seal = new StateSeal(1000);
    expect(seal.open(change(seal.seal(STATE, CALL)), CALL)).toMatchObject({ kind: 'refused' });
  });

  test('opens for no other request, and for no other bridge', () => {
    const seal = new StateSeal(1000);
    const sealed = seal.seal(STATE, CALL);
    const other = call('{"name":"a","arguments":{"x":2}}');
    expect(seal.open(sealed, other)).toMatchObject({ kind: 'refused' });
    expect(seal.open(sealed, { ...CALL, method: 'prompts/get' })).toMatchObject({
      kind: 'refused',
    });
    expect(new StateSeal(1000).open(sealed, CALL)).toMatchObject({ kind: 'refused' });
  });

  test('opens until it has expired', () => {
    let now = 0;
    const seal = new StateSeal(1000, () => now);
    const sealed = seal.seal(STATE, CALL);
    now = 999;
    expect(seal.open(sealed, CALL).kind).toBe('state');
    now = 1000;
    expect(seal.open(sealed, CALL).kind).toBe('refused');
  });
});
