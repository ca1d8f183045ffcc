import type { IncomingHttpHeaders } from 'node:http';
import { ErrorCode } from '../../protocol/errorCodes.ts';
import type { ErrorReply } from '../http/httpReply.ts';
import { HttpSession, type SessionOptions } from './session.ts';

/** Whether a request names a session that is open at its path. */
export type Found =
  | { readonly kind: 'session'; readonly session: HttpSession }
  | { readonly kind: 'none'; readonly reply: ErrorReply };

/** The open sessions of a listener. */
export class Sessions {
  readonly #options: SessionOptions;
  readonly #open = new Map<string, HttpSession>();

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  open(path: string): HttpSession {
    const session = new HttpSession(path, this.#options, ({ id }) => this.#open.delete(id));
    this.#open.set(session.id, session);
    return session;
  }

  /** A session belongs to one path; at another one its id is as unknown as any. */
  find(headers: IncomingHttpHeaders, path: string): Found {
    const id = headers['mcp-session-id'];
    const code = ErrorCode.invalidRequest;
    if (typeof id !== 'string') {
      const message = 'The Mcp-Session-Id header is missing. Send initialize first.';
      return { kind: 'none', reply: { status: 400, code, message } };
    }
    const session = this.#open.get(id);
    if (session === undefined || session.path !== path) {
      const message = 'There is no such session. Send initialize to open a new one.';
      return { kind: 'none', reply: { status: 404, code, message } };
    }
    return { kind: 'session', session };
  }

  closeAll(): void {
    for (const session of [...this.#open.values()]) session.close();
  }
}
