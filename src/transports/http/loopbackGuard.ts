import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/** Why a request is turned away before anything else is looked at. */
export type Refusal =
  | { readonly status: 403; readonly message: string }
  | { readonly status: 401; readonly message: string };

/**
 * True for the names under which this listener can be meant. A page that has its own name resolve to 127.0.0.1 (DNS
 * rebinding) sends that name here. Letter case has no meaning in a host name; nothing else is forgiven.
 */
export function isOwnHost(host: string, port: number): boolean {
  const wanted = host.toLowerCase();
  return LOOPBACK_NAMES.some(
    (name) => wanted === `${name}:${port}` || (port === 80 && wanted === name),
  );
}

/**
 * True for an origin on this machine, at any port. It has to stand exactly as a browser would write it: with user
 * information, a path, a trailing dot or a shortened address it is not one.
 */
export function isLoopbackOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false;
  return url.origin === origin.toLowerCase() && LOOPBACK_NAMES.includes(url.hostname);
}

/** Compares in a time that tells nothing about where two tokens differ, nor how long the right one is. */
function isSameToken(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** What a request asks for; `host` where it names the whole address, as it may (RFC 9112, section 3.2.2). */
export function targetOf({ url = '/' }: IncomingMessage): {
  readonly path: string;
  readonly host?: string;
} {
  const [whole, host] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? [];
  const path = url.slice(whole?.length ?? 0).split('?', 1)[0] ?? '';
  return { path: path === '' ? '/' : path, ...(host !== undefined && { host }) };
}

/** The first reason to turn a request away, the same for every path and method. */
export function refusalOf(
  request: IncomingMessage,
  port: number,
  token: string | undefined,
): Refusal | undefined {
  const hosts = request.headersDistinct.host ?? [];
  const { host } = targetOf(request);
  const named = host === undefined ? hosts : [...hosts, host];
  if (hosts.length !== 1 || !named.every((name) => isOwnHost(name, port))) {
    return { status: 403, message: 'The Host header does not name this server.' };
  }
  const origins = request.headersDistinct.origin ?? [];
  if (!origins.every(isLoopbackOrigin)) {
    return { status: 403, message: 'The Origin header names a place that may not call.' };
  }
  if (token !== undefined) {
    const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (!isSameToken(given, token)) {
      return { status: 401, message: 'This server wants the bearer token of its configuration.' };
    }
  }
  return undefined;
}
