import { skipSpace } from '../../protocol/jsonScanner.ts';
import { Pieces } from '../pieces.ts';

/** The longest line that is read where nothing else is said. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** How much of an oversized line is shown from its front. */
const HEAD_BYTES = 64 * 1024;
/** How much of an oversized line is shown from its end: enough for the members behind a payload. */
const TAIL_BYTES = 1024;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** What a `LineReader` found. Blank lines are not reported. */
export interface LineListener {
  /** A line without its line break. */
  onLine(line: Buffer): void;
  /** A line crossed the limit, which is told once and at once; the rest of it will be skipped. */
  onOversized(head: Buffer): void;
  /** The oversized line came to its end; not called where the stream ended first. */
  onOversizedEnd?(tail: Buffer): void;
  /** The stream ended inside a line. */
  onTruncated(rest: Buffer): void;
}

/**
 * Cuts a byte stream into lines at 0x0A. Each byte of a long line is copied a small number of times however it arrives,
 * memory is bounded by the limit, and what is reported does not depend on where the chunks were cut.
 */
export class LineReader {
  readonly #listener: LineListener;
  readonly #limit: number;
  readonly #headBytes: number;
  readonly #line = new Pieces();
  /** The last bytes seen of a line that is being skipped; undefined while a line is kept. */
  #tail: Buffer | undefined;

  constructor(listener: LineListener, limit = MAX_LINE_BYTES, headBytes = HEAD_BYTES) {
    this.#listener = listener;
    this.#limit = limit;
    this.#headBytes = headBytes;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (;;) {
      const lineFeed = chunk.indexOf(LINE_FEED, from);
      this.#take(chunk.subarray(from, lineFeed < 0 ? chunk.length : lineFeed));
      if (lineFeed < 0) return;
      this.#finishLine();
      from = lineFeed + 1;
    }
  }

  /** The stream is over. */
  end(): void {
    this.#tail = undefined;
    const rest = this.#line.take();
    if (!isBlank(rest)) this.#listener.onTruncated(rest);
  }

  #take(part: Buffer): void {
    if (part.length === 0) return;
    if (this.#tail !== undefined) {
      this.#tail = lastBytes([this.#tail, part]);
      return;
    }
    this.#line.append(part);
    // One carriage return more is let in, because it may turn out to belong to the line break.
    const excess = this.#line.length - this.#limit;
    if (excess > 1 || (excess === 1 && part.at(-1) !== CARRIAGE_RETURN)) this.#giveUp();
  }

  #giveUp(): void {
    const head = firstBytes(this.#line.parts(), this.#headBytes);
    this.#tail = lastBytes(this.#line.parts());
    this.#line.clear();
    this.#listener.onOversized(head);
  }

  #finishLine(): void {
    if (this.#tail !== undefined) {
      const tail = this.#tail;
      this.#tail = undefined;
      this.#listener.onOversizedEnd?.(tail);
      return;
    }
    const whole = this.#line.take();
    const line = whole.at(-1) === CARRIAGE_RETURN ? whole.subarray(0, -1) : whole;
    if (!isBlank(line)) this.#listener.onLine(line);
  }
}

function isBlank(line: Buffer): boolean {
  return skipSpace(line, 0) >= line.length;
}

/** Copies, so that the chunks themselves can be freed. */
function firstBytes(chunks: readonly Buffer[], limit: number): Buffer {
  let length = 0;
  const parts: Buffer[] = [];
  for (const chunk of chunks) {
    if (length >= limit) break;
    const part = chunk.subarray(0, limit - length);
    parts.push(part);
    length += part.length;
  }
  return Buffer.concat(parts, length);
}

/** Copies, so that the chunks themselves can be freed. */
function lastBytes(chunks: readonly Buffer[]): Buffer {
  let length = 0;
  const parts: Buffer[] = [];
  for (const chunk of chunks.toReversed()) {
    if (length >= TAIL_BYTES) break;
    const part = chunk.subarray(Math.max(0, chunk.length - (TAIL_BYTES - length)));
    parts.unshift(part);
    length += part.length;
  }
  return Buffer.concat(parts, length);
}
