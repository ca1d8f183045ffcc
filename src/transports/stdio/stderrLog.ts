import { LineReader } from '../lines/lineReader.ts';
import { sampleOf } from '../sample.ts';

const LINE_BYTES = 4 * 1024;
/** How many lines of one window are passed on as they come. */
const BURST = 500;
/** How many of the lines beyond that are kept: the newest, because a crash tells its reason last. */
const KEPT = 100;
const WINDOW_MS = 1000;
/** The last line of a crash of Node, and the one in it that names the error. */
const NODE_TRAILER = /^Node\.js v\d+\.\d+\.\d+$/;
const ERROR = /^(?:Uncaught )?[A-Za-z]*(?:Error|Exception)\b/;

/**
 * Reads what a server writes to stderr, line by line and without end: each line is made safe to show and cut to a few
 * kilobytes; of a flood the first lines and the newest ones of each second are passed on.
 */
export class StderrLog {
  readonly #onLine: (line: string) => void;
  readonly #reader: LineReader;
  #last: string | undefined;
  #error: string | undefined;
  #passed = 0;
  #leftOut = 0;
  #kept: string[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
    const take = (line: Buffer): void => this.#take(sampleOf(line, LINE_BYTES));
    this.#reader = new LineReader(
      {
        onLine: take,
        onOversized: (head) => this.#take(`${sampleOf(head, LINE_BYTES)}…`),
        onTruncated: take,
      },
      LINE_BYTES,
      LINE_BYTES,
    );
  }

  /** The last line that says something. Behind a crash Node writes its version, which tells nobody what went wrong. */
  get last(): string | undefined {
    const last = this.#last;
    return last !== undefined && NODE_TRAILER.test(last) ? (this.#error ?? last) : last;
  }

  push(chunk: Buffer): void {
    this.#reader.push(chunk);
  }

  /** The stream is over: passes on what is left. */
  end(): void {
    this.#reader.end();
    this.#closeWindow();
  }

  #take(line: string): void {
    const text = line.trimEnd();
    if (text.trim() === '') return;
    this.#last = text;
    if (ERROR.test(text)) this.#error = text;
    if (this.#timer === undefined) {
      this.#timer = setTimeout(() => this.#closeWindow(), WINDOW_MS);
      this.#timer.unref();
    }
    if (this.#passed < BURST) {
      this.#passed++;
      this.#onLine(text);
      return;
    }
    this.#kept.push(text);
    if (this.#kept.length > 2 * KEPT) this.#dropOldest();
  }

  #dropOldest(): void {
    const excess = this.#kept.length - KEPT;
    if (excess <= 0) return;
    this.#leftOut += excess;
    this.#kept = this.#kept.slice(excess);
  }

  #closeWindow(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#dropOldest();
    const lines = this.#kept;
    if (this.#leftOut > 0) lines.unshift(`(${this.#leftOut} lines left out)`);
    this.#passed = 0;
    this.#leftOut = 0;
    this.#kept = [];
    for (const line of lines) this.#onLine(line);
  }
}
