import { Pieces } from '../pieces.ts';

/**
 * Reads server-sent events (WHATWG HTML, section 9.2) as bytes: a payload is never turned into a string.
 *
 * Invariants: the work is linear in the bytes fed, however they are cut; an event is handed over as soon as its last
 * byte is there, with a lone CR as line end too.
 */

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
const LINE_FEED = Buffer.from('\n');
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** What a parser tells: `onEvent` for events that have data, be it empty, `onTooLarge` once, after which it reads no further. */
export interface SseListener {
  onEvent(type: string, data: Buffer): void;
  onTooLarge(): void;
}

/** Reads one stream of events; comments and events without data tell nothing but their id and retry time. */
export class SseParser {
  readonly #listener: SseListener;
  readonly #limit: number;
  readonly #line = new Pieces();
  readonly #data = new Pieces();
  #hasData = false;
  #held = 0;
  #type = '';
  #id: string | undefined;
  #afterCr = false;
  #firstLine = true;
  #stopped = false;

  /** The id of the last complete event that had one, empty where the server took it back. */
  lastEventId: string | undefined;
  /** How long the server wants a client to wait before it reconnects. */
  retryMs: number | undefined;

  constructor(listener: SseListener, limit: number) {
    this.#listener = listener;
    this.#limit = limit;
  }

  feed(chunk: Buffer): void {
    let start = 0;
    // Each is searched for again only once it was passed, or many short lines would be searched quadratically.
    let lf = chunk.indexOf(LF);
    let cr = chunk.indexOf(CR);
    while (start < chunk.length && !this.#stopped) {
      if (lf >= 0 && lf < start) lf = chunk.indexOf(LF, start);
      if (cr >= 0 && cr < start) cr = chunk.indexOf(CR, start);
      const end = cr < 0 ? lf : lf < 0 ? cr : Math.min(lf, cr);
      const piece = chunk.subarray(start, end < 0 ? chunk.length : end);
      const restOfCrLf = this.#afterCr && end === start && end === lf;
      this.#afterCr = end >= 0 && end === cr;
      if (!restOfCrLf) this.#take(piece, end >= 0);
      start = end < 0 ? chunk.length : end + 1;
    }
  }

  #take(piece: Buffer, complete: boolean): void {
    this.#held += piece.length;
    if (this.#held > this.#limit) {
      this.#stopped = true;
      this.#line.clear();
      this.#data.clear();
      this.#listener.onTooLarge();
      return;
    }
    this.#line.append(piece);
    if (!complete) return;
    let line = this.#line.take();
    if (this.#firstLine && line.indexOf(BYTE_ORDER_MARK) === 0) line = line.subarray(3);
    this.#firstLine = false;
    this.#readLine(line);
  }

  #readLine(line: Buffer): void {
    if (line.length === 0) {
      this.#dispatch();
      return;
    }
    const colon = line.indexOf(COLON);
    const name = line.toString('latin1', 0, Math.min(colon < 0 ? line.length : colon, 6));
    const from = colon < 0 ? line.length : colon + (line[colon + 1] === SPACE ? 2 : 1);
    const value = line.subarray(from);
    if (name === 'data') {
      if (this.#hasData) this.#data.append(LINE_FEED);
      this.#hasData = true;
      this.#data.append(value);
      return;
    }
    this.#held -= line.length;
    if (name === 'event') this.#type = value.toString('utf8');
    else if (name === 'id' && !value.includes(0)) this.#id = value.toString('utf8');
    else if (name === 'retry') {
      const digits = value.toString('latin1');
      if (/^\d{1,9}$/.test(digits)) this.retryMs = Number(digits);
    }
  }

  #dispatch(): void {
    const type = this.#type === '' ? 'message' : this.#type;
    const data = this.#data.take();
    const hasData = this.#hasData;
    this.#type = '';
    this.#hasData = false;
    this.#held = 0;
    if (this.#id !== undefined) this.lastEventId = this.#id;
    if (hasData) this.#listener.onEvent(type, data);
  }
}
