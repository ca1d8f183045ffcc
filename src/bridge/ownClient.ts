import { ErrorCode } from '../protocol/errorCodes.ts';
import {
  answer,
  fail,
  notify,
  request,
  type Frame,
  type RequestFrame,
  type ResponseFrame,
} from '../protocol/frame.ts';
import { Method } from '../protocol/methods.ts';
import { getAt, stringOf, toRaw, type RawJson } from '../protocol/rawJson.ts';
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
  /** Takes the question of the server that was declined, in its own words. */
  readonly onDeclined?: (question: string) => void;
}

/** What is declared here is asked, and declined: a server may show its tools only to clients that can be asked. */
const CAPABILITIES = { elicitation: { form: {}, url: {} } };

function decline(question: RequestFrame, onDeclined: (question: string) => void): ResponseFrame {
  if (question.method === Method.ping) return answer(question, toRaw({}));
  if (question.method !== Method.elicit) {
    return fail(question, ErrorCode.methodNotFound, `Nobody answers ${question.method} here.`);
  }
  const message = question.params && stringOf(getAt(question.params, ['message']));
  onDeclined(message ?? '');
  return answer(question, toRaw({ action: 'decline' }));
}

/** Opens a conversation with the bridge as a client of the newest legacy revision. */
export function openOwnClient(
  accept: AcceptChannel,
  { version, onDeclined = () => undefined }: OwnClientOptions,
): OwnClient {
  const waiting = new Map<string, (frame: ResponseFrame) => void>();
  let count = 0;
  const initialize = request(
    '0',
    Method.initialize,
    toRaw({
      protocolVersion: NEWEST_LEGACY,
      capabilities: CAPABILITIES,
      clientInfo: { name: 'mcp-rosetta', version },
    }),
  );
  const take = (frame: Frame): void => {
    if (frame.kind === 'response' && frame.id !== undefined) {
      waiting.get(frame.id)?.(frame);
      waiting.delete(frame.id);
    }
    // Nothing is told inside `send`.
    if (frame.kind === 'request') {
      queueMicrotask(() => listener.onFrame(decline(frame, onDeclined)));
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
