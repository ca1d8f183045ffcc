import { createRedactor, type Redact } from '../config/redactor.ts';
import type { ResolvedHttpServer, ResolvedServer } from '../config/resolve.ts';
import { httpAddress, isSocketUrl } from '../config/socketUrl.ts';
import type { Reader } from '../protocol/profile.ts';
import type { DegradePolicy } from '../translate/policy.ts';
import type { TransportKind } from '../protocol/transportKind.ts';
import { OAuthAuthorizer } from '../transports/authorization/oauthAuthorizer.ts';
import type { SignIn } from '../transports/authorization/signIn.ts';
import type { Network } from '../transports/http/requests.ts';
import { SseClient } from '../transports/sse/sseClient.ts';
import { StdioClientTransport } from '../transports/stdio/stdioClientTransport.ts';
import { StreamableHttpClient } from '../transports/streamableHttp/streamableHttpClient.ts';
import { UnixSocketClient } from '../transports/unixSocket/unixSocketClient.ts';
import type { ClientTransport } from '../transports/transport.ts';
import { ZapClientTransport } from '../transports/zap/zapClient.ts';
import { Bridge } from './bridge.ts';
import type { ConnectHooks, EraMemory } from './bridgeOptions.ts';

export interface CreateBridgeOptions {
  /** What the clients of this bridge can take, where the server's entry does not say. */
  readonly reader: Reader;
  readonly policy: DegradePolicy;
  readonly memory: EraMemory;
  /** Signs in to the server; without it, one that wants that cannot be used. */
  readonly signIn?: OAuthAuthorizer | undefined;
  /** Takes the secrets of the server out of what is told; without it, those that its entry has. */
  readonly redact?: Redact;
  /** Whose way requests take; that of the environment where absent. */
  readonly network?: Network | undefined;
}

/** What signs in to a server; undefined for one that is no address, or whose entry says what to show it. */
export function createAuthorizer(
  server: ResolvedServer,
  signIn: SignIn,
): OAuthAuthorizer | undefined {
  if (server.kind !== 'http' && server.kind !== 'sse') return undefined;
  // What signs in fetches from the address; nothing but the server itself is behind a socket.
  if (isSocketUrl(server.url)) return undefined;
  const names = Object.keys(server.headers).map((name) => name.toLowerCase());
  if (names.includes('authorization')) return undefined;
  return new OAuthAuthorizer({ server: new URL(server.url), settings: server.oauth ?? {}, signIn });
}

/** A bridge to one configured server; nothing is started before its first client comes. */
export function createBridge(server: ResolvedServer, options: CreateBridgeOptions): Bridge {
  const { signIn, redact = createRedactor(server, []) } = options;
  return new Bridge({
    name: server.name,
    transport: TRANSPORTS[server.kind],
    redact,
    connect: (hooks) => connect(server, hooks, options),
    ...(server.kind === 'http' && {
      connectOlder: (hooks) => connectSse(server, hooks, options),
    }),
    reader: server.reader ?? options.reader,
    policy: options.policy,
    pinned: server.revision,
    timeouts: server.timeouts,
    tasks: server.tasks,
    memory: options.memory,
    signIn,
  });
}

const TRANSPORTS: Readonly<Record<ResolvedServer['kind'], TransportKind>> = {
  stdio: 'stdio',
  http: 'streamableHttp',
  sse: 'sse',
  zap: 'zap',
  socket: 'unixSocket',
};

type Ways = Pick<CreateBridgeOptions, 'signIn' | 'network'>;

function connectSse(
  { url, headers }: ResolvedHttpServer,
  { report }: ConnectHooks,
  { signIn: authorizer, network }: Ways,
): ClientTransport {
  return new SseClient({ ...httpAddress(url), network, headers, report, authorizer });
}

function connect(server: ResolvedServer, hooks: ConnectHooks, ways: Ways): ClientTransport {
  switch (server.kind) {
    case 'stdio': {
      const { command, args, env, cwd } = server;
      return new StdioClientTransport({ command, args, env, cwd, onStderr: hooks.onStderr });
    }
    case 'http':
      return new StreamableHttpClient({
        ...httpAddress(server.url),
        network: ways.network,
        headers: server.headers,
        authorizer: ways.signIn,
        report: hooks.report,
      });
    case 'sse':
      return connectSse(server, hooks, ways);
    case 'zap':
      return new ZapClientTransport({ address: server.address, report: hooks.report });
    case 'socket':
      return new UnixSocketClient({ path: server.path });
  }
}
