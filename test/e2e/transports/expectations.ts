import type { Outcome } from '../interop/cells/cell.ts';
import type { Lane } from '../interop/lane.ts';
import { clientOf, serverOf } from './lane.ts';

/** What clients do on every lane. */
export const THINGS = ['open', 'list', 'call', 'ask', 'cancel', 'progress'] as const;
export type Thing = (typeof THINGS)[number];

/** What becomes of a thing on a lane; a refusal is told in these words. */
export type Expectation =
  | { readonly outcome: Exclude<Outcome, 'refused' | 'lowered'> }
  | { readonly outcome: 'refused'; readonly words: string };

interface Row {
  readonly thing: Thing;
  readonly client: RegExp;
  readonly server: RegExp;
  readonly expected: Expectation;
}

const ANY = /^/;
const refused = (words: string): Expectation => ({ outcome: 'refused', words });

/** The whole table: what no row names crosses, and the first row that names it holds. */
const ROWS: readonly Row[] = [
  {
    // The SDK asks a process of its own first, and keeps to itself what it was told there.
    thing: 'open',
    client: /modern stdio/,
    server: /modern sse/,
    expected: refused('the server did not offer pinned protocol version 2026-07-28'),
  },
  {
    // No revision of the modern era is spoken to a server over HTTP+SSE.
    thing: 'open',
    client: ANY,
    server: /modern sse/,
    expected: refused('HTTP+SSE at the same address failed, too: it refused initialize with'),
  },
  {
    thing: 'ask',
    client: ANY,
    server: /legacy zap/,
    expected: refused(
      'The server asked elicitation/create, and over ZAP a question has no way to the client.',
    ),
  },
  {
    thing: 'ask',
    client: /legacy zap/,
    server: /legacy/,
    expected: refused(
      'The server asks elicitation/create, but this client does not support elicitation; use a client that does',
    ),
  },
  {
    // Here it is the server that says so.
    thing: 'ask',
    client: /legacy zap/,
    server: /modern/,
    expected: refused("Cannot request input 'answer' (elicitation/create)"),
  },
  // A connection of ZAP carries requests and their answers, and nothing else.
  { thing: 'progress', client: /zap/, server: ANY, expected: { outcome: 'unsaid' } },
  { thing: 'progress', client: ANY, server: /zap/, expected: { outcome: 'unsaid' } },
];

export function expectationOf(lane: Lane, thing: Thing): Expectation {
  const [client, server] = [clientOf(lane), serverOf(lane)];
  const row = ROWS.find(
    (each) => each.thing === thing && each.client.test(client) && each.server.test(server),
  );
  return row?.expected ?? { outcome: 'crosses' };
}
