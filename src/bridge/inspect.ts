import { request, type Frame, type ResponseFrame } from '../protocol/frame.ts';
import { Method } from '../protocol/methods.ts';
import { getMember, toRaw, type RawJson } from '../protocol/rawJson.ts';
import { NEWEST_LEGACY } from '../protocol/revision.ts';
import type { AcceptChannel } from '../transports/transport.ts';
import { walkList } from './listWalk.ts';

export type Inspection =
  /** As a client would be shown them; what the server wrote is told by the bridge's `tools` event. */
  | { readonly kind: 'tools'; readonly tools: readonly RawJson[] }
  | { readonly kind: 'failed'; readonly message: string };

/**
 * Looks at a server as a client of the bridge's own: one that can answer no questions, and that is gone when it has
 * seen the tools. `version` is the product's.
 */
export async function inspect(
  accept: AcceptChannel,
  version: string,
  onWarning: (message: string) => void,
): Promise<Inspection> {
  const waiting = new Map<string, (frame: ResponseFrame) => void>();
  let count = 0;
  const initialize = request(
    '0',
    Method.initialize,
    toRaw({
      protocolVersion: NEWEST_LEGACY,
      capabilities: {},
      clientInfo: { name: 'mcp-rosetta', version },
    }),
  );
  const listener = accept(
    {
      send: (frame: Frame) => {
        if (frame.kind === 'response' && frame.id !== undefined) waiting.get(frame.id)?.(frame);
      },
      drop: () => undefined,
      close: () => undefined,
    },
    initialize,
  );
  const ask = (method: string, params: RawJson | undefined): Promise<ResponseFrame> =>
    new Promise((resolve) => {
      const id = String(count++);
      waiting.set(id, resolve);
      listener.onFrame(request(id, method, params));
    });
  try {
    const opened = await ask(Method.initialize, initialize.params);
    if (opened.error !== undefined) return { kind: 'failed', message: opened.error.message };
    const capabilities = getMember(opened.result, 'capabilities');
    if (capabilities === undefined || getMember(capabilities, 'tools') === undefined) {
      return { kind: 'tools', tools: [] };
    }
    const walk = await walkList(Method.toolsList, (own) => ask(own.method, own.params), onWarning);
    if (walk.kind === 'failed') return walk;
    return { kind: 'tools', tools: walk.entries };
  } finally {
    listener.onClose();
  }
}
