import { Emitter, type Event } from '../base/emitter.ts';
import type { RequestFrame } from '../protocol/frame.ts';
import type { ParamHeader } from '../protocol/headerValue.ts';
import type { Redact } from '../config/redactor.ts';
import type { Reader } from '../protocol/profile.ts';
import { toRaw } from '../protocol/rawJson.ts';
import { NEWEST_MODERN } from '../protocol/revision.ts';
import type { DegradePolicy } from '../translate/policy.ts';
import { TASKS_EXTENSION } from '../translate/tasks/capability.ts';
import type { SignInEvent } from '../transports/authorization/oauthAuthorizer.ts';
import type {
  AcceptChannel,
  ClientTransport,
  ServerChannel,
  ServerChannelListener,
} from '../transports/transport.ts';
import type { ClientIdentity } from './client.ts';
import type { Connection, WarningTopic } from './connection.ts';
import type { BridgeOptions, ConnectHooks } from './bridgeOptions.ts';
import { CurrentState } from './currentState.ts';
import { discover } from './discover.ts';
import { DualEraClient } from './dualEraClient.ts';
import { DownstreamSession } from './downstreamSession.ts';
import type { BridgeEvent, ServerState } from './events.ts';
import type { SessionPort } from './exchange.ts';
import { introduce } from './introduce.ts';
import { LegacyRoute } from './legacyRoute.ts';
import { ModernClient } from './modernClient.ts';
import type { ModernClientRoute } from './modernClientRoute.ts';
import type { ModernPeerHost } from './modernPeer.ts';
import { ModernPeers } from './modernPeers.ts';
import { ModernRoute } from './modernRoute.ts';
import type { ModernServer, OpenedUpstream } from './modernServer.ts';
import { ModernUpstream, type Caller } from './modernUpstream.ts';
import type { Opened } from './openAttempt.ts';
import { openServer } from './openServer.ts';
import { Tap, type OnTraffic } from './recording/traffic.ts';
import { relearnTools } from './relearnTools.ts';
import { discreet, withoutSecrets } from './discreetTransport.ts';
import { RenewingTransport } from './renewingTransport.ts';
import type { Route } from './route.ts';
import { promises, type ServerIdentity } from './serverIdentity.ts';
import type { SessionHost } from './sessionHost.ts';
import { DEFAULT_TIMEOUTS, type Timeouts } from './timeouts.ts';
import { Warnings, type Topic } from './warnings.ts';

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
  readonly #warnings = new Warnings();
  readonly #state = new CurrentState((state) => this.emit({ kind: 'state', state }));
  readonly #tap = new Tap();
  #policy: DegradePolicy;
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
    return this.#state.shown;
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
    this.emit(this.#warnings.next(topic, message));
  }

  onEnd(session: string): void {
    this.#sessions.delete(session);
    this.emit({ kind: 'session', session, client: undefined });
    const isOver = !this.isInUse && this.#modern === undefined;
    // The client of a server that failed leaves, too, and why it failed is still to be seen.
    if (isOver && !this.#state.hasFailed) this.#state.set({ kind: 'stopped' });
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

  async open(client: ClientIdentity): Promise<OpenedUpstream> {
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
    this.#state.set({ kind: 'running', revision, era, evidence });
  }

  async relearn(upstream: ModernUpstream, caller: Caller): Promise<void> {
    await relearnTools(upstream, caller, this.transport, (message) =>
      this.warn('pagination', message),
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
    this.#state.set({ kind: 'starting' });
    const { memory, pinned, connect, connectOlder, transport } = this.#options;
    const hooks: ConnectHooks = {
      onStderr: (line) => this.#onStderr(line),
      report: (message) => this.warn('transport', message),
    };
    const opened = await openServer({
      transport,
      connect: () => this.#connect(connect, hooks),
      connectOlder:
        connectOlder && (() => this.#discreet(this.#tap.transport(connectOlder(hooks)))),
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
      const failure = withoutSecrets(opened.failure, this.#redact);
      this.#state.fail(failure);
      return { kind: 'failed', failure };
    }
    const { connection, server } = opened;
    this.#connections.add(connection);
    void connection.closed.then(() => this.#connections.delete(connection));
    const { revision, era, evidence } = server;
    if (pinned === undefined) memory.remember(era);
    this.#state.set({ kind: 'running', revision, era, evidence });
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
    if (this.transport !== 'streamableHttp') return this.#discreet(start());
    const { startMs } = this.#timeouts;
    const isAsking = (): boolean => this.#isAsking();
    const { report } = hooks;
    return this.#discreet(new RenewingTransport({ connect: start, startMs, isAsking, report }));
  }

  #discreet(transport: ClientTransport): ClientTransport {
    return discreet(transport, this.#redact);
  }

  get #redact(): Redact {
    return this.#options.redact ?? ((text) => text);
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
        if (failure.kind === 'closed') this.#state.set({ kind: 'stopped' });
        else this.#state.fail(failure);
      },
    });
  }

  #onStderr(line: string): void {
    this.#lastLogLine = line;
    this.emit({ kind: 'stderr', line });
  }

  #onSignIn(event: SignInEvent): void {
    if (event.kind === 'notKept') this.warn('sign-in', event.message);
    else this.#state.onSignIn(event);
  }
}
