import type { Concern } from '../../../protocol/concern.ts';
import type { JsonPath } from '../../../protocol/rawJson.ts';
import type { Edition } from '../../edition.ts';
import { pointer } from '../../report.ts';

/** What is put down about one change; a hint makes it one that loses something. */
interface Note {
  readonly feature: Concern;
  readonly path: JsonPath;
  readonly before: string;
  readonly after: string;
  readonly loss: 'none' | 'warning' | 'lossy';
}

/** Notes of an attempt, each place once; they count only when the attempt is taken. */
export class Notes {
  readonly #notes = new Map<string, Note>();

  lossless(feature: Concern, path: JsonPath, before: string, after: string): void {
    this.#add({ feature, path, before, after, loss: 'none' });
  }

  warning(feature: Concern, path: JsonPath, before: string, after: string): void {
    this.#add({ feature, path, before, after, loss: 'warning' });
  }

  lossy(feature: Concern, path: JsonPath, before: string, after: string): void {
    this.#add({ feature, path, before, after, loss: 'lossy' });
  }

  /** Puts the notes down for a member of the tool; a loss that the policy forbids refuses the tool. */
  writeTo(edition: Edition, member: string): void {
    for (const { feature, path, before, after, loss } of this.#notes.values()) {
      const full = [member, ...path];
      if (loss !== 'lossy') {
        edition.note(feature, full, before, after, loss);
        continue;
      }
      const hint = `The editor cannot take ${before} at ${pointer(full)}; allow "${feature}" to put ${after} there.`;
      edition.mayLose(feature, full, before, after, hint);
    }
  }

  #add(note: Note): void {
    const key = `${note.feature} ${pointer(note.path)} ${note.after}`;
    if (!this.#notes.has(key)) this.#notes.set(key, note);
  }
}
