import { aliasesFor } from './aliases.ts';
import { lowerTool } from './lowerTool.ts';
import { withItems } from './rawParts.ts';
import { repairListMembers } from './listMembers.ts';
import type {
  ToolFacts,
  ToolListContext,
  ToolListOutcome,
  ToolStep,
  WithheldTool,
} from './types.ts';
import { setMember } from '../../protocol/rawEdit.ts';
import { getMember, itemsOf, kindOf, stringOf, type RawJson } from '../../protocol/rawJson.ts';
import { Edition } from '../edition.ts';

/**
 * Puts a `tools/list` result to its reader. Each tool is judged alone: one that the reader cannot take is repaired, or
 * withheld with its reason, and the others keep every byte.
 */
export function lowerToolList(result: RawJson, context: ToolListContext): ToolListOutcome {
  const edition = new Edition(result, context.policy);
  repairListMembers(edition);
  const list = getMember(edition.raw, 'tools');
  const entries = list === undefined || kindOf(list) !== 'array' ? [] : itemsOf(list);
  const names = entries.map((entry) => stringOf(getMember(entry, 'name')));
  const aliases = aliasesFor(
    names.filter((name) => name !== undefined),
    context.to.reader,
    context.aliases,
  );

  const steps: ToolStep[] = [...edition.outcome().steps];
  const tools: ToolFacts[] = [];
  const withheld: WithheldTool[] = [];
  const seen = new Set<string>();
  const lowered = entries.map((entry, index): RawJson | undefined => {
    const name = names[index];
    const shownAs = name === undefined ? undefined : (aliases.get(name) ?? name);
    const alias = context.to.reader === 'spec' ? undefined : shownAs;
    const repeated = name !== undefined && seen.has(name);
    const outcome = lowerTool(entry, { ...context, alias, repeated });
    if (outcome.kind === 'withheld') {
      withheld.push({ ...(name === undefined ? {} : { name }), index, refusal: outcome.refusal });
      return undefined;
    }
    seen.add(outcome.facts.name);
    tools.push(outcome.facts);
    steps.push(...outcome.steps.map((step) => ({ ...step, tool: outcome.facts.name })));
    return outcome.raw;
  });

  const report = { tools, steps, withheld };
  const relisted = list === undefined ? undefined : withItems(list, lowered);
  const raw =
    relisted === undefined || relisted === list
      ? edition.raw
      : setMember(edition.raw, 'tools', relisted);
  return raw === result ? { kind: 'unchanged', ...report } : { kind: 'changed', raw, ...report };
}
