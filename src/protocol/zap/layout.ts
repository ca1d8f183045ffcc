import type { Frame } from '../frame.ts';

/** The fixed bytes of a message of MCP over ZAP; every number is little-endian. */
export const MAGIC = Buffer.from('ZAP\0', 'latin1');

/** The version that is written. A later one differs in what the message is part of, not in how it is laid out. */
export const VERSION = 1;

/** The versions that are read. */
export const VERSIONS: ReadonlySet<number> = new Set([1, 2]);

export const HEADER_BYTES = 16;

/** Where the header's fields stand. */
export const Header = { version: 4, flags: 6, root: 8, size: 12 } as const;

/** How long the fixed section of the root object is. */
export const OBJECT_BYTES = 88;

/** Where the fields of the root object stand in it. A slot is the relative offset of its bytes and their length. */
export const Field = {
  seq: 0,
  codec: 8,
  errorCode: 12,
  session: 16,
  subject: 24,
  sig: 32,
  id: 40,
  method: 48,
  params: 56,
  result: 64,
  errorMessage: 72,
  errorData: 80,
} as const;

/** The kinds of messages, which stand in the upper byte of the flags. */
export const KIND = { request: 1, response: 2, notify: 3 } as const satisfies Record<
  Frame['kind'],
  number
>;

/** The bit of the flags that makes a response an error, even one whose members are all zero. */
export const ERROR_FLAG = 1;

/** How a payload is encoded. */
export const Codec = { json: 0, binary: 1, none: 2 } as const;
