import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { withId, type Frame, type IdToken, type Provenance } from '../../protocol/frame.ts';
import { zapUrl, type ZapAddress } from '../../protocol/zap/address.ts';
import type { ZapReading } from '../../protocol/zap/decode.ts';
import { safeText } from '../sample.ts';
import type { ClientTransport, ClientTransportListener, TransportFailure } from '../transport.ts';
import { describeConnectError } from './connectError.ts';
import { Line } from './line.ts';
import { MAX_IDLE } from './limits.ts';
import { describeFlaw, describeLength, messageOf } from './message.ts';

export interface ZapClientOptions {
  readonly address: ZapAddress;
  readonly connectMs?: number;
  /** What went wrong without being the answer to a request, for a log. */
  readonly report?: (message: string) => void;
}

/** One connection and the request that waits on it. */
interface Exchange {
  readonly line: Line;
  asked: IdToken | undefined;
  connected: boolean;
}

const CONNECT_MS = 10_000;
const NO_SIG = Buffer.alloc(0);

const CLOSED: TransportFailure = {
  kind: 'closed',
  message: 'The connection to the server was closed.',
};

/**
 * The client's side of MCP over ZAP. A connection carries one request and then its response, so that requests under way
 * at once have a connection each; the one given back last is taken first. The server can only answer.
 */
export class ZapClientTransport implements ClientTransport {
  readonly kind = 'zap';
  readonly cancelsByClosing = false;

  readonly #options: ZapClientOptions;
  readonly #exchanges = new Set<Exchange>();
  readonly #idle: Exchange[] = [];
  /** A server of the legacy era can tell its clients apart by nothing else. */
  #session: string = randomUUID();
  #carried: string | undefined;
  #seq = 0n;
  #isLegacy = false;
  #listener: ClientTransportListener | undefined;
  #closed = false;

  constructor(options: ZapClientOptions) {
    this.#options = options;
  }

  start(listener: ClientTransportListener): void {
    this.#listener = listener;
  }

  send(frame: Frame): void {
    // A server that can only answer has asked nothing.
    if (this.#closed || frame.kind === 'response') return;
    const provenance = this.#provenanceOf(frame);
    const outgoing = messageOf({ ...frame, provenance });
    if (outgoing.kind === 'too-large') {
      queueMicrotask(() => this.#refuse(frame, `The message ${describeLength(outgoing.length)}.`));
      return;
    }
    if (outgoing.lost !== undefined) this.#report(`ZAP has no place for ${outgoing.lost}.`);
    const exchange = this.#idle.pop() ?? this.#open();
    exchange.line.write(outgoing.bytes);
    if (frame.kind === 'notify') {
      // Taken again for the next message, which therefore cannot overtake this one.
      this.#release(exchange);
      return;
    }
    exchange.asked = frame.id;
    exchange.line.hold();
  }

  /** The session of the handshake is that of all which the bridge says of its own accord. */
  negotiated(): void {
    this.#isLegacy = true;
    this.#session = this.#carried ?? this.#session;
  }

  /** The response that may still come would be taken for that of the next request. */
  abandon(id: IdToken): void {
    for (const exchange of this.#exchanges) {
      if (exchange.asked !== id) continue;
      exchange.asked = undefined;
      this.#forget(exchange);
    }
  }

  close(): Promise<void> {
    this.#finish(CLOSED);
    return Promise.resolve();
  }

  #provenanceOf({ provenance }: Frame): Provenance {
    this.#carried = provenance?.session;
    if (provenance !== undefined) return provenance;
    return { session: this.#session, seq: ++this.#seq, subject: '', sig: NO_SIG };
  }

  #open(): Exchange {
    const { address, connectMs = CONNECT_MS } = this.#options;
    const socket =
      address.kind === 'unix' ? connect(address.path) : connect(address.port, address.host);
    const late = setTimeout(
      () => socket.destroy(new Error(`it did not answer within ${connectMs / 1000} s`)),
      connectMs,
    );
    socket.once('connect', () => {
      clearTimeout(late);
      exchange.connected = true;
    });
    socket.once('close', () => clearTimeout(late));
    const line = new Line(socket, {
      onReading: (reading) => this.#onReading(exchange, reading),
      onLost: (problem) => this.#fault(exchange, `The server's message ${problem}.`, 'too-large'),
      onClose: (error) => this.#onClose(exchange, error),
    });
    const exchange: Exchange = { line, asked: undefined, connected: false };
    this.#exchanges.add(exchange);
    return exchange;
  }

  #release(exchange: Exchange): void {
    if (!exchange.line.isOpen) return;
    if (this.#idle.length < MAX_IDLE) {
      this.#idle.push(exchange);
      exchange.line.letGo();
    } else {
      this.#exchanges.delete(exchange);
      exchange.line.finish();
    }
  }

  #onReading(exchange: Exchange, reading: ZapReading): void {
    if (reading.kind === 'refused') {
      this.#fault(exchange, `The server's message ${describeFlaw(reading.flaw)}.`);
      return;
    }
    const { frame } = reading;
    const { asked } = exchange;
    if (frame.kind === 'request') {
      const method = safeText(frame.method);
      this.#fault(
        exchange,
        `The server asked ${method}, and over ZAP a question has no way to the client.`,
      );
    } else if (frame.kind === 'notify') {
      // Nothing provides for it, and nothing is lost by passing it on.
      this.#listener?.onFrame(frame, asked);
    } else if (asked === undefined) {
      this.#fault(exchange, 'The server answered without having been asked.');
    } else if (frame.id !== undefined && bare(frame.id) !== bare(asked)) {
      this.#fault(exchange, `The server answered another request (${safeText(frame.id)}).`);
    } else if (frame.otherPayload?.codec === 'binary') {
      this.#fault(
        exchange,
        "The server's answer is binary (codec 1), which only a peer of its own kind can read.",
      );
    } else {
      exchange.asked = undefined;
      this.#release(exchange);
      // The only request on this connection is the one that was answered.
      this.#listener?.onFrame(frame.id === undefined ? withId(frame, asked) : frame, asked);
    }
  }

  /** What the server did makes the rest of this connection unreadable. */
  #fault(exchange: Exchange, message: string, kind: 'malformed' | 'too-large' = 'malformed'): void {
    const { asked } = exchange;
    exchange.asked = undefined;
    this.#forget(exchange);
    if (asked === undefined) this.#report(message);
    else this.#listener?.onRequestFailed(asked, { kind, message });
  }

  #onClose(exchange: Exchange, error: NodeJS.ErrnoException | undefined): void {
    // What was closed from this side has been forgotten before.
    if (!this.#exchanges.has(exchange)) return;
    this.#forget(exchange);
    const { asked, connected } = exchange;
    const message = connected
      ? 'The server closed the connection without an answer.'
      : describeConnectError(this.#options.address, error);
    if (asked !== undefined) this.#listener?.onRequestFailed(asked, { kind: 'network', message });
    else if (!connected) this.#report(message);
    // Whatever listens there now may know nothing of the session that was opened.
    if (this.#isLegacy && this.#exchanges.size === 0) {
      const where = zapUrl(this.#options.address);
      this.#finish({ kind: 'network', message: `The server at ${where} closed its connections.` });
    }
  }

  #forget(exchange: Exchange): void {
    this.#exchanges.delete(exchange);
    const index = this.#idle.indexOf(exchange);
    if (index >= 0) this.#idle.splice(index, 1);
    exchange.line.close();
  }

  #refuse(frame: Frame, message: string): void {
    if (frame.kind !== 'request') this.#report(message);
    else this.#listener?.onRequestFailed(frame.id, { kind: 'too-large', message });
  }

  #finish(failure: TransportFailure): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const exchange of [...this.#exchanges]) this.#forget(exchange);
    this.#listener?.onClose(failure);
  }

  #report(message: string): void {
    if (!this.#closed) this.#options.report?.(message);
  }
}

/** An id that only lost its type, or got one, is still the same. */
function bare(id: IdToken): string {
  return id.replaceAll('"', '');
}
