import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { canonical } from '../protocol/canonical.ts';
import type { RequestFrame } from '../protocol/frame.ts';
import { parseRaw, toRaw } from '../protocol/rawJson.ts';
import { salientParams } from '../translate/legacyRequest.ts';

/** What the `requestState` of a held call says. */
export interface HeldState {
  /** Which call is held. */
  readonly call: string;
  /** How often its client was asked; an older state has served its turn. */
  readonly round: number;
}

export type StateReading =
  | { readonly kind: 'state'; readonly state: HeldState }
  | { readonly kind: 'refused'; readonly message: string };

interface Payload extends HeldState {
  readonly until: number;
  readonly request: string;
}

/**
 * Seals the state that a client brings back with its answers, so that nothing but what was handed out is taken: bound to
 * the request it was given for, and good for a limited time (2026-07-28, Multi Round-Trip Requests, Server
 * Requirements). The key is made anew for each bridge and never leaves it.
 */
export class StateSeal {
  readonly #key = randomBytes(32);
  readonly #lifeMs: number;
  readonly #now: () => number;

  constructor(lifeMs: number, now: () => number = Date.now) {
    this.#lifeMs = lifeMs;
    this.#now = now;
  }

  seal(state: HeldState, request: RequestFrame): string {
    const until = this.#now() + this.#lifeMs;
    const payload: Payload = { ...state, until, request: digestOf(request) };
    const text = toRaw(payload).toString('base64url');
    return `${text}.${this.#sign(text).toString('base64url')}`;
  }

  open(sealed: string, request: RequestFrame): StateReading {
    const [text = '', signature = '', ...rest] = sealed.split('.');
    const given = Buffer.from(signature, 'base64url');
    const own = this.#sign(text);
    const isOwn = rest.length === 0 && given.length === own.length && timingSafeEqual(given, own);
    if (!isOwn) return refused('it was not given out by this bridge, or was changed');
    // Signed, so that it is what was written above.
    const payload = parseRaw(Buffer.from(text, 'base64url')) as Payload;
    if (payload.until <= this.#now()) return refused('it has expired');
    if (payload.request !== digestOf(request)) return refused('it belongs to another request');
    return { kind: 'state', state: payload };
  }

  #sign(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest();
  }
}

function refused(why: string): StateReading {
  return { kind: 'refused', message: `The requestState is not valid: ${why}.` };
}

function digestOf({ method, params }: RequestFrame): string {
  const salient = params === undefined ? '' : canonical(salientParams(params));
  return createHash('sha256').update(`${method} ${salient}`).digest('base64url');
}
