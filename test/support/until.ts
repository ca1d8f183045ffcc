const EVERY_MS = 5;
const LIMIT_MS = 20_000;

/** Waits until a check gives something, and gives that; one that never does fails with the explanation. */
export async function until<T>(
  check: () => T | undefined | false,
  withinMs = LIMIT_MS,
  explain: () => string = () => String(check),
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const value = check();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > deadline) {
      throw new Error(`Waited ${withinMs} ms in vain. ${explain()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}
