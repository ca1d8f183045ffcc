import { FEATURES } from '../protocol/concern.ts';
import { REVISIONS, type Revision } from '../protocol/revision.ts';
import { fit } from './textWidth.ts';
import { crossing, newestWith, type Crossing } from '../translate/matrix/matrix.ts';

type Row = readonly string[];

/** The draft reads what the last revision reads. */
const READERS = REVISIONS.filter((revision) => revision !== 'draft');

const HEAD: Row = ['feature', ...READERS, 'instead'];

/** Each feature, as its newest revision says it, in front of a reader of each revision. */
function overview(): Row[] {
  return FEATURES.map((feature) => {
    const crossings = READERS.map((to) => crossing(feature, newestWith(feature), to));
    return [feature, ...crossings.map(({ passage }) => passage), insteadOf(crossings)];
  });
}

function insteadOf(crossings: readonly Crossing[]): string {
  return [...new Set(crossings.flatMap(({ instead }) => instead ?? []))].join('; ');
}

/** One line a feature, one column a reader. */
export function formatOverview(width: number): string {
  return columns([HEAD, ...overview()], width);
}

/** The same in Markdown, as the README shows it. */
export function formatMarkdown(): string {
  const line = (cells: Row): string => `| ${cells.join(' | ')} |`;
  const rows = overview().map(([feature = '', ...cells]) => [`\`${feature}\``, ...cells]);
  return `${[
    line(['Feature', ...READERS, 'Instead']),
    line(HEAD.map(() => '---')),
    ...rows.map(line),
  ].join('\n')}\n`;
}

/** What becomes of everything that one revision can say, in front of a reader of the other. */
export function formatPair(
  from: Revision,
  to: Revision,
  crossings: readonly Crossing[],
  width: number,
): string {
  const rows = crossings.map(({ feature, passage, instead = '' }) => [feature, passage, instead]);
  return `What ${from} says and ${to} reads:\n\n${columns([['feature', 'crosses', 'instead'], ...rows], width)}`;
}

export function formatJson(crossings: readonly Crossing[]): string {
  return `${JSON.stringify(crossings, null, 2)}\n`;
}

/** Lines are cut at the width. */
function columns(rows: readonly Row[], width: number): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const format = (row: Row): string =>
    fit(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
      width,
    );
  return `${rows.map(format).join('\n')}\n`;
}
