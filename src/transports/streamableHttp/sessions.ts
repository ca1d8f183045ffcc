import type { IncomingHttpHeaders } from 'node:http';
import { ErrorCode } from '../../protocol/errorCodes.ts';
import type { ErrorReply } from '../http/httpReply.ts';
import { HttpSession, type SessionOptions } from './session.ts';

/** Whether a request names a session that is open at its path. */
export type Found =
  | { readonly kind: 'session'; readonly session: HttpSession }
  | { readonly kind: 'none'; readonly reply: ErrorReply };

export interface SessionsOptions extends SessionOptions {
  /** How many sessions of one path may be open whose clients are away. */
  readonly awayLimit: number;
}

/** The open sessions of a listener. */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #open = new Map<string, HttpSession>();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** Opens a session; of too many whose clients are away, those end that were left longest ago. */
  open(path: string): HttpSession {
    this.#endLongest(path);
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

  /** Clients that went without a word leave sessions behind, each with its own process of some servers. */
  #endLongest(path: string): void {
    const { awayLimit, report } = this.#options;
    const away = [...this.#open.values()]
      .filter((session) => session.path === path && !session.isAttended)
      .sort((a, b) => Number(a.isBusy) - Number(b.isBusy) || a.touchedAt - b.touchedAt);
    for (const session of away.slice(0, Math.max(away.length - awayLimit, 0))) {
      report(`The clients of more than ${awayLimit} sessions are away; the oldest has ended.`);
      session.close();
    }
  }

  closeAll(): void {
    for (const session of [...this.#open.values()]) session.close();
  }
}
