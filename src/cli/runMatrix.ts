import { allCrossings, crossingsBetween } from '../translate/matrix/matrix.ts';
import type { MatrixRequest } from './command.ts';
import { formatJson, formatMarkdown, formatOverview, formatPair } from './matrixTable.ts';

/** What `matrix` prints: how each feature crosses, by the rules that translate it, in lines of this width. */
export function matrix({ pair, format }: MatrixRequest, width: number): string {
  switch (format) {
    case 'json':
      return formatJson(pair === undefined ? allCrossings() : crossingsBetween(pair.from, pair.to));
    case 'markdown':
      return formatMarkdown();
    case 'text':
      return pair === undefined
        ? formatOverview(width)
        : formatPair(pair.from, pair.to, crossingsBetween(pair.from, pair.to), width);
  }
}
