import type { Bridge } from '../bridge/bridge.ts';
import type { Log } from './log.ts';

/** What every command works with. */
export interface Face {
  readonly bridges: readonly Bridge[];
  readonly log: Log;
  /** The product's version. */
  readonly version: string;
  /** Calls back when the user or the system asks the program to end. */
  onSignal(listener: () => void): void;
}
