import { getMember, itemsOf, stringOf, type RawJson } from '../../protocol/rawJson.ts';

/** One value that may be chosen in a form, and what the user is shown for it. */
export interface Choice {
  readonly value: string;
  readonly title: string | undefined;
}

/**
 * The values that a schema lets one choose from: `enum` (with `enumNames`), or `oneOf` and `anyOf` of `const` and `title`
 * (2025-11-25, Elicitation, Requested Schema, Enum Schema). Undefined where it offers none.
 */
export function choicesOf(schema: RawJson): readonly Choice[] | undefined {
  const values = getMember(schema, 'enum');
  if (values !== undefined) {
    const titles = itemsOf(getMember(schema, 'enumNames') ?? EMPTY);
    return complete(
      itemsOf(values).map((value, index) => ({
        value: stringOf(value),
        title: stringOf(titles[index]),
      })),
    );
  }
  const options = getMember(schema, 'oneOf') ?? getMember(schema, 'anyOf') ?? EMPTY;
  return complete(
    itemsOf(options).map((option) => ({
      value: stringOf(getMember(option, 'const')),
      title: stringOf(getMember(option, 'title')),
    })),
  );
}

const EMPTY: RawJson = Buffer.from('[]');

type Found = Omit<Choice, 'value'> & { readonly value: string | undefined };

function complete(found: readonly Found[]): readonly Choice[] | undefined {
  const choices: Choice[] = [];
  for (const { value, title } of found) {
    if (value === undefined) return undefined;
    choices.push({ value, title });
  }
  return choices.length === 0 ? undefined : choices;
}

/** The choices in the words of a description. */
export function nameChoices(choices: readonly Choice[]): string {
  return choices
    .map(({ value, title }) =>
      title === undefined || title === value ? value : `${value} (${title})`,
    )
    .join(', ');
}

/**
 * The values in a text that names them one after the other with commas between. A choice is taken by its value or, where
 * no value is spelled so, by its title, and may hold commas itself: the longest that fits counts. What is no choice
 * stands among the values as it was typed.
 */
export function typedChoices(text: string, choices: readonly Choice[] | undefined): string[] {
  const parts = text.split(',');
  const chosen = new Set<string>();
  let next = 0;
  while (next < parts.length) {
    const { value, end } = longest(parts, next, choices ?? []);
    if (value !== '') chosen.add(value);
    next = end;
  }
  return [...chosen];
}

function longest(
  parts: readonly string[],
  start: number,
  choices: readonly Choice[],
): { value: string; end: number } {
  // No more parts can belong together than the choice with the most commas has.
  const most = choices.reduce((parts, choice) => Math.max(parts, partsIn(choice)), 1);
  for (let end = Math.min(parts.length, start + most); end > start; end--) {
    const text = parts.slice(start, end).join(',').trim();
    const choice =
      choices.find(({ value }) => value === text) ?? choices.find(({ title }) => title === text);
    if (choice !== undefined) return { value: choice.value, end };
  }
  return { value: parts[start]?.trim() ?? '', end: start + 1 };
}

function partsIn({ value, title = '' }: Choice): number {
  return Math.max(value.split(',').length, title.split(',').length);
}
