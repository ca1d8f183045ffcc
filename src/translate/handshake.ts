import { setMember } from '../protocol/rawEdit.ts';
import {
  getMember,
  isNull,
  kindOf,
  toRaw,
  type JsonPath,
  type RawJson,
} from '../protocol/rawJson.ts';
import { isAtLeast, type Revision } from '../protocol/revision.ts';
import type { Edition } from './edition.ts';
import { isEmptyArray, repairMembers } from './members/repairMembers.ts';
import { CAPABILITIES, HANDSHAKE, IMPLEMENTATION } from './members/shapes.ts';
import { describeRaw } from './report.ts';
import { memberMap, withMembers } from './toolList/rawParts.ts';

const EMPTY = toRaw({});

/**
 * Makes an InitializeResult whole for the client that asked for it: without one it has no connection, so that the
 * edition's policy must be `PERMISSIVE`.
 */
export function repairHandshake(edition: Edition, to: Revision): void {
  const repair = { edition, to, concern: 'result-content', owner: 'of the handshake' } as const;
  edition.raw = repairMembers(edition.raw, [], HANDSHAKE, repair);
  repairOffer(edition, to);
  repairServerInfo(edition, to);
}

/** Makes what a server offers readable: each capability is an object, or absent (every revision, ServerCapabilities). */
export function repairOffer(edition: Edition, to: Revision): void {
  const given = getMember(edition.raw, 'capabilities');
  const capabilities = asObject(given, ['capabilities'], edition);
  const members = memberMap(capabilities);
  for (const [key, value] of members) {
    const shape = CAPABILITIES.get(key);
    if (shape === undefined) continue;
    const path = ['capabilities', key];
    let offer = asOffer(value, path, edition);
    const inside = OFFERS.get(key);
    if (offer !== undefined && inside !== undefined && isAtLeast(to, '2025-11-25')) {
      offer = withOffers(offer, path, inside, edition);
    }
    const repair = { edition, to, concern: 'result-content', owner: `of "${key}"` } as const;
    if (offer === undefined) members.delete(key);
    else members.set(key, repairMembers(offer, path, shape, repair));
  }
  const repaired = withMembers(capabilities, members);
  if (repaired !== given) edition.raw = setMember(edition.raw, 'capabilities', repaired);
}

/** The offers that one consists of; `any` where every member is one. */
type Offers = 'any' | ReadonlyMap<string, Offers>;

const LEAF: Offers = new Map();

/** Capabilities that consist of others, which are objects too (2025-11-25, ServerCapabilities). */
const OFFERS: ReadonlyMap<string, Offers> = new Map<string, Offers>([
  ['experimental', 'any'],
  ['extensions', 'any'],
  [
    'tasks',
    new Map([
      ['list', LEAF],
      ['cancel', LEAF],
      ['requests', new Map([['tools', new Map([['call', LEAF]])]])],
    ]),
  ],
]);

function withOffers(offer: RawJson, at: JsonPath, offers: Offers, edition: Edition): RawJson {
  const members = memberMap(offer);
  for (const [key, value] of members) {
    const inside = offers === 'any' ? LEAF : offers.get(key);
    if (inside === undefined) continue;
    const path = [...at, key];
    const inner = asOffer(value, path, edition);
    if (inner === undefined) members.delete(key);
    else members.set(key, withOffers(inner, path, inside, edition));
  }
  return withMembers(offer, members);
}

/** What a server says of a capability without the words for it: true is an offer, false and null are none. */
function asOffer(value: RawJson, path: JsonPath, edition: Edition): RawJson | undefined {
  if (kindOf(value) === 'object') return value;
  if (isNull(value) || value.toString('latin1') === 'false') {
    edition.note('null-member', path, value.toString('latin1'), 'absent');
    return undefined;
  }
  const isPlain = kindOf(value) === 'boolean' || isEmptyArray(value);
  const loss = isPlain ? 'none' : 'lossy';
  edition.note('result-content', path, describeRaw(value), 'an empty object', loss);
  return EMPTY;
}

function asObject(value: RawJson | undefined, path: JsonPath, edition: Edition): RawJson {
  if (value !== undefined && kindOf(value) === 'object') return value;
  const isPlain = value === undefined || isNull(value) || isEmptyArray(value);
  const loss = isPlain ? 'none' : 'lossy';
  edition.note('result-content', path, describeRaw(value), 'an empty object', loss);
  return EMPTY;
}

function repairServerInfo(edition: Edition, to: Revision): void {
  const given = getMember(edition.raw, 'serverInfo');
  const path = ['serverInfo'];
  const repair = { edition, to, concern: 'result-content', owner: 'of the server' } as const;
  let info = repairMembers(asObject(given, path, edition), path, IMPLEMENTATION, repair);
  for (const key of ['name', 'version']) {
    if (getMember(info, key) !== undefined) continue;
    info = setMember(info, key, toRaw('unknown'));
    edition.note('result-content', [...path, key], 'absent', '"unknown"');
  }
  if (info !== given) edition.raw = setMember(edition.raw, 'serverInfo', info);
}
