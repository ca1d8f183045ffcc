import { createServer, type AddressInfo, type Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ErrorCode } from '../../protocol/errorCodes.ts';
import { fail, type NotifyFrame, type RequestFrame } from '../../protocol/frame.ts';
import { zapUrl, type ZapAddress } from '../../protocol/zap/address.ts';
import { listenProblem } from '../listenProblem.ts';
import type { AcceptChannel, ServerTransport } from '../transport.ts';
import { Conversation, type ClientLine } from './conversation.ts';
import { ServerLine } from './serverLine.ts';
import { listenPrivately, makeWay } from '../socketFile.ts';

export interface ZapServerOptions {
  /** Port 0 takes a free one. */
  readonly address: ZapAddress;
  readonly accept: AcceptChannel;
  /** How long a named session outlives its last connection. */
  readonly idleMs?: number;
  /** What went wrong without being anybody's answer, for a log. */
  readonly report?: (message: string) => void;
}

export type ZapListening =
  | { readonly kind: 'listening'; readonly transport: ServerTransport }
  | { readonly kind: 'failed'; readonly message: string };

const IDLE_MS = 30 * 60_000;
/** More than any honest crowd of clients; each may make the bridge hold a message of the largest size. */
const MAX_LINES = 1024;
const MAX_SESSIONS = 1024;
/** What was said last leaves in a later turn; so long it has for that. */
const FAREWELL_MS = 50;

/**
 * Serves MCP over ZAP. A client is told by the session that its messages name, whatever connections they come on; where
 * they name none, each connection is a client of its own.
 */
export async function listenZap(options: ZapServerOptions): Promise<ZapListening> {
  const clients = new Clients(options);
  const server = createServer((socket) => clients.add(new ServerLine(socket, clients)));
  server.maxConnections = MAX_LINES;
  server.on('drop', () =>
    options.report?.(`There are ${MAX_LINES} connections; one more was refused.`),
  );
  const { address } = options;
  const obstacle = address.kind === 'unix' ? await obstacleAt(address.path) : undefined;
  if (obstacle !== undefined) return { kind: 'failed', message: obstacle };
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const message = listenProblem(zapUrl(address), error, 'Choose another address.');
      resolve({ kind: 'failed', message });
    });
    const listening = (): void => {
      const bound = boundAddress(server, address);
      const transport = { address: zapUrl(bound), close: () => closeServer(server, clients) };
      resolve({ kind: 'listening', transport });
    };
    if (address.kind === 'unix') listenPrivately(server, address.path, listening);
    else server.listen(address.port, address.host, listening);
  });
}

async function obstacleAt(path: string): Promise<string | undefined> {
  return process.platform === 'win32'
    ? 'Windows has no such sockets; use zap+tcp://127.0.0.1.'
    : makeWay(path);
}

function boundAddress(server: Server, address: ZapAddress): ZapAddress {
  if (address.kind === 'unix') return address;
  const { port } = server.address() as AddressInfo;
  return { ...address, port };
}

async function closeServer(server: Server, clients: Clients): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  clients.finish();
  await Promise.race([closed, delay(FAREWELL_MS, undefined, { ref: false })]);
  clients.close();
  await closed;
}

/** The conversations of a listener and the connections they are held on. */
class Clients {
  readonly #options: ZapServerOptions;
  readonly #lines = new Set<ServerLine>();
  /** The one that was used last comes last. */
  readonly #named = new Map<string, Conversation>();
  readonly #unnamed = new Map<ClientLine, Conversation>();

  constructor(options: ZapServerOptions) {
    this.#options = options;
  }

  add(line: ServerLine): void {
    this.#lines.add(line);
  }

  onMessage(frame: RequestFrame | NotifyFrame, line: ClientLine): void {
    const conversation = this.#conversationOf(frame.provenance?.session ?? '', line);
    if (conversation === undefined) {
      const message = `There are ${MAX_SESSIONS} sessions; no more are opened.`;
      if (frame.kind === 'request') line.answer(fail(frame, ErrorCode.internalError, message));
      this.report(message);
    } else if (!conversation.receive(frame, line)) {
      this.report('A client began with a notification; it was ignored.');
    }
  }

  onClose(line: ClientLine): void {
    this.#lines.delete(line as ServerLine);
    for (const conversation of this.#named.values()) conversation.leave(line);
    this.#unnamed.get(line)?.leave(line);
  }

  report(message: string): void {
    this.#options.report?.(message);
  }

  /** Answers what is open, and lets every connection end. */
  finish(): void {
    for (const conversation of [...this.#named.values(), ...this.#unnamed.values()]) {
      conversation.close();
    }
    for (const line of this.#lines) line.finish();
  }

  close(): void {
    for (const line of this.#lines) line.close();
  }

  #conversationOf(session: string, line: ClientLine): Conversation | undefined {
    const known = session === '' ? this.#unnamed.get(line) : this.#named.get(session);
    if (known !== undefined) {
      if (this.#named.delete(session)) this.#named.set(session, known);
      return known;
    }
    if (session !== '' && !this.#hasRoom()) return undefined;
    const conversation = new Conversation({
      accept: this.#options.accept,
      idleMs: session === '' ? 0 : (this.#options.idleMs ?? IDLE_MS),
      report: (message) => this.report(message),
      onEnd: () => {
        if (session === '') this.#unnamed.delete(line);
        else this.#named.delete(session);
      },
    });
    if (session === '') this.#unnamed.set(line, conversation);
    else this.#named.set(session, conversation);
    return conversation;
  }
  /** Makes it, too, where a client has left for so long that others came meanwhile: programs that end do not say so. */
  #hasRoom(): boolean {
    if (this.#named.size < MAX_SESSIONS) return true;
    const left = [...this.#named.values()].find(({ isLeft }) => isLeft);
    if (left === undefined) return false;
    this.report(
      `There are ${MAX_SESSIONS} sessions; one without a connection was ended for a new one.`,
    );
    left.close();
    return true;
  }
}
