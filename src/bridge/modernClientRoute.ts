import type { Route } from './route.ts';

/** The way from one distinct client of the modern era to the server. */
export interface ModernClientRoute extends Route {
  /** False once the server is gone; the next request then finds another way. */
  readonly isOpen: boolean;
  /** True while it holds something for the client beyond the requests that are open. */
  readonly isBusy: boolean;
  /** Tells the streams that listen for it that the tools may look different now. */
  policyChanged(): void;
}
