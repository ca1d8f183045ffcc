import type { Bridge } from '../../bridge/bridge.ts';
import type { BridgeEvent, SessionInfo } from '../../bridge/events.ts';
import type { RawJson } from '../../protocol/rawJson.ts';
import { NEWEST_LEGACY } from '../../protocol/revision.ts';
import { describePolicy, type DegradePolicy } from '../../translate/policy.ts';
import { viewToolList, type ToolEntry, type ToolListLegs } from './toolListView.ts';

/** Where the name of the bridge's own client comes from: `inspect` introduces itself so. */
const INSPECTOR = 'mcp-rosetta';

/** What the editor is shown of a list, and what that depends on. */
interface View {
  readonly key: string;
  readonly listed: readonly RawJson[];
  readonly tools: readonly ToolEntry[];
}

/** What has been heard of a server: what it said last counts, also when it does not run any more. */
export class Heard {
  readonly #sessions = new Map<string, SessionInfo>();
  #lastLine: string | undefined;
  #upstream: Pick<ToolListLegs, 'upstream' | 'reader' | 'transport'> | undefined;
  #tools: readonly RawJson[] | undefined;
  #view: View | undefined;

  /** What it wrote to its log since its state changed. */
  get lastLine(): string | undefined {
    return this.#lastLine;
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

  /** The tools as they were seen last, as a policy shows them; undefined before they were. */
  tools(policy: DegradePolicy): readonly ToolEntry[] | undefined {
    const { legs } = this;
    const listed = this.#tools;
    if (legs === undefined || listed === undefined) return undefined;
    const key = JSON.stringify([legs, describePolicy(policy)]);
    // Asked for at every event of the server, and dear where there are many tools.
    if (this.#view?.key !== key || this.#view.listed !== listed) {
      this.#view = { key, listed, tools: viewToolList(listed, legs, policy) };
    }
    return this.#view.tools;
  }

  /** Takes in what the bridge tells; `line` makes a line of a text, without secrets and hidden characters. */
  take(event: BridgeEvent, { reader, transport }: Bridge, line: (text: string) => string): void {
    switch (event.kind) {
      case 'state':
        this.#lastLine = undefined;
        if (event.state.kind === 'running') {
          this.#upstream = { upstream: event.state.revision, reader, transport };
        }
        return;
      case 'stderr':
        this.#lastLine = line(event.line);
        return;
      case 'session':
        if (event.client === undefined) this.#sessions.delete(event.session);
        else this.#sessions.set(event.session, event.client);
        return;
      case 'tools':
        this.#tools = event.tools;
        return;
      case 'refusal':
      case 'warning':
      case 'report':
    }
  }

  /** The bridge is gone, and its clients with it. */
  end(): void {
    this.#sessions.clear();
    this.#lastLine = undefined;
  }
}
