export interface Delay {
  readonly promise: Promise<void>;
  readonly cancel: () => void;
}

/** A wait that can be given up; where `after` is given it starts when that has ended. */
export function delay(ms: number, after: Promise<unknown> = Promise.resolve()): Delay {
  let timer: NodeJS.Timeout | undefined;
  let cancelled = false;
  const promise = new Promise<void>((resolve) => {
    void after.then(() => {
      if (!cancelled) timer = setTimeout(resolve, ms);
    });
  });
  const cancel = (): void => {
    cancelled = true;
    clearTimeout(timer);
  };
  return { promise, cancel };
}
