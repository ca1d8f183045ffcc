import { Bridge } from '../../src/bridge/bridge.ts';
import type { EraMemory } from '../../src/bridge/bridgeOptions.ts';
import { messageBytes, readMessage } from '../../src/protocol/jsonRpc.ts';
import type { Frame } from '../../src/protocol/frame.ts';
import type { Revision } from '../../src/protocol/revision.ts';
import type { Era } from './everything.ts';
import { STRICT } from '../../src/translate/policy.ts';
import type {
  ClientTransport,
  ClientTransportListener,
  ServerChannelListener,
} from '../../src/transports/transport.ts';

/** Nothing here waits for a process or a network: what has not come by then will not come. */
const SILENCE_MS = 5000;

/** One end of the bridge, as bytes: what a peer without a protocol of its own reads and writes. */
interface RawEnd {
  write(line: string): void;
  /** The next message the bridge has written here, in the order in which they came. */
  next(): Promise<string>;
  /** What was written and not read yet. */
  readonly unread: readonly string[];
}

/** A bridge in this process, with a raw client at one end and a raw server at the other. */
export interface MemoryBridge {
  readonly client: RawEnd;
  readonly server: RawEnd;
  close(): Promise<void>;
}

/** Opens a session through the bridge; both ends are the test's from then on. */
export async function openMemoryBridge(era: Era, revision: Revision): Promise<MemoryBridge> {
  const client = new End();
  const server = new End();
  const bridge = new Bridge({
    name: 'memory',
    transport: 'stdio',
    connect: () => new MemoryTransport(server),
    reader: 'spec',
    policy: STRICT,
    memory: remembering(era),
  });
  let session: ServerChannelListener | undefined;
  client.onWrite = (frame) => {
    if (session === undefined && frame.kind === 'request') {
      const send = (answer: Frame): void => client.put(answer);
      session = bridge.accept({ send, drop: () => undefined, close: () => undefined }, frame);
    }
    session?.onFrame(frame);
  };
  const capabilities = { sampling: {}, elicitation: {}, roots: {} };
  const params = { protocolVersion: revision, capabilities, clientInfo: { name: 'raw' } };
  client.write(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }));
  const opening = JSON.parse(await server.next()) as { id: number };
  const { id } = opening;
  const result = era === 'modern' ? discovered : initialized(revision);
  server.write(JSON.stringify({ jsonrpc: '2.0', id, result }));
  await client.next();
  if (era === 'legacy') await server.next();
  client.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  return { client, server, close: () => bridge.close() };
}

const capabilities = { tools: {}, resources: {}, prompts: {} };
const serverInfo = { name: 'raw', version: '1' };
const discovered = {
  resultType: 'complete',
  ttlMs: 0,
  cacheScope: 'private',
  supportedVersions: ['2026-07-28'],
  capabilities,
  _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
};

function initialized(protocolVersion: Revision): object {
  return { protocolVersion, capabilities, serverInfo };
}

function remembering(era: Era): EraMemory {
  return { recall: () => era, remember: () => undefined };
}

class End implements RawEnd {
  readonly unread: string[] = [];
  /** Takes what the peer at this end writes to the bridge. */
  onWrite: (frame: Frame) => void = () => undefined;
  readonly #waiting: ((line: string) => void)[] = [];

  write(line: string): void {
    const reading = readMessage(Buffer.from(line));
    if (reading.kind !== 'frame') throw new Error(`The bridge reads no message in: ${line}`);
    this.onWrite(reading.frame);
  }

  put(frame: Frame): void {
    const line = messageBytes(frame).toString('utf8');
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.unread.push(line);
    else waiting(line);
  }

  next(): Promise<string> {
    const line = this.unread.shift();
    if (line !== undefined) return Promise.resolve(line);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('The bridge wrote nothing.')), SILENCE_MS);
      this.#waiting.push((line) => {
        clearTimeout(timer);
        resolve(line);
      });
    });
  }
}

/** The bridge's way to the raw server: like any transport it tells nothing inside `send`. */
class MemoryTransport implements ClientTransport {
  readonly kind = 'stdio';
  readonly cancelsByClosing = false;
  readonly #end: End;
  #listener: ClientTransportListener | undefined;

  constructor(end: End) {
    this.#end = end;
  }

  start(listener: ClientTransportListener): void {
    this.#listener = listener;
    this.#end.onWrite = (frame) => queueMicrotask(() => listener.onFrame(frame, undefined));
  }

  send(frame: Frame): void {
    this.#end.put(frame);
  }

  negotiated(): void {
    return;
  }

  abandon(): void {
    return;
  }

  async close(): Promise<void> {
    this.#listener?.onClose({ kind: 'closed', message: 'closed' });
  }
}
