import type { Node } from 'jsonc-parser';
import type * as z from 'zod/mini';
import { visible } from '../base/visibleText.ts';
import type { ConfigProblem, TextRange } from './configProblem.ts';
import { keyRangeAt, nodeAt, rangeOf } from './jsonTree.ts';
import { didYouMean, nearestName } from './nearestName.ts';
import { quote } from './quote.ts';

/** The object an issue was found in. */
export interface IssueContext {
  readonly node: Node;
  /** What the object is, as it starts a sentence: `Server "x"`. */
  readonly subject: string;
  /** Where to show that something is missing. */
  readonly fallback: TextRange;
  /** The names that the object and the objects in it take, by the path of the object. */
  readonly known: (path: readonly PropertyKey[]) => readonly string[];
  /** What to say of a name that is not known, where there is more to say than which one is near. */
  readonly adviceOn: (name: string) => string | undefined;
}

function label(path: readonly PropertyKey[]): string {
  const text = path
    .map((step, i) =>
      typeof step === 'number' ? `[${step}]` : `${i > 0 ? '.' : ''}${String(step)}`,
    )
    .join('');
  return `"${visible(text)}"`;
}

function unknownMember(
  key: string,
  path: readonly PropertyKey[],
  context: IssueContext,
): ConfigProblem {
  const known = context.known(path);
  const advice = path.length === 0 ? context.adviceOn(key) : undefined;
  const place = path.length === 0 ? '' : ` in ${label(path)}`;
  const hint = didYouMean(key, known);
  const message =
    advice ??
    `Unknown member ${quote(key)}${place}${hint === '' ? `; known are ${known.join(', ')}.` : hint}`;
  return { message, ...(keyRangeAt(context.node, path, key) ?? context.fallback) };
}

/** How to write a value that was meant as text. The value itself stays out of the message: it can be a secret. */
function quotingHint(node: Node): string {
  return node.type === 'number' || node.type === 'boolean' ? '; put it in double quotes' : '';
}

function explainIssue(issue: z.core.$ZodIssue, context: IssueContext): ConfigProblem[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => unknownMember(key, path, context));
  }
  if (issue.code === 'invalid_key') {
    const key = String(path.at(-1));
    const reason = issue.issues[0]?.message ?? 'is not a valid name';
    const range = keyRangeAt(context.node, path.slice(0, -1), key) ?? context.fallback;
    return [
      { message: `The name ${quote(key)} in ${label(path.slice(0, -1))} ${reason}.`, ...range },
    ];
  }
  const node = nodeAt(context.node, path);
  if (node === undefined) {
    return [{ message: `${context.subject} needs ${label(path)}.`, ...context.fallback }];
  }
  const hint = issue.message.startsWith('must be a string') ? quotingHint(node) : '';
  return [{ message: `${label(path)} ${issue.message}${hint}.`, ...rangeOf(node) }];
}

/** The member that an issue says is missing, or undefined where it says something else. */
function missingMember(issue: z.core.$ZodIssue, context: IssueContext): string | undefined {
  const [name] = issue.path;
  const isMissing = issue.code === 'invalid_type' && nodeAt(context.node, issue.path) === undefined;
  return isMissing && issue.path.length === 1 ? String(name) : undefined;
}

/** The issues that a schema found in an object, in plain words and where they stand. */
export function explainIssues(
  issues: readonly z.core.$ZodIssue[],
  context: IssueContext,
): ConfigProblem[] {
  // A misspelt name is one mistake, not two: nothing is missing then.
  const misspelt = new Set(
    issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => nearestName(key, context.known(issue.path)))
        : [],
    ),
  );
  return issues
    .filter((issue) => {
      const missing = missingMember(issue, context);
      return missing === undefined || !misspelt.has(missing);
    })
    .flatMap((issue) => explainIssue(issue, context));
}
