const EVERY_MS = 10;

/** Watches for a while that something does not come about. */
export async function never(check: () => boolean, forMs: number): Promise<void> {
  const end = performance.now() + forMs;
  while (performance.now() < end) {
    if (check()) throw new Error(`This came about: ${String(check)}`);
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}
