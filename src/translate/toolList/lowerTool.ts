import { repairAnnotations } from './annotations.ts';
import { repairDefinition } from './definitionMembers.ts';
import { repairForEditor } from './editor/editorSchema.ts';
import { readParamHeaders } from './headerAnnotations.ts';
import { repairInputSchema } from './inputSchema.ts';
import { lowerOutputSchema } from './outputSchema.ts';
import { checkReferences } from './schema/references.ts';
import type { ToolFacts, ToolListContext } from './types.ts';
import { setMember } from '../../protocol/rawEdit.ts';
import { getMember, kindOf, stringOf, toRaw, type RawJson } from '../../protocol/rawJson.ts';
import { Edition } from '../edition.ts';
import { taskSupportOf } from '../tasks/toolTasks.ts';
import { describeRaw, type Refusal, type Step } from '../report.ts';

/** The list's context and what the list as a whole says of this tool. */
export interface ToolContext extends ToolListContext {
  /** The name to show it by; undefined for a reader that needs no aliases. */
  readonly alias: string | undefined;
  /** A tool of the same name stands before this one. */
  readonly repeated: boolean;
}

/** What became of one tool. */
export type ToolOutcome =
  | {
      readonly kind: 'shown';
      readonly raw: RawJson;
      readonly steps: readonly Step[];
      readonly facts: ToolFacts;
    }
  | { readonly kind: 'withheld'; readonly refusal: Refusal };

/** Puts one tool definition to its reader; the rules run in order and the first refusal withholds the tool. */
export function lowerTool(tool: RawJson, context: ToolContext): ToolOutcome {
  const edition = new Edition(tool, context.policy);
  const name = nameOf(edition);
  if (edition.refusal !== undefined) return { kind: 'withheld', refusal: edition.refusal };
  repairDefinition(edition, context.to);
  repairAnnotations(edition, context.to);
  repairInputSchema(edition, context.to);
  // The annotations count as the server wrote them, before a reader's schema is made of it.
  const paramHeaders = readParamHeaders(edition, context);
  checkReferences(edition);
  const outputSchema = lowerOutputSchema(
    edition,
    context,
    context.unpromised?.has(name ?? '') === true,
  );
  repairForEditor(edition, context);
  rename(edition, name, context);

  const outcome = edition.outcome();
  if (outcome.kind === 'refused') return { kind: 'withheld', refusal: outcome.refusal };
  const facts: ToolFacts = {
    name: name ?? '',
    ...(context.alias === undefined ? {} : { alias: context.alias }),
    paramHeaders,
    outputSchema,
    taskSupport: taskSupportOf(tool),
  };
  return { kind: 'shown', raw: edition.raw, steps: outcome.steps, facts };
}

function nameOf(edition: Edition): string | undefined {
  const isObject = kindOf(edition.raw) === 'object';
  const member = getMember(edition.raw, 'name');
  const name = stringOf(member);
  if (name === undefined) {
    edition.refusal ??= {
      feature: 'tool-definition',
      path: isObject ? '/name' : '',
      hint: isObject
        ? `The tool has no name (${describeRaw(member)}), and no client reads a list that holds such an entry.`
        : `An entry of the tool list is not an object (${describeRaw(edition.raw)}), which no client reads.`,
    };
  }
  return name;
}

/** Gives the tool the name its reader can use, and says what becomes of a second tool of the same name. */
function rename(
  edition: Edition,
  name: string | undefined,
  { alias, repeated, to }: ToolContext,
): void {
  if (repeated && to.reader === 'vscode') {
    edition.refusal ??= {
      feature: 'tool-name',
      path: '/name',
      hint: 'Another tool of the same name stands before this one, and a call could not say which of them it means.',
    };
  } else if (repeated) {
    edition.note('tool-name', ['name'], 'the name of an earlier tool', 'left as it is', 'warning');
  }
  if (alias === undefined || alias === name) return;
  edition.raw = setMember(edition.raw, 'name', toRaw(alias));
  edition.note('tool-name', ['name'], 'a name the editor cannot use or tell apart', alias);
}
