import { printParseErrorCode, type ParseError } from 'jsonc-parser';
import { visible } from '../base/visibleText.ts';
import type { ConfigProblem } from './configProblem.ts';

const MESSAGES: Readonly<Record<string, string>> = {
  InvalidNumberFormat: 'This number is not complete.',
  PropertyNameExpected: 'A name in double quotes is expected here.',
  ValueExpected: 'A value is missing here.',
  ColonExpected: 'A colon is missing here, between the name and its value.',
  CommaExpected: 'A comma is missing before this.',
  CloseBraceExpected: 'A closing } is missing.',
  CloseBracketExpected: 'A closing ] is missing.',
  EndOfFileExpected: 'Nothing may follow the closing } of the file.',
  InvalidCommentToken: 'A comment starts with // or stands between /* and */.',
  UnexpectedEndOfComment: 'This comment is not closed: */ is missing.',
  UnexpectedEndOfString: 'This text is not closed: a double quote is missing at its end.',
  UnexpectedEndOfNumber: 'This number is not complete.',
  InvalidUnicode: 'Four hexadecimal digits must follow \\u.',
  InvalidEscapeCharacter: 'A backslash in a text is written twice, as in "C:\\\\Tools".',
  InvalidCharacter: 'A tab or control character in a text is written as an escape, such as \\t.',
};

function describe(error: ParseError, text: string): string {
  const code = printParseErrorCode(error.error);
  if (code !== 'InvalidSymbol') return MESSAGES[code] ?? 'This is not valid JSON.';
  const symbol = text.slice(error.offset, error.offset + error.length);
  if (symbol.startsWith("'"))
    return 'Texts stand in double quotes, not in single ones (\'): use ".';
  return `${visible(symbol.slice(0, 40))} is not valid here; names and texts stand in double quotes.`;
}

/** The errors of the parser in plain words, one per line of the text: the others on a line follow from the first. */
export function syntaxProblems(errors: readonly ParseError[], text: string): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  let lastLine: number | undefined;
  for (const error of errors.toSorted((a, b) => a.offset - b.offset)) {
    const line = text.slice(0, error.offset).split('\n').length;
    if (line === lastLine) continue;
    lastLine = line;
    problems.push({
      message: describe(error, text),
      offset: error.offset,
      length: error.length,
    });
  }
  return problems;
}
