import type { Writable } from 'node:stream';
import type { Frame } from '../../protocol/frame.ts';
import { batchLineOf, lineOf } from './messageLines.ts';

/** Up to this size the pieces of one turn are joined, which is cheaper than handing over a list. */
const JOIN_BYTES = 64 * 1024;
/** More is not handed to a stream that still holds as much: it tells of all that it holds only at the end of that. */
const HANDED_BYTES = 1024 * 1024;

interface Line {
  readonly kind: 'notify' | 'answer' | 'other';
  readonly chunks: readonly Buffer[];
  readonly length: number;
}

/**
 * Writes messages as lines, all those of one turn of the event loop in one write. A peer that does not read makes
 * `waiting` grow, of which its owner has to think; one that is gone makes it do nothing.
 *
 * With `answerGapMs`, an answer never leaves in one write with a notification before it, but that long after it was
 * handed to the system: clients lose progress which they read together with its answer. Nothing overtakes such an
 * answer.
 */
export class MessageWriter {
  readonly #stream: Writable;
  readonly #answerGapMs: number | undefined;
  #queue: Line[] = [];
  #queued = 0;
  /** When the peer last took something, or something began to wait for it. */
  #takenAt = 0;
  #scheduled = false;
  /** Counts notifications written; the answers wait until the latest one has settled. */
  #notified = 0;
  #settled = 0;
  readonly #idle: (() => void)[] = [];

  constructor(stream: Writable, answerGapMs?: number) {
    this.#stream = stream;
    this.#answerGapMs = answerGapMs;
    // A peer that went away is noticed by whoever owns the stream; writing to it is no reason to throw.
    stream.on('error', () => undefined);
  }

  /** How many bytes the peer has not taken. */
  get waiting(): number {
    return this.#queued + this.#stream.writableLength;
  }

  /** For how long, in milliseconds, the peer has taken nothing of what waits for it. */
  get stalledMs(): number {
    return this.waiting === 0 ? 0 : performance.now() - this.#takenAt;
  }

  send(frame: Frame): void {
    const kind =
      frame.kind === 'notify' ? 'notify' : frame.kind === 'response' ? 'answer' : 'other';
    this.#enqueue(kind, lineOf(frame));
  }

  /** Writes the answers to a batch as one array. */
  sendBatch(frames: readonly Frame[]): void {
    if (frames.length > 0) this.#enqueue('answer', batchLineOf(frames));
  }

  /** Hands to the stream now what need not wait for its turn, however much the stream holds. */
  flush(): void {
    this.#handOver(Infinity);
  }

  #handOver(limit: number): void {
    const chunks: Buffer[] = [];
    let notified = false;
    let taken = 0;
    // One that is gone holds nothing up.
    let held = this.#stream.writable ? this.#stream.writableLength : 0;
    for (const line of this.#queue) {
      if (held >= limit) break;
      if (line.kind === 'answer' && (notified || this.#settled < this.#notified)) break;
      notified ||= line.kind === 'notify' && this.#answerGapMs !== undefined;
      chunks.push(...line.chunks);
      held += line.length;
      this.#queued -= line.length;
      taken++;
    }
    this.#queue = this.#queue.slice(taken);
    if (notified) this.#write(chunks, this.#settleLater());
    else this.#write(chunks);
    if (this.#queue.length === 0) for (const tell of this.#idle.splice(0)) tell();
  }

  /** Resolves when everything sent so far was taken by the system, or cannot be any more. */
  async drained(): Promise<void> {
    this.#handOver(HANDED_BYTES);
    if (this.#queue.length > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
    if (!this.#stream.writable) return;
    await new Promise<void>((resolve) => this.#stream.write('', () => resolve()));
  }

  #enqueue(kind: Line['kind'], chunks: readonly Buffer[]): void {
    const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    if (this.waiting === 0) this.#takenAt = performance.now();
    this.#queue.push({ kind, chunks, length });
    this.#queued += length;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#handOver(HANDED_BYTES);
    });
  }

  #settleLater(): () => void {
    const mine = ++this.#notified;
    return () => {
      setTimeout(() => {
        this.#settled = Math.max(this.#settled, mine);
        this.#handOver(HANDED_BYTES);
      }, this.#answerGapMs);
    };
  }

  #write(chunks: readonly Buffer[], written: () => void = () => undefined): void {
    if (chunks.length === 0) return;
    const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    const parts = length <= JOIN_BYTES ? [Buffer.concat(chunks, length)] : chunks;
    if (!this.#stream.writable) {
      written();
      return;
    }
    this.#stream.cork();
    parts.forEach((part, index) => {
      this.#stream.write(part, () => {
        this.#takenAt = performance.now();
        if (index < parts.length - 1) return;
        written();
        if (this.#queue.length > 0) this.#schedule();
      });
    });
    this.#stream.uncork();
  }
}
