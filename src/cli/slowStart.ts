import type { BridgeEvent } from '../bridge/events.ts';

/**
 * Says of a server that takes long to start that it is still at it, and what it said last: first after `afterMs`, then
 * after twice as long each time. The returned function takes what its bridge tells.
 */
export function tellSlowStart(
  afterMs: number,
  say: (message: string) => void,
): (event: BridgeEvent) => void {
  let lastLine: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const wait = (ms: number): void => {
    timer = setTimeout(() => {
      const words =
        lastLine === undefined
          ? 'it wrote nothing to stderr'
          : `its last line on stderr: ${lastLine}`;
      say(`still starting; ${words}`);
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
