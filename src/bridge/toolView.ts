import type { RawJson } from '../protocol/rawJson.ts';
import { originalsOf, type ToolAliases } from '../translate/toolList/aliases.ts';
import { lowerToolList } from '../translate/toolList/lowerToolList.ts';
import type { ToolFacts, ToolListContext, ToolListOutcome } from '../translate/toolList/types.ts';

/** The tools as one client was shown them: what its calls and their results are read by. */
export class ToolView {
  #aliases: ToolAliases = new Map();
  #originals: ReadonlyMap<string, string> = new Map();
  readonly #tools = new Map<string, ToolFacts>();
  /** Tools that broke the promise of their output schema; it is not repeated to this client. */
  readonly #unpromised = new Set<string>();

  /** Lowers one page of the list for the client, and remembers what it was shown. */
  show(result: RawJson, context: Omit<ToolListContext, 'aliases' | 'unpromised'>): ToolListOutcome {
    const outcome = lowerToolList(result, {
      ...context,
      aliases: this.#aliases,
      unpromised: this.#unpromised,
    });
    const aliases = new Map(this.#aliases);
    for (const facts of outcome.tools) {
      this.#tools.set(facts.name, facts);
      if (facts.alias !== undefined) aliases.set(facts.name, facts.alias);
    }
    this.#aliases = aliases;
    this.#originals = originalsOf(aliases);
    return outcome;
  }

  /** The server's own name of a tool that the client calls by this one. */
  originalOf(name: string): string {
    return this.#originals.get(name) ?? name;
  }

  /** True where the client holds an output schema for the tool, and will throw on a result without structure. */
  promisesOutput(tool: string): boolean {
    return this.#tools.get(tool)?.outputSchema === 'kept';
  }

  /** The tool did not keep its promise once; from the next list on it makes none. */
  breakPromise(tool: string): void {
    this.#unpromised.add(tool);
  }
}
