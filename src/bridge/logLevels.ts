import { request } from '../protocol/frame.ts';
import { Method } from '../protocol/methods.ts';
import { getMember, stringOf, toRaw, type RawJson } from '../protocol/rawJson.ts';
import type { Connection } from './connection.ts';

/** The levels of RFC 5424, the most talkative first (Logging, Log Levels). */
export const LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

/** The place of a level among the levels; undefined for what is none. */
export function rankOf(level: RawJson | undefined): number | undefined {
  const rank = (LOG_LEVELS as readonly (string | undefined)[]).indexOf(stringOf(level));
  return rank < 0 ? undefined : rank;
}

/** True where a log message is at or above the level that a request asked for. */
export function isWanted(message: RawJson | undefined, wanted: number): boolean {
  const rank = rankOf(message && getMember(message, 'level'));
  // What names no level that is known cannot be judged.
  return rank === undefined || rank >= wanted;
}

/**
 * The one log level of a session of the legacy era, held at the most talkative of those that the requests under way ask
 * for (2026-07-28, Logging, Per-request log level).
 */
export class LogLevels {
  readonly #connection: Connection;
  readonly #active: number[] = [];
  #current: number | undefined;
  #setting: Promise<void> = Promise.resolve();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Resolves when the server speaks at this level; what it says to that is its own affair. */
  enter(rank: number): Promise<void> {
    this.#active.push(rank);
    const wanted = Math.min(...this.#active);
    if (wanted !== this.#current) {
      this.#current = wanted;
      this.#setting = this.#set(wanted);
    }
    return this.#setting;
  }

  leave(rank: number): void {
    const index = this.#active.indexOf(rank);
    if (index >= 0) this.#active.splice(index, 1);
  }

  #set(rank: number): Promise<void> {
    const setLevel = request('0', Method.setLevel, toRaw({ level: LOG_LEVELS[rank] }));
    return new Promise((resolve) => {
      this.#connection.call(setLevel, { onOutcome: () => resolve() });
    });
  }
}
