import type { BridgeEvent } from '../bridge/events.ts';

/**
 * Says of a server that takes long to start that it is still at it, for how long it may be, and what it said last: first
 * after `afterMs`, and after twice as long each time where it has said something new. The returned function takes what its
 * bridge tells.
 */
export function tellSlowStart(
  {
    afterMs,
    limitMs,
    hasStderr,
  }: { readonly afterMs: number; readonly limitMs: number; readonly hasStderr: boolean },
  say: (message: string) => void,
): (event: BridgeEvent) => void {
  let lastLine: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let said: string | undefined;
  const wait = (ms: number): void => {
    timer = setTimeout(() => {
      const isFirst = ms === afterMs;
      const words = hasStderr
        ? lastLine === undefined
          ? '; it wrote nothing to stderr'
          : `; its last line on stderr: ${lastLine}`
        : '';
      const limit = isFirst ? ` ("startMs" gives it ${limitMs / 1000} s)` : '';
      if (isFirst || words !== said) say(`still starting${limit}${words}`);
      said = words;
      wait(2 * ms);
    }, ms);
    timer.unref();
  };
  return (event) => {
    if (event.kind === 'stderr') lastLine = event.line;
    if (event.kind !== 'state') return;
    clearTimeout(timer);
    if (event.state.kind === 'starting') wait(afterMs);
  };
}
