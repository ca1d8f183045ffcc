/** A person needs no more of what a refusal says, and nobody waits longer for it, in milliseconds. */
const MAX_BYTES = 4096;
const PATIENCE_MS = 1000;

/** Collects the body of a refused response, as much of it as there is soon, and gives it once. */
export class RefusalBody {
  readonly #chunks: Buffer[] = [];
  readonly #timer: NodeJS.Timeout;
  #give: ((body: Buffer) => void) | undefined;
  #length = 0;

  constructor(give: (body: Buffer) => void) {
    this.#give = give;
    this.#timer = setTimeout(() => this.end(), PATIENCE_MS);
    this.#timer.unref();
  }

  take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length >= MAX_BYTES) this.end();
  }

  /** Nothing more comes. */
  end(): void {
    clearTimeout(this.#timer);
    const give = this.#give;
    this.#give = undefined;
    give?.(Buffer.concat(this.#chunks));
  }
}
