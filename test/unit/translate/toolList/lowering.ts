import { profileOf, type Reader } from '../../../../src/protocol/profile.ts';
import { parseRaw } from '../../../../src/protocol/rawJson.ts';
import type { Revision } from '../../../../src/protocol/revision.ts';
import { STRICT } from '../../../../src/translate/policy.ts';
import { lowerToolList } from '../../../../src/translate/toolList/lowerToolList.ts';
import type { ToolListContext, ToolListOutcome } from '../../../../src/translate/toolList/types.ts';

/** What a test says of a lowering; the rest is a strict bridge from a modern stdio server to a 2025-11-25 client. */
export interface Setting extends Partial<Omit<ToolListContext, 'from' | 'to'>> {
  readonly from?: Revision;
  readonly to?: Revision;
  readonly reader?: Reader;
}

/** Lowers a `tools/list` result given as JSON text. */
export function lowerText(text: string, setting: Setting = {}): ToolListOutcome {
  const { from, to, reader, ...rest } = setting;
  return lowerToolList(Buffer.from(text), {
    from: profileOf(from ?? '2026-07-28'),
    to: profileOf(to ?? '2025-11-25', reader ?? 'spec'),
    policy: STRICT,
    upstream: 'stdio',
    aliases: new Map(),
    ...rest,
  });
}

/** Lowers a list of tools given as values. */
export function lowerTools(tools: readonly unknown[], setting: Setting = {}): ToolListOutcome {
  return lowerText(JSON.stringify({ tools }), setting);
}

/** The text of a lowered result: what it was, where nothing was changed. */
export function textOf(outcome: ToolListOutcome, before: string): string {
  return outcome.kind === 'changed' ? outcome.raw.toString() : before;
}

/** The tools of a lowered list as values. */
export function toolsOf(tools: readonly unknown[], setting: Setting = {}): unknown[] {
  const outcome = lowerTools(tools, setting);
  if (outcome.kind === 'unchanged') return [...tools];
  return (parseRaw(outcome.raw) as { tools: unknown[] }).tools;
}

/** The input schema of the one tool of a lowered list, and what was reported. */
export function lowerSchema(
  inputSchema: unknown,
  setting: Setting = {},
): { schema: unknown; steps: string[]; withheld: string[] } {
  const tools = [{ name: 't', inputSchema }];
  const outcome = lowerTools(tools, setting);
  const [tool] = toolsOf(tools, setting) as { inputSchema?: unknown }[];
  return {
    schema: tool?.inputSchema,
    steps: outcome.steps.map(({ feature, path, loss }) => `${feature} ${path} ${loss}`),
    withheld: outcome.withheld.map(({ refusal }) => `${refusal.feature} ${refusal.path}`),
  };
}
