import type { Bridge } from '../../bridge/bridge.ts';
import type { BridgeEvent, SessionInfo } from '../../bridge/events.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Redact } from '../../config/redactor.ts';
import type { ResolveProblem } from '../../config/resolve.ts';
import { eraOf } from '../../protocol/revision.ts';
import { visible } from '../../base/visibleText.ts';
import type { ModernService } from '../../transports/streamableHttp/modernEndpoint.ts';
import type { SignedOut } from '../../transports/authorization/signOut.ts';
import type { AcceptChannel } from '../../transports/transport.ts';
import type { ConfiguredEntry } from '../config/configuredServers.ts';
import { describeTools, describeTrouble } from '../diagnostics/describeFinding.ts';
import type { Finding } from '../diagnostics/finding.ts';
import { ServerRecorder } from '../recording/serverRecorder.ts';
import type { ServerSignIn } from '../signIn/serverSignIn.ts';
import { CallFindings } from './callFindings.ts';
import { Heard } from './heard.ts';
import { refusingEndpoint } from './refusingEndpoint.ts';
import { logEvent } from './logEvent.ts';
import { makeBridge } from './makeBridge.ts';
import { reasonNotToServe, type ServerStatus } from './serverStatus.ts';
import type { Readiness, Surroundings } from './surroundings.ts';
import type { ToolEntry, ToolListLegs } from './toolListView.ts';

const ASIS: Redact = (text) => text;

/**
 * One configured server: nothing of it runs before the user has agreed, and what runs ends with it.
 */
export class ManagedServer {
  readonly #around: Surroundings;
  readonly #changed = new Emitter<void>();
  readonly #heard = new Heard();
  readonly #findings = new CallFindings();
  readonly #refuse = refusingEndpoint(() => reasonNotToServe(this.name, this.status));
  #configured: ConfiguredEntry;
  #bridge: Bridge | undefined;
  #signIn: ServerSignIn | undefined;
  #resolution: { readonly isFatal: boolean; readonly problems: readonly ResolveProblem[] } = {
    isFatal: false,
    problems: [],
  };
  #preparing: Promise<Readiness> | undefined;
  #looking: Promise<void> | undefined;
  #declined = false;
  /** Counts up with every end, so that whatever was under way knows that it came too late. */
  #life = 0;
  #redact: Redact = ASIS;

  /** Records what passes, when the user wants it. */
  readonly recorder: ServerRecorder;

  constructor(configured: ConfiguredEntry, around: Surroundings) {
    this.#configured = configured;
    this.#around = around;
    this.recorder = new ServerRecorder({
      server: configured.name,
      version: around.version,
      redact: (text) => this.#redact(text),
      onDidChange: () => this.#changed.fire(),
      onFailed: around.showError,
    });
  }

  readonly onDidChange = this.#changed.event;

  get name(): string {
    return this.#configured.name;
  }

  get configured(): ConfiguredEntry {
    return this.#configured;
  }

  get status(): ServerStatus {
    if (this.#configured.entry.disabled) return { kind: 'disabled' };
    if (!this.#around.isTrusted()) return { kind: 'restricted' };
    if (!this.#around.hasConsent(this.#configured)) {
      return { kind: 'needsConsent', declined: this.#declined };
    }
    if (this.#resolution.isFatal) {
      const message = this.#resolution.problems.map((problem) => problem.message).join(' ');
      return { kind: 'failed', message };
    }
    const state = this.#bridge?.state ?? { kind: 'stopped' };
    switch (state.kind) {
      case 'starting':
        return { kind: 'starting', lastLine: this.#heard.lastLine };
      case 'needsSignIn':
      case 'failed':
        return { kind: state.kind, message: this.#redact(state.message) };
      case 'signingIn':
      case 'stopped':
      case 'running':
        return state;
    }
  }

  /** The clients connected, without the bridge's own. */
  get sessions(): readonly SessionInfo[] {
    return this.#heard.sessions;
  }

  /** The legs between which the tools pass; undefined before the server has been heard. */
  get legs(): ToolListLegs | undefined {
    return this.#heard.legs;
  }

  /** The tools as they were seen last; undefined before they were. */
  get tools(): readonly ToolEntry[] | undefined {
    return this.#heard.tools(this.#around.policy());
  }

  /** The sign-in to the server, as it was prepared last; undefined before, and where nobody can sign in. */
  get signIn(): ServerSignIn | undefined {
    return this.#signIn;
  }

  /** What was found at members of the entry when its variables were replaced. */
  get entryProblems(): readonly ResolveProblem[] {
    return this.#resolution.problems;
  }

  get hasFatalEntryProblem(): boolean {
    return this.#resolution.isFatal;
  }

  /** All there is to say of the server, in words. */
  get findings(): readonly Finding[] {
    const { status, legs, tools } = this;
    const failure = this.#resolution.isFatal ? [] : describeTrouble(status);
    const ofTools = legs === undefined ? [] : describeTools(tools ?? [], legs);
    return [...failure, ...this.#findings.list(), ...ofTools];
  }

  /** Takes over what changed in the file without changing how the server runs. */
  update(configured: ConfiguredEntry): void {
    this.#configured = configured;
  }

  /**
   * Makes the server usable, asking the user whatever is to be asked; all who ask at once share the outcome. Who has
   * said no is asked again only where `by` is the user: the editor comes back at every turn of a chat.
   */
  prepare(by: 'user' | 'editor'): Promise<Readiness> {
    if (this.#preparing !== undefined) return this.#preparing;
    const preparing = this.#prepare(by).finally(() => {
      if (this.#preparing === preparing) this.#preparing = undefined;
      this.#changed.fire();
    });
    this.#preparing = preparing;
    return preparing;
  }

  /** Serves a client of the legacy era; one that comes before the server may run is told why. */
  readonly accept: AcceptChannel = (channel, first) => {
    const accept = this.#usableBridge()?.accept ?? this.#refuse;
    return accept(channel, first);
  };

  /** Serves the modern clients on the same terms, which are looked at for every message: there is no session. */
  readonly modern: ModernService = {
    accept: (channel) => {
      const accept = this.#usableBridge()?.acceptModern ?? this.#refuse;
      return accept(channel);
    },
    paramHeaders: (tool) => this.#usableBridge()?.paramHeaders(tool) ?? [],
  };

  /**
   * Lists the tools by a client of the bridge's own. Where it is for the view alone, an editor's session shows them anyway;
   * not so a modern client, which has none: that it is remembered does not mean that it will list anything.
   */
  look(purpose: 'view' | 'anew' = 'view'): Promise<void> {
    const hasSession = this.sessions.some(({ revision }) => eraOf(revision) === 'legacy');
    if (purpose === 'view' && hasSession) return Promise.resolve();
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  policyChanged(): void {
    const policy = this.#around.policy();
    this.#bridge?.setPolicy(policy);
    this.#findings.obey(policy);
  }

  /** Ends the server with all its processes. Until it is prepared again its clients are told so. */
  async stop(): Promise<void> {
    this.#life++;
    this.#signIn?.cancel();
    const bridge = this.#bridge;
    this.#bridge = undefined;
    this.#preparing = undefined;
    this.#heard.end();
    this.#findings.clear();
    this.#resolution = { isFatal: false, problems: [] };
    this.#changed.fire();
    if (bridge === undefined) return;
    await bridge.close();
    this.#around.log.info(this.#line('stopped'));
  }

  /** Forgets the sign-in, and ends the server, which may have been shown the tokens. */
  async signOut(): Promise<SignedOut> {
    const signIn = this.#signIn;
    await this.stop();
    const outcome = (await signIn?.signOut()) ?? { kind: 'notSignedIn' };
    if (outcome.kind !== 'failed') this.#signIn = undefined;
    this.#changed.fire();
    return outcome;
  }

  /** Ends all that there is of the server, for good. */
  async end(): Promise<void> {
    await this.stop();
    this.recorder.stop();
  }

  async #prepare(by: 'user' | 'editor'): Promise<Readiness> {
    const life = this.#life;
    const { entry } = this.#configured;
    if (entry.disabled) return refused(`The server "${this.name}" is disabled.`);
    if (!this.#around.isTrusted()) return refused(reasonNotToServe(this.name, this.status));
    if (!this.#around.hasConsent(this.#configured)) {
      if (this.#declined && by === 'editor') return { kind: 'declined' };
      this.#declined = !(await this.#around.askConsent(this.#configured));
      if (this.#declined) return { kind: 'declined' };
    }
    if (life !== this.#life) return refused(`The server "${this.name}" has changed meanwhile.`);
    if (this.#bridge !== undefined) return { kind: 'ready' };

    const made = await makeBridge(this.#configured, this.#around, () => life === this.#life);
    switch (made.kind) {
      case 'cancelled':
        return { kind: 'declined' };
      case 'overtaken':
        return refused(`The server "${this.name}" has changed meanwhile.`);
      case 'problems': {
        const { problems } = made;
        this.#resolution = { isFatal: true, problems };
        const messages = problems.map(({ message }) => message).join(' ');
        return refused(`The server "${this.name}" cannot start: ${messages}`);
      }
      case 'made': {
        const { bridge, signIn, redact, warnings } = made;
        this.#resolution = { isFatal: false, problems: warnings };
        this.#redact = redact;
        this.#bridge = bridge;
        this.#signIn = signIn;
        this.recorder.follow(bridge);
        bridge.onEvent((event) => {
          if (this.#bridge === bridge) this.#onEvent(event, bridge);
        });
        return { kind: 'ready' };
      }
    }
  }

  async #look(): Promise<void> {
    const bridge = this.#usableBridge();
    if (bridge === undefined) return;
    const { inspect } = await import('../../bridge/inspect.ts');
    const inspection = await inspect(bridge.accept, this.#around.version, (message) =>
      this.#around.log.warn(this.#line(message)),
    );
    if (inspection.kind === 'failed') {
      this.#around.log.warn(this.#line(`its tools cannot be listed: ${inspection.message}`));
    }
  }

  /** Consent and trust are looked at again for every client: either can be withdrawn while a bridge exists. */
  #usableBridge(): Bridge | undefined {
    const { kind } = this.status;
    const isBarred = kind === 'disabled' || kind === 'restricted' || kind === 'needsConsent';
    return isBarred ? undefined : this.#bridge;
  }

  #onEvent(event: BridgeEvent, bridge: Bridge): void {
    this.#findings.add(event, this.#redact);
    logEvent(this.#around.log, event, (text) => this.#line(text));
    this.#heard.take(event, bridge, (text) => visible(this.#redact(text)));
    this.#changed.fire();
  }

  #line(text: string): string {
    return `[${visible(this.name)}] ${visible(this.#redact(text))}`;
  }
}

function refused(message: string): Readiness {
  return { kind: 'refused', message };
}
