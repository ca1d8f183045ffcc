export interface Delay {
  readonly promise: Promise<void>;
  readonly cancel: () => void;
}

/**
 * A wait that can be given up; where `after` is given it starts when that has ended. It starts anew where it ends while
 * `isExcused` says that the time does not count.
 */
export function delay(
  ms: number,
  after: Promise<unknown> = Promise.resolve(),
  isExcused: () => boolean = () => false,
): Delay {
  let timer: NodeJS.Timeout | undefined;
  let cancelled = false;
  const promise = new Promise<void>((resolve) => {
    const wait = (): void => {
      timer = setTimeout(() => {
        if (isExcused()) wait();
        else resolve();
      }, ms);
    };
    void after.then(() => {
      if (!cancelled) wait();
    });
  });
  const cancel = (): void => {
    cancelled = true;
    clearTimeout(timer);
  };
  return { promise, cancel };
}
