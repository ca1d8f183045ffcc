/** How a text is laid out, so that what is added looks like its neighbours. */
export interface TextStyle {
  readonly eol: string;
  /** One step of indentation. */
  readonly step: string;
}

/** The style of a text with members on lines of their own; of any other, two spaces. */
export function styleOf(text: string): TextStyle {
  const [, step = '  '] = /^([ \t]+)"/m.exec(text) ?? [];
  return { eol: text.includes('\r\n') ? '\r\n' : '\n', step: step.startsWith('\t') ? '\t' : step };
}
