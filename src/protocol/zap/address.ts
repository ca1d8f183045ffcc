/** Where MCP over ZAP is spoken. */
export type ZapAddress =
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number };

/** The port of an address that names none. */
const DEFAULT_PORT = 9655;

/** The host of an address that names none. */
const LOOPBACK = '127.0.0.1';

/** In bytes; some systems have less, and some libraries cut off the rest without a word. */
const LONGEST_PATH = 107;

const TCP = /^zap\+tcp:\/\/(\[[0-9a-f:.]+\]|[^/:?#@[\]\s]*)(?::(\d{1,5}))?\/?$/i;
const UNIX = /^zap\+unix:\/\/(\/[^\0]+)$/i;

/** Whether a text is meant as such an address, well-formed or not. */
export function isZapUrl(text: string): boolean {
  return /^zap\+?\w*:/i.test(text);
}

/**
 * Reads `zap+unix:///path`, whose path is taken as it stands, and `zap+tcp://host:port`; `problem` is the predicate of a
 * sentence.
 */
export function parseZapAddress(
  text: string,
): ZapAddress | { readonly kind: 'problem'; readonly problem: string } {
  const [, path] = UNIX.exec(text) ?? [];
  if (path !== undefined) {
    if (Buffer.byteLength(path) <= LONGEST_PATH) return { kind: 'unix', path };
    const problem = `has a path of more than ${LONGEST_PATH} bytes, which no socket can have`;
    return { kind: 'problem', problem };
  }
  if (/^zap\+unix:/i.test(text)) {
    const problem = 'must name a socket by its whole path, as in zap+unix:///run/tools.sock';
    return { kind: 'problem', problem };
  }
  const [, host, digits] = TCP.exec(text) ?? [];
  const port = Number(digits ?? DEFAULT_PORT);
  if (host === undefined || port > 65535) {
    const problem = 'must be zap+unix:///path or zap+tcp://host:port';
    return { kind: 'problem', problem };
  }
  return { kind: 'tcp', host: host === '' ? LOOPBACK : host.replace(/^\[|\]$/g, ''), port };
}

/** The address as it is read. */
export function zapUrl(address: ZapAddress): string {
  if (address.kind === 'unix') return `zap+unix://${address.path}`;
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return `zap+tcp://${host}:${address.port}`;
}
