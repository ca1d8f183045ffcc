import { getMember, kindOf, stringOf, type RawJson } from '../protocol/rawJson.ts';

/** The hints of a tool that are true or false, in the order in which they are shown. */
export const HINT_NAMES = [
  'readOnlyHint',
  'destructiveHint',
  'idempotentHint',
  'openWorldHint',
] as const;

export type HintName = (typeof HINT_NAMES)[number];

/** One hint: what the server declared, if anything, and what holds. */
export interface Hint {
  readonly declared: boolean | undefined;
  readonly value: boolean;
  readonly source: 'declared' | 'default' | 'override';
}

/** What a server claims of a tool. Hints are claims: nothing may be allowed on the word of a server nobody trusts. */
export interface ToolHints extends Readonly<Record<HintName, Hint>> {
  /** `annotations.title`, where it is declared. */
  readonly title: string | undefined;
  /** What to call the tool: its title, else the title among its annotations, else its name (2025-06-18, Tool). */
  readonly label: string;
  /** Whether the tool is declared to change nothing and to destroy something. */
  readonly contradictory: boolean;
}

/** What an absent hint means (2025-03-26 and later, ToolAnnotations). */
const DEFAULTS: Readonly<Record<HintName, boolean>> = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

const WORDS: Readonly<Record<HintName, readonly [yes: string, no: string]>> = {
  readOnlyHint: ['read-only', 'not read-only'],
  destructiveHint: ['destructive', 'not destructive'],
  idempotentHint: ['idempotent', 'not idempotent'],
  openWorldHint: ['open world', 'closed world'],
};

const SOURCES: Readonly<Record<Hint['source'], string>> = {
  declared: 'declared',
  default: 'default, not declared',
  override: 'set by you',
};

/** Reads the hints of a tool; what is not of its type is not declared, and what the user sets wins. */
export function readHints(
  tool: RawJson,
  overrides: Readonly<Partial<Record<HintName, boolean>>> = {},
): ToolHints {
  const annotations = getMember(tool, 'annotations') ?? tool.subarray(0, 0);
  const read = (name: HintName): Hint => {
    const declared = booleanOf(getMember(annotations, name));
    const override = overrides[name];
    if (override !== undefined) return { declared, value: override, source: 'override' };
    if (declared !== undefined) return { declared, value: declared, source: 'declared' };
    return { declared, value: DEFAULTS[name], source: 'default' };
  };
  const title = stringOf(getMember(annotations, 'title'));
  const readOnlyHint = read('readOnlyHint');
  const destructiveHint = read('destructiveHint');
  return {
    title,
    readOnlyHint,
    destructiveHint,
    idempotentHint: read('idempotentHint'),
    openWorldHint: read('openWorldHint'),
    label: labelOf(tool, title),
    contradictory: readOnlyHint.declared === true && destructiveHint.declared === true,
  };
}

/** A hint in words, such as "not destructive (declared)" or "destructive (default, not declared)". */
export function describeHint(name: HintName, hint: Hint): string {
  const [yes, no] = WORDS[name];
  return `${hint.value ? yes : no} (${SOURCES[hint.source]})`;
}

/**
 * All hints in words, without those that mean nothing because the tool changes nothing (ToolAnnotations), unless they
 * were declared all the same.
 */
export function describeHints(hints: ToolHints): string[] {
  const meaningful = HINT_NAMES.filter(
    (name) =>
      !hints.readOnlyHint.value ||
      hints[name].source !== 'default' ||
      (name !== 'destructiveHint' && name !== 'idempotentHint'),
  );
  return meaningful.map((name) => describeHint(name, hints[name]));
}

function labelOf(tool: RawJson, title: string | undefined): string {
  const named = [stringOf(getMember(tool, 'title')), title].find((text) => (text ?? '') !== '');
  return named ?? stringOf(getMember(tool, 'name')) ?? '';
}

function booleanOf(raw: RawJson | undefined): boolean | undefined {
  return raw === undefined || kindOf(raw) !== 'boolean' ? undefined : raw[0] === 0x74;
}
