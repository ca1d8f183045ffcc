import type { ResolvedHttpServer, ResolvedServer } from '../config/resolve.ts';
import type { Reader } from '../protocol/profile.ts';
import type { DegradePolicy } from '../translate/policy.ts';
import type { TransportKind } from '../protocol/transportKind.ts';
import { SseClient } from '../transports/sse/sseClient.ts';
import { StdioClientTransport } from '../transports/stdio/stdioClientTransport.ts';
import { StreamableHttpClient } from '../transports/streamableHttp/streamableHttpClient.ts';
import { UnixSocketClient } from '../transports/unixSocket/unixSocketClient.ts';
import type { ClientTransport } from '../transports/transport.ts';
import { ZapClientTransport } from '../transports/zap/zapClient.ts';
import { Bridge, type ConnectHooks, type EraMemory } from './bridge.ts';

export interface CreateBridgeOptions {
  /** What the clients of this bridge can take, where the server's entry does not say. */
  readonly reader: Reader;
  readonly policy: DegradePolicy;
  readonly memory: EraMemory;
}

/** A bridge to one configured server; nothing is started before its first client comes. */
export function createBridge(server: ResolvedServer, options: CreateBridgeOptions): Bridge {
  return new Bridge({
    name: server.name,
    transport: TRANSPORTS[server.kind],
    connect: (hooks) => connect(server, hooks),
    ...(server.kind === 'http' && { connectOlder: (hooks) => connectSse(server, hooks) }),
    reader: server.reader ?? options.reader,
    policy: options.policy,
    pinned: server.revision,
    timeouts: server.timeouts,
    tasks: server.tasks,
    memory: options.memory,
  });
}

const TRANSPORTS: Readonly<Record<ResolvedServer['kind'], TransportKind>> = {
  stdio: 'stdio',
  http: 'streamableHttp',
  sse: 'sse',
  zap: 'zap',
  socket: 'unixSocket',
};

function connectSse(
  { url, headers }: ResolvedHttpServer,
  { report }: ConnectHooks,
): ClientTransport {
  return new SseClient({ url: new URL(url), headers, report });
}

function connect(server: ResolvedServer, hooks: ConnectHooks): ClientTransport {
  switch (server.kind) {
    case 'stdio': {
      const { command, args, env, cwd } = server;
      return new StdioClientTransport({ command, args, env, cwd, onStderr: hooks.onStderr });
    }
    case 'http':
      return new StreamableHttpClient({ url: new URL(server.url), headers: server.headers });
    case 'sse':
      return connectSse(server, hooks);
    case 'zap':
      return new ZapClientTransport({ address: server.address, report: hooks.report });
    case 'socket':
      return new UnixSocketClient({ path: server.path });
  }
}
