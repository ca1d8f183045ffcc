import { withoutMeta } from '../protocol/metaEdit.ts';
import type { NotifyFrame } from '../protocol/frame.ts';
import { withParams } from '../protocol/frame.ts';
import { Meta } from '../protocol/meta.ts';
import { Method } from '../protocol/methods.ts';
import { getMember, itemsOf, stringOf, toRaw } from '../protocol/rawJson.ts';
import type { CallOutcome } from './callOutcome.ts';
import type { Call } from './connection.ts';
import type { Caller, ModernUpstream } from './modernUpstream.ts';
import { promises, type ServerIdentity } from './serverIdentity.ts';

/** What a session wants to hear of on its own, without asking (2026-07-28, Subscriptions, Notification Filter). */
export interface Filter {
  readonly toolsListChanged?: true;
  readonly promptsListChanged?: true;
  readonly resourcesListChanged?: true;
}

/** What there is to hear of by itself at a server: the changes that it promises to announce. */
export function filterFor(server: ServerIdentity): Filter {
  return {
    ...(promises(server, 'tools', 'listChanged') && { toolsListChanged: true }),
    ...(promises(server, 'prompts', 'listChanged') && { promptsListChanged: true }),
    ...(promises(server, 'resources', 'listChanged') && { resourcesListChanged: true }),
  };
}

export interface ListenOptions {
  readonly caller: () => Caller;
  readonly filter: Filter;
  /** How long a server may take to acknowledge a stream. */
  readonly acknowledgeMs: number;
  /** The server, opened anew where it is gone; undefined where it cannot be. */
  readonly open: () => Promise<ModernUpstream | undefined>;
  readonly onNotification: (frame: NotifyFrame) => void;
  /** The server has promised to tell from here on: what changed before may have been missed. */
  readonly onEstablished: () => void;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;

/**
 * One session's `subscriptions/listen` stream. The filter of a stream cannot change, so a change of the watched
 * resources opens a new stream and ends the old one once the new one is acknowledged: nothing falls between the two.
 */
export class ListenStream {
  readonly #options: ListenOptions;
  readonly #resources = new Set<string>();
  /** The acknowledged stream. */
  #current: Call | undefined;
  /** Counts the changes of what is wanted; a stream opened for an earlier one came too late. */
  #generation = 0;
  #latest: Promise<ReadonlySet<string>> = Promise.resolve(new Set<string>());
  #pause = FIRST_PAUSE_MS;
  #establishedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: ListenOptions) {
    this.#options = options;
  }

  /** The server is there again after it was gone: what was listened to is listened to anew. */
  resume(): void {
    if (this.#current === undefined && this.#generation > 0) void this.refresh();
  }

  /**
   * Opens the stream if there is anything to listen to; resolves with the resources the server agreed to watch. Of
   * several at once all resolve with what the last one came to, since it asks for what all of them want.
   */
  async refresh(): Promise<ReadonlySet<string>> {
    clearTimeout(this.#timer);
    this.#latest = this.#open(++this.#generation);
    for (;;) {
      const latest = this.#latest;
      const agreed = await latest;
      if (latest === this.#latest) return agreed;
    }
  }

  /** Adds a resource; false where the server did not agree to watch it. */
  async watch(uri: string): Promise<boolean> {
    this.#resources.add(uri);
    const agreed = (await this.refresh()).has(uri);
    if (!agreed) this.#resources.delete(uri);
    return agreed;
  }

  unwatch(uri: string): void {
    if (this.#resources.delete(uri)) void this.refresh();
  }

  close(): void {
    this.#closed = true;
    this.#generation++;
    clearTimeout(this.#timer);
    this.#replaceBy(undefined);
  }

  async #open(generation: number): Promise<ReadonlySet<string>> {
    const idle = this.#resources.size === 0 && Object.keys(this.#options.filter).length === 0;
    if (this.#closed || idle) {
      this.#replaceBy(undefined);
      return new Set();
    }
    // A server that cannot be opened is not tried again in the background: the next request does that.
    const upstream = await this.#options.open();
    if (upstream === undefined || generation !== this.#generation) return new Set();
    return this.#listen(upstream, generation);
  }

  #listen(upstream: ModernUpstream, generation: number): Promise<ReadonlySet<string>> {
    const uris = [...this.#resources];
    const filter = toRaw({
      ...this.#options.filter,
      ...(uris.length > 0 && { resourceSubscriptions: uris }),
    });
    return new Promise((resolve) => {
      const silence = setTimeout(() => {
        call.cancel();
        resolve(new Set());
      }, this.#options.acknowledgeMs);
      const call = upstream.listen(
        filter,
        this.#options.caller(),
        (frame) => {
          if (frame.method !== Method.acknowledged) {
            this.#options.onNotification(withoutSubscription(frame));
            return;
          }
          clearTimeout(silence);
          if (generation === this.#generation) this.#establish(call);
          else call.cancel();
          resolve(agreedResources(frame));
        },
        (outcome) => {
          clearTimeout(silence);
          resolve(new Set());
          this.#onEnd(call, generation, outcome);
        },
      );
    });
  }

  #establish(call: Call): void {
    this.#establishedAt = Date.now();
    this.#replaceBy(call);
    this.#options.onEstablished();
  }

  #onEnd(call: Call, generation: number, outcome: CallOutcome): void {
    const wasCurrent = this.#current?.id === call.id;
    if (wasCurrent) this.#current = undefined;
    if (generation !== this.#generation && !wasCurrent) return;
    if (this.#closed || !mayComeBack(outcome)) return;
    if (Date.now() - this.#establishedAt > LONGEST_PAUSE_MS) this.#pause = FIRST_PAUSE_MS;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.refresh(), this.#pause);
    this.#timer.unref();
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE_MS);
  }

  #replaceBy(call: Call | undefined): void {
    const before = this.#current;
    this.#current = call;
    if (before !== undefined && before.id !== call?.id) before.cancel();
  }
}

/** Whether a stream that ended is worth opening again: not after a refusal, nor where the server itself is gone. */
function mayComeBack(outcome: CallOutcome): boolean {
  if (outcome.kind === 'response') return outcome.frame.error === undefined;
  if (outcome.kind === 'timeout') return true;
  const { kind, status = 0 } = outcome.failure;
  return kind === 'network' || (kind === 'http-status' && (status >= 500 || status === 429));
}

function agreedResources(acknowledged: NotifyFrame): ReadonlySet<string> {
  const filter = acknowledged.params && getMember(acknowledged.params, 'notifications');
  const uris = filter && getMember(filter, 'resourceSubscriptions');
  return new Set(uris === undefined ? [] : itemsOf(uris).map((uri) => stringOf(uri) ?? ''));
}

/** A client of the legacy era knows no subscription ids. */
function withoutSubscription(frame: NotifyFrame): NotifyFrame {
  const { params } = frame;
  return params === undefined
    ? frame
    : withParams(frame, withoutMeta(params, [Meta.subscriptionId]));
}
