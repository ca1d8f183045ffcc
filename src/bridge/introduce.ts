import { request, type RequestFrame } from '../protocol/frame.ts';
import { Method } from '../protocol/methods.ts';
import { setMember } from '../protocol/rawEdit.ts';
import { toRaw } from '../protocol/rawJson.ts';
import type { ClientIdentity } from './client.ts';

/**
 * The \`initialize\` with which a client of the modern era is introduced to a server of the legacy one. That era demands a
 * name of its clients, which the modern one lets them keep to themselves.
 */
export function introduce({ capabilities, info }: ClientIdentity): RequestFrame {
  const params = setMember(toRaw({}), 'capabilities', capabilities);
  const unnamed = toRaw({ name: 'unnamed client', version: '0' });
  return request('0', Method.initialize, setMember(params, 'clientInfo', info ?? unnamed));
}
