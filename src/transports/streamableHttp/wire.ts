import type { IncomingHttpHeaders } from 'node:http';
import type { ClientWire } from '../http/clientWire.ts';

/** What the exchanges of one connection share; headers are those of the moment. */
export interface Wire extends ClientWire {
  /** True while a session of the legacy era is on, whose streams can be taken up again. */
  isResumable(): boolean;
  /** True where requests carry a session id. */
  hasSession(): boolean;
  /** The server does not know the session any more. */
  onSessionLost(): void;
  /** A POST was taken by the server. */
  onAccepted(headers: IncomingHttpHeaders): void;
}
