import { Emitter, type Event } from '../base/emitter.ts';
import type { RequestFrame } from '../protocol/frame.ts';
import type { ParamHeader } from '../protocol/headerValue.ts';
import { Method } from '../protocol/methods.ts';
import { profileOf, type Reader } from '../protocol/profile.ts';
import { toRaw } from '../protocol/rawJson.ts';
import { NEWEST_MODERN, type Era, type Revision } from '../protocol/revision.ts';
import { STRICT, type DegradePolicy } from '../translate/policy.ts';
import { TASKS_EXTENSION } from '../translate/tasks/capability.ts';
import type { TaskMode } from '../translate/tasks/taskMode.ts';
import { lowerToolList } from '../translate/toolList/lowerToolList.ts';
import type { SignInEvent } from '../transports/authorization/oauthAuthorizer.ts';
import type {
  AcceptChannel,
  ClientTransport,
  ServerChannel,
  ServerChannelListener,
  TransportFailure,
} from '../transports/transport.ts';
import type { ClientIdentity } from './client.ts';
import { answerOrFailure } from './callOutcome.ts';
import type { Connection, WarningTopic } from './connection.ts';
import { discover } from './discover.ts';
import { DualEraClient } from './dualEraClient.ts';
import { DownstreamSession } from './downstreamSession.ts';
import type { BridgeEvent, ServerState } from './events.ts';
import type { SessionPort } from './exchange.ts';
import { introduce } from './introduce.ts';
import { LegacyRoute } from './legacyRoute.ts';
import { walkList } from './listWalk.ts';
import { ModernClient } from './modernClient.ts';
import type { ModernClientRoute } from './modernClientRoute.ts';
import type { ModernPeerHost } from './modernPeer.ts';
import { ModernPeers, type ModernLimits } from './modernPeers.ts';
import { ModernRoute, type ModernServer } from './modernRoute.ts';
import { ModernUpstream, type Caller } from './modernUpstream.ts';
import type { Opened } from './openAttempt.ts';
import { openServer } from './openServer.ts';
import { Tap, type OnTraffic } from './recording/traffic.ts';
import { RenewingTransport } from './renewingTransport.ts';
import type { Route } from './route.ts';
import { promises, type ServerIdentity } from './serverIdentity.ts';
import type { SessionHost } from './sessionHost.ts';
import { DEFAULT_TIMEOUTS, type Timeouts } from './timeouts.ts';

/** Remembers the era of a server's configuration, so that a legacy server is probed once in its life. */
export interface EraMemory {
  recall(): Era | undefined;
  remember(era: Era): void;
}

/** What the transport of a server wants to say beside its frames. */
export interface ConnectHooks {
  readonly onStderr: (line: string) => void;
  /** What went wrong without being the answer to a request. */
  readonly report: (message: string) => void;
}

/** The sign-in to a server, as far as a bridge must know of it. */
export interface BridgeSignIn {
  readonly onEvent: Event<SignInEvent>;
  /** True while a person is asked. */
  readonly isAsking: boolean;
  /** Gives up what is under way. */
  close(): Promise<void>;
}

export interface BridgeOptions {
  readonly name: string;
  readonly transport: ClientTransport['kind'];
  /** Starts a connection to the server afresh: spawns its process, or makes an HTTP client. */
  readonly connect: (hooks: ConnectHooks) => ClientTransport;
  /** The same server over the transport that a refusal of the other one may mean; absent where there is none. */
  readonly connectOlder?: ((hooks: ConnectHooks) => ClientTransport) | undefined;
  readonly reader: Reader;
  readonly policy: DegradePolicy;
  readonly pinned?: Revision | undefined;
  readonly timeouts?: Partial<Timeouts> | undefined;
  /** What clients of 2025-11-25 see of the tasks of a server of the extension; they are awaited where it is not said. */
  readonly tasks?: TaskMode | undefined;
  readonly memory: EraMemory;
  readonly signIn?: BridgeSignIn | undefined;
  /** How long what belongs to modern clients lasts. */
  readonly modern?: Partial<ModernLimits> | undefined;
}

type Topic = Extract<BridgeEvent, { kind: 'warning' }>['topic'];

/** What a faulty server does over and over: one warning with a count, whatever it wrote each time. */
const REPETITIVE: ReadonlySet<Topic> = new Set<Topic>([
  'not-json',
  'not-json-rpc',
  'not-utf8',
  'too-large',
  'null-id',
  'unknown-id',
  'id-type',
  'envelope',
  'client',
]);

/** An acknowledgement says little and needs no work. */
const ACKNOWLEDGE_MS = 30_000;

/** Joins any number of clients to one server, and tells those who watch what that took. */
export class Bridge implements SessionHost, ModernServer, ModernPeerHost {
  readonly name: string;
  readonly reader: Reader;
  readonly transport: ClientTransport['kind'];
  readonly #options: BridgeOptions;
  readonly #timeouts: Timeouts;
  readonly #events = new Emitter<BridgeEvent>();
  readonly #sessions = new Map<string, DownstreamSession>();
  readonly #peers: ModernPeers;
  readonly #connections = new Set<Connection>();
  readonly #closing = new AbortController();
  readonly #warnings = new Map<string, number>();
  readonly #tap = new Tap();
  #policy: DegradePolicy;
  #state: ServerState = { kind: 'stopped' };
  /** What a sign-in makes of the state, until it is over. */
  #signingIn: ServerState | undefined;
  #modern: ModernUpstream | undefined;
  #opening: Promise<unknown> = Promise.resolve();
  #sessionCount = 0;
  #lastLogLine: string | undefined;

  constructor(options: BridgeOptions) {
    this.#options = options;
    this.name = options.name;
    this.reader = options.reader;
    this.transport = options.transport;
    this.#policy = options.policy;
    this.#timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
    this.#peers = new ModernPeers(this, options.modern);
    options.signIn?.onEvent((event) => this.#onSignIn(event));
  }

  get onEvent(): Event<BridgeEvent> {
    return this.#events.event;
  }

  get state(): ServerState {
    return this.#signingIn ?? this.#state;
  }

  get policy(): DegradePolicy {
    return this.#policy;
  }

  /** True while a client is connected, or a modern one is remembered. */
  get isInUse(): boolean {
    return this.#sessions.size + this.#peers.size > 0;
  }

  get current(): ModernUpstream | undefined {
    return this.#modern?.isOpen === true ? this.#modern : undefined;
  }

  /** Sets the policy; open sessions obey it from the next message on. */
  setPolicy(policy: DegradePolicy): void {
    this.#policy = policy;
    for (const session of this.#sessions.values()) session.policyChanged();
    this.#peers.policyChanged();
  }

  /** Serves one more channel, on which clients of either era may speak. */
  readonly accept: AcceptChannel = (channel) =>
    this.#tap.channel(
      channel,
      (tapped) =>
        new DualEraClient(
          () => this.#openSession(tapped),
          () => this.#modernClient(tapped),
        ),
    );

  /** Serves one more channel that only clients of the modern era speak on. */
  readonly acceptModern = (channel: ServerChannel): ServerChannelListener =>
    this.#tap.channel(channel, (tapped) => this.#modernClient(tapped));

  /** The arguments of a tool that a call over HTTP repeats in headers, as far as they are known. */
  readonly paramHeaders = (tool: string): readonly ParamHeader[] =>
    this.current?.paramHeadersOf(tool) ?? this.#peers.paramHeadersOf(tool);

  emit(event: BridgeEvent): void {
    this.#events.fire(event);
  }

  warn(topic: Topic, message: string): void {
    const key = REPETITIVE.has(topic) ? topic : `${topic} ${message}`;
    const count = (this.#warnings.get(key) ?? 0) + 1;
    this.#warnings.set(key, count);
    this.emit({ kind: 'warning', topic, message, count });
  }

  onEnd(session: string): void {
    this.#sessions.delete(session);
    this.emit({ kind: 'session', session, client: undefined });
    const isOver = !this.isInUse && this.#modern === undefined;
    // The client of a server that failed leaves, too, and why it failed is still to be seen.
    const { kind } = this.#state;
    if (isOver && kind !== 'failed' && kind !== 'needsSignIn') this.#setState({ kind: 'stopped' });
  }

  async connect(
    session: SessionPort,
    initialize: RequestFrame,
    onMissedChanges: () => void,
  ): Promise<{ route: Route } | { failure: string }> {
    const policy = (): DegradePolicy => this.#policy;
    const opened = await this.#openFor(session.client, initialize);
    if (opened.kind === 'failed') return { failure: opened.failure.message };
    const { server } = opened;
    if (server.era === 'modern') {
      return {
        route: new ModernRoute({
          server,
          exposesTasks: this.#exposesTasks(server, session.client),
          modern: this,
          session,
          policy,
          acknowledgeMs: Math.min(this.#timeouts.requestMs, ACKNOWLEDGE_MS),
          onMissedChanges,
        }),
      };
    }
    const reopen = (): Promise<Opened> => this.#open(session.client, initialize);
    const { connection } = opened;
    return {
      route: new LegacyRoute({ connection, server, session, policy, reopen, onMissedChanges }),
    };
  }

  async connectModern(
    client: ClientIdentity,
  ): Promise<{ route: ModernClientRoute } | { failure: string }> {
    const opened = await this.#openFor(client, introduce(client));
    if (opened.kind === 'failed') return { failure: opened.failure.message };
    if (opened.server.era === 'modern' && this.current === undefined) {
      return { failure: 'The server ended right after its start.' };
    }
    return { route: this.#peers.route(client, opened, this) };
  }

  async open(client: ClientIdentity): Promise<{ upstream: ModernUpstream } | { failure: string }> {
    const opened = await this.#openFor(client, undefined);
    if (this.current !== undefined) return { upstream: this.current };
    if (opened.kind === 'failed') return { failure: opened.failure.message };
    void opened.connection.close();
    return { failure: 'The server has changed to the legacy era; connect to it anew.' };
  }

  async renegotiate(upstream: ModernUpstream, client: ClientIdentity): Promise<void> {
    const { connection } = upstream.opened;
    const attempt = await discover(connection, NEWEST_MODERN, {
      pinned: this.#options.pinned,
      client,
      initializeParams: toRaw({}),
      onNegotiation: (message) => this.warn('negotiation', message),
    });
    if (attempt.kind !== 'open' || attempt.server.era !== 'modern') return;
    upstream.renegotiated(attempt.server);
    const { revision, era, evidence } = attempt.server;
    this.#setState({ kind: 'running', revision, era, evidence });
  }

  async relearn(upstream: ModernUpstream, caller: Caller): Promise<void> {
    const from = profileOf(upstream.server.revision);
    await walkList(
      Method.toolsList,
      (request) =>
        new Promise((resolve) => {
          upstream.call(request, caller, {
            onOutcome: (outcome) => {
              const frame = answerOrFailure(request, outcome);
              if (frame.error === undefined) {
                const context = { from, to: from, policy: STRICT, upstream: this.transport };
                const list = lowerToolList(frame.result, { ...context, aliases: new Map() });
                upstream.learnTools(list.tools);
              }
              resolve(frame);
            },
          });
        }),
      (message) => this.warn('pagination', message),
    );
  }

  /** Sets who is told of every message on either leg, from the next one on; undefined: nobody. */
  record(onTraffic: OnTraffic | undefined): void {
    this.#tap.watch(onTraffic);
  }

  /** Ends what is open for modern clients in the way that tells them so; of use while their channels are there. */
  endStreams(): void {
    this.#peers.closeAll();
  }

  /** Ends every session and the server with all its processes. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const session of [...this.#sessions.values()]) session.close();
    this.endStreams();
    await this.#options.signIn?.close();
    await this.#opening;
    await Promise.all([...this.#connections].map((connection) => connection.close()));
  }

  #modernClient(channel: ServerChannel): ModernClient {
    return new ModernClient(this, this.#peers, channel);
  }

  /** Only one legacy revision has tasks, and only a server with the extension makes any. */
  #exposesTasks(server: ServerIdentity, client: ClientIdentity): boolean {
    return (
      this.#options.tasks === 'expose' &&
      client.profile.revision === '2025-11-25' &&
      promises(server, 'extensions', TASKS_EXTENSION)
    );
  }

  #openSession(channel: ServerChannel): DownstreamSession {
    const session = new DownstreamSession(`${this.name}-${++this.#sessionCount}`, this, channel);
    this.#sessions.set(session.id, session);
    return session;
  }

  /**
   * The server, opened where need be. Until the era is known one client waits for the other's probe; afterwards legacy
   * sessions, which share nothing, open side by side.
   */
  async #openFor(client: ClientIdentity, initialize: RequestFrame | undefined): Promise<Opened> {
    if (this.#options.memory.recall() === 'legacy') return this.#open(client, initialize);
    const before = this.#opening;
    const opened = before.then(() => {
      const { current } = this;
      if (current !== undefined) return { kind: 'open', ...current.opened } as const;
      return this.#open(client, initialize);
    });
    this.#opening = opened;
    return opened;
  }

  async #open(client: ClientIdentity, initialize: RequestFrame | undefined): Promise<Opened> {
    this.#setState({ kind: 'starting' });
    const { memory, pinned, connect, connectOlder, transport } = this.#options;
    const hooks: ConnectHooks = {
      onStderr: (line) => this.#onStderr(line),
      report: (message) => this.warn('transport', message),
    };
    const opened = await openServer({
      transport,
      connect: () => this.#connect(connect, hooks),
      connectOlder: connectOlder && (() => this.#tap.transport(connectOlder(hooks))),
      timeouts: this.#timeouts,
      pinned,
      remembered: memory.recall(),
      client,
      initializeParams: initialize?.params ?? toRaw({}),
      provenance: initialize?.provenance,
      onWarning: (topic: WarningTopic, message: string) => this.warn(topic, message),
      onNegotiation: (message) => this.warn('negotiation', message),
      isAsking: () => this.#isAsking(),
      lastLogLine: () => this.#lastLogLine,
      signal: this.#closing.signal,
    });
    if (opened.kind === 'failed') {
      this.#setState(stateAfter(opened.failure));
      return opened;
    }
    const { connection, server } = opened;
    this.#connections.add(connection);
    void connection.closed.then(() => this.#connections.delete(connection));
    const { revision, era, evidence } = server;
    if (pinned === undefined) memory.remember(era);
    this.#setState({ kind: 'running', revision, era, evidence });
    if (era === 'legacy') return opened;
    const { current } = this;
    if (current !== undefined) {
      // Two clients came at once to a server that was taken for a legacy one: one connection serves both.
      void connection.close();
      return { kind: 'open', ...current.opened };
    }
    this.#share(new ModernUpstream(connection, server));
    return opened;
  }

  /** Only over Streamable HTTP does a connection outlive the session on it. */
  #connect(connect: BridgeOptions['connect'], hooks: ConnectHooks): ClientTransport {
    const start = (): ClientTransport => this.#tap.transport(connect(hooks));
    if (this.transport !== 'streamableHttp') return start();
    const { startMs } = this.#timeouts;
    const isAsking = (): boolean => this.#isAsking();
    return new RenewingTransport({ connect: start, startMs, isAsking, report: hooks.report });
  }

  #isAsking(): boolean {
    return this.#options.signIn?.isAsking === true;
  }

  #share(upstream: ModernUpstream): void {
    this.#modern = upstream;
    upstream.join({
      // Each session hears it for itself.
      onNotification: () => undefined,
      onClose: (failure) => {
        if (this.#modern === upstream) this.#modern = undefined;
        if (failure.kind === 'closed') this.#setState({ kind: 'stopped' });
        else this.#setState(stateAfter(failure));
      },
    });
  }

  #onStderr(line: string): void {
    this.#lastLogLine = line;
    this.emit({ kind: 'stderr', line });
  }

  #setState(state: ServerState): void {
    this.#state = state;
    this.emit({ kind: 'state', state: this.state });
  }

  #onSignIn(event: SignInEvent): void {
    if (event.kind === 'notKept') {
      this.warn('sign-in', event.message);
      return;
    }
    const before = this.#signingIn;
    this.#signingIn = this.#stateIn(event);
    if (this.#signingIn !== before) this.emit({ kind: 'state', state: this.state });
  }

  #stateIn(event: Exclude<SignInEvent, { kind: 'notKept' }>): ServerState | undefined {
    if (event.kind === 'asking') return { kind: 'signingIn' };
    // A server that is being opened tells by its failure, once whoever waits for it has been answered.
    return event.kind === 'failed' && this.#state.kind === 'running'
      ? { kind: 'needsSignIn', message: event.message }
      : undefined;
  }
}

function stateAfter({ kind, message }: TransportFailure): ServerState {
  return { kind: kind === 'sign-in' ? 'needsSignIn' : 'failed', message };
}
