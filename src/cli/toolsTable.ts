import { visible } from '../base/visibleText.ts';
import { HINT_NAMES, type HintName, type ToolHints } from '../tools/hints.ts';
import { fit, pad, textWidth } from './textWidth.ts';

/** A tool to list. Its texts are the server's own words. */
export interface ListedTool {
  /** The server's name in the configuration file, where there are several servers. */
  readonly server?: string;
  readonly name: string;
  readonly description?: string;
  readonly hints: ToolHints;
}

const HEADINGS: Readonly<Record<HintName, string>> = {
  readOnlyHint: 'READ-ONLY',
  destructiveHint: 'DESTRUCTIVE',
  idempotentHint: 'IDEMPOTENT',
  openWorldHint: 'OPEN WORLD',
};

const GAP = 2;

/** Less than this of a text tells nothing any more. */
const NARROWEST = 8;

/** The marks that a cell can bear, and what they mean. */
const LEGEND: readonly [mark: RegExp, meaning: string][] = [
  [/^\(/, '(yes), (no)  not declared by the server: the default of the specification'],
  [/\*$/, 'yes*, no*    set by you'],
  [/^-$/, '-            without meaning, because the tool is read-only'],
];

function hintCell(name: HintName, hints: ToolHints): string {
  const { value, source } = hints[name];
  const word = value ? 'yes' : 'no';
  switch (source) {
    case 'declared':
      return word;
    case 'override':
      return `${word}*`;
    case 'default': {
      // ToolAnnotations: meaningful only where readOnlyHint is false.
      const isIdle =
        hints.readOnlyHint.value && (name === 'destructiveHint' || name === 'idempotentHint');
      return isIdle ? '-' : `(${word})`;
    }
  }
}

function widest(cells: readonly string[]): number {
  return cells.reduce((width, cell) => Math.max(width, textWidth(cell)), 0);
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + GAP, -GAP);
}

/** The widths with what exceeds the line taken from the given columns, the first one first. */
function narrowed(widths: readonly number[], columns: readonly number[], width: number): number[] {
  const result = [...widths];
  for (const i of columns) {
    const own = result[i] ?? 0;
    const excess = total(result) - width;
    if (excess > 0) result[i] = own - Math.min(excess, Math.max(0, own - NARROWEST));
  }
  return result;
}

/** The widths of the columns: the title gives way first, then altogether, then the names do. */
function columnWidths(rows: readonly (readonly string[])[], width: number): number[] {
  const heading = rows[0] ?? [];
  const widths = heading.map((_, i) => widest(rows.map((row) => row[i] ?? '')));
  const title = heading.length - 1;
  const tool = heading.indexOf('TOOL');
  const withTitle = narrowed(widths, [title], width);
  if (total(withTitle) <= width) return withTitle;
  return narrowed(widths.slice(0, title), tool === 0 ? [0] : [0, tool], width);
}

function line(row: readonly string[], widths: readonly number[]): string {
  return widths
    .map((width, i) => pad(fit(row[i] ?? '', width), width))
    .join(' '.repeat(GAP))
    .trimEnd();
}

function notesOn(tools: readonly ListedTool[]): string[] {
  const cells = tools.flatMap(({ hints }) => HINT_NAMES.map((hint) => hintCell(hint, hints)));
  return [
    ...LEGEND.flatMap(([mark, meaning]) =>
      cells.some((cell) => mark.test(cell)) ? [meaning] : [],
    ),
    ...tools
      .filter(({ hints }) => hints.contradictory)
      .map(({ name }) => `${visible(name)} is declared both read-only and destructive.`),
  ];
}

/**
 * The tools with their hints as a table, in lines of at most `width` columns as long as the hints leave room for that.
 * Nothing in it drives the terminal. It ends with a line break.
 */
export function formatToolsTable(tools: readonly ListedTool[], width: number): string {
  if (tools.length === 0) return 'There are no tools.\n';
  const hasServers = tools.some(({ server }) => server !== undefined);
  const heading = [
    ...(hasServers ? ['SERVER'] : []),
    'TOOL',
    ...HINT_NAMES.map((name) => HEADINGS[name]),
    'TITLE',
  ];
  const rows = tools.map(({ server = '', name, hints }) => [
    ...(hasServers ? [visible(server)] : []),
    visible(name),
    ...HINT_NAMES.map((hint) => hintCell(hint, hints)),
    hints.label === name ? '' : visible(hints.label),
  ]);
  const widths = columnWidths([heading, ...rows], width);
  const lines = [heading, ...rows].map((row) => line(row, widths));
  const notes = notesOn(tools);
  return [...lines, ...(notes.length > 0 ? ['', ...notes] : []), ''].join('\n');
}

/** What was declared (null: nothing), what holds, and why. */
function hintsJson(hints: ToolHints): Record<string, unknown> {
  return Object.fromEntries(
    HINT_NAMES.map((name) => {
      const { declared, value, source } = hints[name];
      return [name, { declared: declared ?? null, value, source }];
    }),
  );
}

function escapeUnits(text: string): string {
  const units = Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** The tools with their hints as JSON. What could drive a terminal is written as an escape, so nothing is lost. */
export function formatToolsJson(tools: readonly ListedTool[]): string {
  const values = tools.map(({ server, name, description, hints }) => ({
    ...(server !== undefined && { server }),
    name,
    ...(hints.label !== name && { title: hints.label }),
    ...(description !== undefined && { description }),
    hints: hintsJson(hints),
    contradictory: hints.contradictory,
  }));
  const text = JSON.stringify(values, null, 2).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (found) =>
    found === '\n' ? found : escapeUnits(found),
  );
  return `${text}\n`;
}
