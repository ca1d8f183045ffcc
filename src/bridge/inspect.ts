import { Method } from '../protocol/methods.ts';
import { getMember, type RawJson } from '../protocol/rawJson.ts';
import type { AcceptChannel } from '../transports/transport.ts';
import { walkList } from './listWalk.ts';
import { openOwnClient } from './ownClient.ts';

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
  const client = openOwnClient(accept, { version });
  try {
    const opened = await client.opened;
    if (opened.error !== undefined) return { kind: 'failed', message: opened.error.message };
    const capabilities = getMember(opened.result, 'capabilities');
    if (capabilities === undefined || getMember(capabilities, 'tools') === undefined) {
      return { kind: 'tools', tools: [] };
    }
    const walk = await walkList(
      Method.toolsList,
      (own) => client.ask(own.method, own.params),
      onWarning,
    );
    if (walk.kind === 'failed') return walk;
    return { kind: 'tools', tools: walk.entries };
  } finally {
    client.close();
  }
}
