import type { ToolAliases } from './aliases.ts';
import type { ParamHeader } from '../../protocol/headerValue.ts';
import type { Profile } from '../../protocol/profile.ts';
import type { RawJson } from '../../protocol/rawJson.ts';
import type { TransportKind } from '../../protocol/transportKind.ts';
import type { DegradePolicy } from '../policy.ts';
import type { Refusal, Step } from '../report.ts';
import type { TaskSupport } from '../tasks/toolTasks.ts';

/** Between whom a tool list passes, and what was agreed with its reader before. */
export interface ToolListContext {
  readonly from: Profile;
  readonly to: Profile;
  readonly policy: DegradePolicy;
  /** Only over HTTP do `x-mcp-header` annotations bind anybody. */
  readonly upstream: TransportKind;
  /** The `alias` of every tool this reader was shown: on earlier pages, and in lists it may not have thrown away. */
  readonly aliases: ToolAliases;
  /** Tools whose results broke the promise of their output schema: to this reader it is not repeated. */
  readonly unpromised?: ReadonlySet<string>;
}

/** What the session has to remember of a tool that its reader was shown. */
export interface ToolFacts {
  /** The server's own name, which calls upstream and `Mcp-Name` use. */
  readonly name: string;
  /**
   * The name an editor knows it by, which is its own where that is usable; absent for readers that need no aliases. All
   * of them are held against later lists, so that no tool gets a name that meant another.
   */
  readonly alias?: string;
  readonly paramHeaders: readonly ParamHeader[];
  /** Whether the reader holds an output schema; where it was removed, structured results must go with it. */
  readonly outputSchema: 'kept' | 'removed' | 'absent';
  readonly taskSupport: TaskSupport;
}

/** A step that concerns one tool (its path leads into the definition), or, without a tool, the result itself. */
export interface ToolStep extends Step {
  readonly tool?: string;
}

/** A tool that its reader is not shown; the refusal's path leads into its definition. */
export interface WithheldTool {
  readonly name?: string;
  /** Where it stood in the server's list. */
  readonly index: number;
  readonly refusal: Refusal;
}

interface ToolListReport {
  readonly tools: readonly ToolFacts[];
  readonly steps: readonly ToolStep[];
  readonly withheld: readonly WithheldTool[];
}

/** What became of a tool list; there is no refusal, because one bad tool never takes the list. */
export type ToolListOutcome =
  | ({ readonly kind: 'unchanged' } & ToolListReport)
  | ({ readonly kind: 'changed'; readonly raw: RawJson } & ToolListReport);
