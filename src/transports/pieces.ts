const NOTHING = Buffer.alloc(0);
/** From this size on a piece is kept as it came, unless it keeps more than itself; others are copied together. */
const LARGE = 4 * 1024;
/** As large is a block at most. */
const LARGEST_BLOCK = 64 * 1024;
const FIRST_BLOCK = 1024;

/**
 * Bytes that come in pieces and are wanted as one. What it takes to keep them grows with their number, never with the
 * number of pieces: neither a peer that writes byte by byte nor one whose bytes lie far apart can make it a burden.
 */
export class Pieces {
  /** While there is no other, it is kept as it came, since most come alone. */
  #only: Buffer | undefined;
  #blocks: Buffer[] = [];
  /** The block that is filled at the moment. */
  #block: Buffer = NOTHING;
  #filled = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(piece: Buffer): void {
    if (piece.length === 0) return;
    if (this.#length === 0) this.#only = piece;
    else {
      if (this.#only !== undefined) this.#store(this.#only);
      this.#only = undefined;
      this.#store(piece);
    }
    this.#length += piece.length;
  }

  /** What there is, in order and as few parts. */
  parts(): readonly Buffer[] {
    if (this.#only !== undefined) return [this.#only];
    const open = this.#block.subarray(0, this.#filled);
    return open.length === 0 ? this.#blocks : [...this.#blocks, open];
  }

  /** Gives all of it and begins anew; copies nothing where it is one part already. */
  take(): Buffer {
    const [first, ...others] = this.parts();
    const whole =
      first === undefined || others.length > 0 ? Buffer.concat(this.parts(), this.#length) : first;
    this.clear();
    return whole;
  }

  clear(): void {
    this.#only = undefined;
    this.#blocks = [];
    this.#block = NOTHING;
    this.#filled = 0;
    this.#length = 0;
  }

  #store(piece: Buffer): void {
    if (isCheapToKeep(piece)) {
      this.#close();
      this.#blocks.push(piece);
      return;
    }
    let rest = piece;
    while (rest.length > 0) {
      if (this.#filled === this.#block.length) {
        this.#close();
        const size = Math.max(FIRST_BLOCK, rest.length, Math.min(LARGEST_BLOCK, this.#length));
        this.#block = Buffer.allocUnsafeSlow(size);
      }
      const taken = rest.copy(this.#block, this.#filled);
      this.#filled += taken;
      rest = rest.subarray(taken);
    }
  }

  /** Keeps what was filled; the next small pieces go into the rest of the block. */
  #close(): void {
    if (this.#filled > 0) this.#blocks.push(this.#block.subarray(0, this.#filled));
    this.#block = this.#block.subarray(this.#filled);
    this.#filled = 0;
  }
}

/** Whether most of the memory that stays with a piece is its own: one of many cuts from a chunk keeps all of the chunk. */
function isCheapToKeep(piece: Buffer): boolean {
  return piece.length >= LARGE && 2 * piece.length >= piece.buffer.byteLength;
}
