import type { Bridge } from '../../bridge/bridge.ts';
import type { BridgeEvent, SessionInfo } from '../../bridge/events.ts';
import { Emitter } from '../../base/emitter.ts';
import type { ResolveProblem } from '../../config/resolve.ts';
import type { RawJson } from '../../protocol/rawJson.ts';
import { eraOf, NEWEST_LEGACY } from '../../protocol/revision.ts';
import { visible } from '../../base/visibleText.ts';
import { describePolicy } from '../../translate/policy.ts';
import type { ModernService } from '../../transports/streamableHttp/modernEndpoint.ts';
import type { AcceptChannel } from '../../transports/transport.ts';
import type { ConfiguredEntry } from '../config/configuredServers.ts';
import { describeTools } from '../diagnostics/describeFinding.ts';
import type { Finding } from '../diagnostics/finding.ts';
import { CallFindings } from './callFindings.ts';
import { createRedactor, type Redact } from '../../config/redactor.ts';
import { refusingEndpoint } from './refusingEndpoint.ts';
import { logEvent } from './logEvent.ts';
import { reasonNotToServe, type ServerStatus } from './serverStatus.ts';
import type { Readiness, Surroundings } from './surroundings.ts';
import { viewToolList, type ToolEntry, type ToolListLegs } from './toolListView.ts';

/** Where the name of the bridge's own client comes from: `inspect` introduces itself so. */
const INSPECTOR = 'mcp-rosetta';

const ASIS: Redact = (text) => text;

/** What the editor is shown of a list, and what that depends on. */
interface View {
  readonly key: string;
  readonly listed: readonly RawJson[];
  readonly tools: readonly ToolEntry[];
}

/**
 * One configured server: nothing of it runs before the user has agreed, and what runs ends with it.
 */
export class ManagedServer {
  readonly #around: Surroundings;
  readonly #changed = new Emitter<void>();
  readonly #sessions = new Map<string, SessionInfo>();
  readonly #findings = new CallFindings();
  readonly #refuse = refusingEndpoint(() => reasonNotToServe(this.name, this.status));
  #configured: ConfiguredEntry;
  #bridge: Bridge | undefined;
  #lastLine: string | undefined;
  #upstream: Pick<ToolListLegs, 'upstream' | 'reader' | 'transport'> | undefined;
  #tools: readonly RawJson[] | undefined;
  #view: View | undefined;
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

  constructor(configured: ConfiguredEntry, around: Surroundings) {
    this.#configured = configured;
    this.#around = around;
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
        return { kind: 'starting', lastLine: this.#lastLine };
      case 'signingIn':
        return { kind: 'starting', lastLine: 'Waiting for the sign-in in the browser.' };
      case 'needsSignIn':
      case 'failed':
        return { kind: 'failed', message: this.#redact(state.message) };
      case 'stopped':
      case 'running':
        return state;
    }
  }

  /** The clients connected, without the bridge's own. */
  get sessions(): readonly SessionInfo[] {
    return [...this.#sessions.values()].filter(({ name }) => name !== INSPECTOR);
  }

  /** The legs between which the tools pass; undefined before the server has been heard. */
  get legs(): ToolListLegs | undefined {
    // Of several clients the one of the oldest revision: to it most has to be changed.
    const [oldest] = this.sessions.map(({ revision }) => revision).sort();
    const downstream = oldest ?? NEWEST_LEGACY;
    return this.#upstream && { ...this.#upstream, downstream };
  }

  /** The tools as they were seen last; undefined before they were. */
  get tools(): readonly ToolEntry[] | undefined {
    const { legs } = this;
    const listed = this.#tools;
    if (legs === undefined || listed === undefined) return undefined;
    const policy = this.#around.policy();
    const key = JSON.stringify([legs, describePolicy(policy)]);
    // Asked for at every event of the server, and dear where there are many tools.
    if (this.#view?.key !== key || this.#view.listed !== listed) {
      this.#view = { key, listed, tools: viewToolList(listed, legs, policy) };
    }
    return this.#view.tools;
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
    const failure: Finding[] =
      status.kind === 'failed' && !this.#resolution.isFatal
        ? [{ severity: 'error', code: 'server', message: visible(status.message), count: 1 }]
        : [];
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
   * Lists the tools by a client of the bridge's own, unless an editor's session shows them anyway. A modern client has
   * none: that it is remembered does not mean that it will list anything.
   */
  look(): Promise<void> {
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
    const bridge = this.#bridge;
    this.#bridge = undefined;
    this.#preparing = undefined;
    this.#sessions.clear();
    this.#findings.clear();
    this.#lastLine = undefined;
    this.#resolution = { isFatal: false, problems: [] };
    this.#changed.fire();
    if (bridge === undefined) return;
    await bridge.close();
    this.#around.log.info(this.#line('stopped'));
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

    const answers: string[] = [];
    const resolution = await this.#around.resolve(this.#configured, (answer) => {
      answers.push(answer);
    });
    if (life !== this.#life) return refused(`The server "${this.name}" has changed meanwhile.`);
    switch (resolution.kind) {
      case 'cancelled':
        return { kind: 'declined' };
      case 'problems': {
        const { problems } = resolution;
        this.#resolution = { isFatal: true, problems };
        const messages = problems.map(({ message }) => message).join(' ');
        return refused(`The server "${this.name}" cannot start: ${messages}`);
      }
      case 'resolved': {
        const { server, warnings } = resolution;
        this.#resolution = { isFatal: false, problems: warnings };
        this.#redact = createRedactor(server, answers);
        const { createBridge } = await import('../../bridge/createBridge.ts');
        if (life !== this.#life) return refused(`The server "${this.name}" has changed meanwhile.`);
        const bridge = createBridge(server, {
          reader: 'vscode',
          policy: this.#around.policy(),
          memory: this.#around.eraMemory(this.#configured),
          redact: this.#redact,
          network: 'editor',
        });
        this.#bridge = bridge;
        bridge.onEvent((event) => {
          if (this.#bridge === bridge) this.#onEvent(event, bridge);
        });
        return { kind: 'ready' };
      }
    }
  }

  async #look(): Promise<void> {
    const bridge = this.#usableBridge();
    const hasSession = this.sessions.some(({ revision }) => eraOf(revision) === 'legacy');
    if (bridge === undefined || hasSession) return;
    const { inspect } = await import('../../bridge/inspect.ts');
    const inspection = await inspect(bridge.accept, this.#around.version, (message) =>
      this.#around.log.warn(`[${this.name}] ${visible(this.#redact(message))}`),
    );
    if (inspection.kind === 'failed') {
      const message = visible(this.#redact(inspection.message));
      this.#around.log.warn(`[${this.name}] its tools cannot be listed: ${message}`);
    }
  }

  /** Consent and trust are looked at again for every client: either can be withdrawn while a bridge exists. */
  #usableBridge(): Bridge | undefined {
    const { kind } = this.status;
    const isBarred = kind === 'disabled' || kind === 'restricted' || kind === 'needsConsent';
    return isBarred ? undefined : this.#bridge;
  }

  #onEvent(event: BridgeEvent, { reader, transport }: Bridge): void {
    this.#findings.add(event, this.#redact);
    logEvent(this.#around.log, event, (text) => this.#line(text));
    switch (event.kind) {
      case 'state':
        this.#lastLine = undefined;
        if (event.state.kind === 'running') {
          this.#upstream = { upstream: event.state.revision, reader, transport };
        }
        break;
      case 'stderr':
        this.#lastLine = visible(this.#redact(event.line));
        break;
      case 'session':
        if (event.client === undefined) this.#sessions.delete(event.session);
        else this.#sessions.set(event.session, event.client);
        break;
      case 'tools':
        this.#tools = event.tools;
        break;
      case 'refusal':
      case 'warning':
      case 'report':
        break;
    }
    this.#changed.fire();
  }

  #line(text: string): string {
    return `[${visible(this.name)}] ${visible(this.#redact(text))}`;
  }
}

function refused(message: string): Readiness {
  return { kind: 'refused', message };
}
