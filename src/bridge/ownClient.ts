import {
  notify,
  request,
  type Frame,
  type RequestFrame,
  type ResponseFrame,
} from '../protocol/frame.ts';
import { Method } from '../protocol/methods.ts';
import { toRaw, type RawJson } from '../protocol/rawJson.ts';
import { NEWEST_LEGACY } from '../protocol/revision.ts';
import type { AcceptChannel } from '../transports/transport.ts';

/** A client of the bridge's own, in this process. */
export interface OwnClient {
  /** The answer to `initialize`. */
  readonly opened: Promise<ResponseFrame>;
  ask(method: string, params: RawJson | undefined): Promise<ResponseFrame>;
  /** Says that the handshake is done. */
  ready(): void;
  close(): void;
}

/** What the bridge's own client is. */
export interface OwnClientOptions {
  /** The product's version. */
  readonly version: string;
  readonly capabilities: object;
  /** Answers a question of the server; a client that declares no capabilities is asked none. */
  readonly answer?: (question: RequestFrame) => ResponseFrame;
}

/** Opens a conversation with the bridge as a client of the newest legacy revision. */
export function openOwnClient(
  accept: AcceptChannel,
  { version, capabilities, answer }: OwnClientOptions,
): OwnClient {
  const waiting = new Map<string, (frame: ResponseFrame) => void>();
  let count = 0;
  const initialize = request(
    '0',
    Method.initialize,
    toRaw({
      protocolVersion: NEWEST_LEGACY,
      capabilities,
      clientInfo: { name: 'mcp-rosetta', version },
    }),
  );
  const take = (frame: Frame): void => {
    if (frame.kind === 'response' && frame.id !== undefined) {
      waiting.get(frame.id)?.(frame);
      waiting.delete(frame.id);
    }
    // Nothing is told inside `send`.
    if (frame.kind === 'request' && answer !== undefined) {
      queueMicrotask(() => listener.onFrame(answer(frame)));
    }
  };
  const listener = accept(
    { send: take, drop: () => undefined, close: () => undefined },
    initialize,
  );
  const ask = (method: string, params: RawJson | undefined): Promise<ResponseFrame> =>
    new Promise((resolve) => {
      const id = String(count++);
      waiting.set(id, resolve);
      listener.onFrame(request(id, method, params));
    });
  return {
    opened: ask(Method.initialize, initialize.params),
    ask,
    ready: () => listener.onFrame(notify(Method.initialized)),
    close: () => listener.onClose(),
  };
}
