import { expect } from 'vitest';

/** Where the bridge may write: it stands for nothing in what an end sends. */
export const GAP = '\u0000';

const OWNED =
  /^(progressToken|_meta|io\.modelcontextprotocol\/(protocolVersion|client\w+|logLevel))$/;

/** What the bridge has put into the gap of a line that is otherwise as it was sent. */
export function filledIn(line: string, sent: string): string {
  const [before = '', after = ''] = sent.split(GAP);
  expect(line.slice(0, before.length)).toBe(before);
  expect(line.slice(line.length - after.length)).toBe(after);
  return line.slice(before.length, line.length - after.length);
}

/** Holds a request at the server against the request as the client sent it, and gives its id there. */
export function expectRequest(line: string, from: (id: string) => string): string {
  const id = String((JSON.parse(line) as { id: number }).id);
  const inserted = filledIn(line, from(id)).replace(/^,/, '');
  const owned = JSON.parse(`{${inserted}}`) as Record<string, object>;
  const keys = Object.keys({ ...owned, ...owned['_meta'] });
  expect(keys.filter((key) => !OWNED.test(key))).toEqual([]);
  return id;
}
