import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Entry } from '../../../fixtures/raw/recorder.ts';
import type { Message } from '../../../support/rawClient.ts';

/** What one start of a scripted server saw. */
export class Run {
  readonly entries: readonly Entry[];

  constructor(entries: readonly Entry[]) {
    this.entries = entries;
  }

  get pid(): number {
    const [start] = this.entries.filter((entry) => entry.event === 'start');
    return start?.pid ?? 0;
  }

  /** The messages as they came: lines, or bodies of POSTs. */
  get lines(): string[] {
    return this.entries.flatMap((entry) => {
      if (entry.event === 'line') return [entry.line];
      return entry.event === 'request' && entry.method === 'POST' ? [entry.body] : [];
    });
  }

  get messages(): Message[] {
    return this.lines.map((line) => JSON.parse(line) as Message);
  }

  /** The methods of all messages, in order; of a response its place. */
  get methods(): string[] {
    return this.messages.map(({ method }) => method ?? 'response');
  }

  /** The messages of one method. */
  of(method: string): Message[] {
    return this.messages.filter((message) => message.method === method);
  }

  /** The HTTP requests, whatever they are. */
  get requests(): Extract<Entry, { event: 'request' }>[] {
    return this.entries.filter((entry) => entry.event === 'request');
  }

  saw(event: Entry['event']): boolean {
    return this.entries.some((entry) => entry.event === event);
  }
}

/** Reads a record while its server may still be writing. */
export function readRun(file: string): Run {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const lines = whole.split('\n').filter((line) => line !== '');
  return new Run(lines.map((line) => JSON.parse(line) as Entry));
}

/** Every start that left a record in a folder, oldest first. */
export function readRuns(folder: string): Run[] {
  if (!existsSync(folder)) return [];
  const runs = readdirSync(folder)
    .sort()
    .map((name) => readRun(join(folder, name)));
  return runs.filter(({ entries }) => entries.length > 0);
}
