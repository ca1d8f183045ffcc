const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * True for a web address that may be shown or opened though a stranger gave it: `https:`, or `http:` to this machine,
 * without credentials in it.
 */
export function isSafeUrl(text: string): boolean {
  if (text.length > 8192 || text.includes('\\') || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
}
