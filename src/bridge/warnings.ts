import type { BridgeEvent } from './events.ts';

type Warning = Extract<BridgeEvent, { kind: 'warning' }>;

export type Topic = Warning['topic'];

/** What a faulty peer does over and over: one warning with a count, whatever it wrote each time. */
const REPETITIVE: ReadonlySet<Topic> = new Set<Topic>([
  'not-json',
  'not-json-rpc',
  'not-utf8',
  'too-large',
  'null-id',
  'unknown-id',
  'id-type',
  'envelope',
  'client',
]);

/** Counts the warnings about one server, so that those who watch can show one of a kind. */
export class Warnings {
  readonly #counts = new Map<string, number>();

  next(topic: Topic, message: string): Warning {
    const key = REPETITIVE.has(topic) ? topic : `${topic} ${message}`;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return { kind: 'warning', topic, message, count };
  }
}
