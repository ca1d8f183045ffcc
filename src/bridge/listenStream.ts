import type { NotifyFrame } from '../protocol/frame.ts';
import { withParams } from '../protocol/frame.ts';
import { Meta } from '../protocol/meta.ts';
import { Method } from '../protocol/methods.ts';
import { removeMember, setMember } from '../protocol/rawEdit.ts';
import { getMember, itemsOf, membersOf, stringOf, toRaw } from '../protocol/rawJson.ts';
import type { CallOutcome } from './callOutcome.ts';
import type { Call } from './connection.ts';
import type { Caller, ModernUpstream } from './modernUpstream.ts';

/** What a session wants to hear of on its own, without asking (2026-07-28, Subscriptions, Notification Filter). */
export interface Filter {
  readonly toolsListChanged?: true;
  readonly promptsListChanged?: true;
  readonly resourcesListChanged?: true;
}

export interface ListenOptions {
  readonly caller: () => Caller;
  readonly filter: Filter;
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
  #current: Call | undefined;
  #generation = 0;
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

  /** Opens the stream if there is anything to listen to; resolves with the resources the server agreed to watch. */
  async refresh(): Promise<ReadonlySet<string>> {
    const generation = ++this.#generation;
    clearTimeout(this.#timer);
    if (this.#closed || this.#isIdle()) {
      this.#replaceBy(undefined);
      return new Set();
    }
    const upstream = await this.#options.open();
    if (upstream === undefined || generation !== this.#generation) {
      if (upstream === undefined) this.#retryLater();
      return new Set();
    }
    return this.#listen(upstream);
  }

  /** Adds a resource; false where the server did not agree to watch it. */
  async watch(uri: string): Promise<boolean> {
    this.#resources.add(uri);
    const agreed = (await this.refresh()).has(uri);
    if (!agreed) this.#resources.delete(uri);
    return agreed;
  }

  async unwatch(uri: string): Promise<void> {
    if (this.#resources.delete(uri)) await this.refresh();
  }

  close(): void {
    this.#closed = true;
    this.#generation++;
    clearTimeout(this.#timer);
    this.#replaceBy(undefined);
  }

  #isIdle(): boolean {
    return this.#resources.size === 0 && Object.keys(this.#options.filter).length === 0;
  }

  #listen(upstream: ModernUpstream): Promise<ReadonlySet<string>> {
    const uris = [...this.#resources];
    const filter = toRaw({
      ...this.#options.filter,
      ...(uris.length > 0 && { resourceSubscriptions: uris }),
    });
    return new Promise((resolve) => {
      const call = upstream.listen(
        filter,
        this.#options.caller(),
        (frame) => {
          if (frame.method === Method.cancelled) {
            const message = 'The server has ended the stream.';
            this.#onEnd(call, { kind: 'failed', failure: { kind: 'network', message } });
            return;
          }
          if (frame.method !== Method.acknowledged) {
            this.#options.onNotification(withoutSubscription(frame));
            return;
          }
          this.#establishedAt = Date.now();
          this.#replaceBy(call);
          resolve(agreedResources(frame));
          this.#options.onEstablished();
        },
        (outcome) => {
          resolve(new Set());
          this.#onEnd(call, outcome);
        },
      );
    });
  }

  #onEnd(call: Call, outcome: CallOutcome): void {
    if (this.#current !== undefined && this.#current.id !== call.id) return;
    this.#current = undefined;
    // A server that refuses to be listened to will refuse again.
    if (outcome.kind === 'response' && outcome.frame.error !== undefined) return;
    // A process that is gone is started by the next request, not in the background.
    if (outcome.kind === 'failed' && outcome.failure.kind !== 'network') return;
    if (Date.now() - this.#establishedAt > LONGEST_PAUSE_MS) this.#pause = FIRST_PAUSE_MS;
    this.#retryLater();
  }

  #retryLater(): void {
    if (this.#closed) return;
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

function agreedResources(acknowledged: NotifyFrame): ReadonlySet<string> {
  const filter = acknowledged.params && getMember(acknowledged.params, 'notifications');
  const uris = filter && getMember(filter, 'resourceSubscriptions');
  return new Set(uris === undefined ? [] : itemsOf(uris).map((uri) => stringOf(uri) ?? ''));
}

/** A client of the legacy era knows no subscription ids. */
function withoutSubscription(frame: NotifyFrame): NotifyFrame {
  const meta = frame.params && getMember(frame.params, '_meta');
  if (frame.params === undefined || meta === undefined) return frame;
  const rest = removeMember(meta, Meta.subscriptionId);
  const params =
    membersOf(rest).length === 0
      ? removeMember(frame.params, '_meta')
      : setMember(frame.params, '_meta', rest);
  return withParams(frame, params);
}
