import type { Readable } from 'node:stream';

import { until } from './until.ts';

/** The lines that one or several processes have written, in the order in which they came. */
export class LineLog {
  readonly lines: string[] = [];

  /** Takes in what a stream writes from here on. */
  attach(stream: Readable): void {
    let rest = '';
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      const pieces = (rest + text).split('\n');
      rest = pieces.pop() ?? '';
      this.lines.push(...pieces);
    });
    stream.on('end', () => {
      if (rest !== '') this.lines.push(rest);
      rest = '';
    });
  }

  /** Waits for a line that contains the text, at or after the line of the given number. */
  async waitFor(text: string, from = 0): Promise<string> {
    const since = (): string[] => this.lines.slice(from);
    return until(
      () => since().find((line) => line.includes(text)),
      undefined,
      () => `No line with "${text}" came. The log since:\n${since().join('\n')}`,
    );
  }
}
