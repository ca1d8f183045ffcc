/**
 * How a revision writes what every revision can say: the shape of its results and errors. What only some revisions can say
 * is a feature.
 */
export interface Codec {
  /** True where each result says by `resultType` what it is (2026-07-28, Overview, Result). */
  readonly typesResults: boolean;
  /** Requests whose result says how long it may be kept (2026-07-28, Caching). */
  readonly cacheable: ReadonlySet<string>;
  /** Requests whose result may ask for input (2026-07-28, Multi Round-Trip Requests, Supported Requests). */
  readonly asking: ReadonlySet<string>;
  /** Requests whose result has no members of its own; readers take nothing there beyond `_meta`. */
  readonly empty: ReadonlySet<string>;
  /** The error code for a resource that does not exist. */
  readonly resourceNotFound: number;
}
