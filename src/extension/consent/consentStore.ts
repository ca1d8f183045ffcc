import type * as vscode from 'vscode';
import type { ConfiguredEntry } from '../config/configuredServers.ts';

const KEY = 'consents';

/**
 * What the user agreed to run, by fingerprint alone: a name, or the place in a file, carries no consent. A workspace's
 * consents stay with it.
 */
export class ConsentStore {
  readonly #workspace: vscode.Memento;
  readonly #user: vscode.Memento;

  constructor(workspace: vscode.Memento, user: vscode.Memento) {
    this.#workspace = workspace;
    this.#user = user;
  }

  has(entry: ConfiguredEntry): boolean {
    return this.#read(entry).includes(entry.hash);
  }

  async agree(entry: ConfiguredEntry): Promise<void> {
    if (this.has(entry)) return;
    await this.#of(entry).update(KEY, [...this.#read(entry), entry.hash]);
  }

  async forget(entry: ConfiguredEntry): Promise<void> {
    const rest = this.#read(entry).filter((hash) => hash !== entry.hash);
    await this.#of(entry).update(KEY, rest);
  }

  #of({ source }: ConfiguredEntry): vscode.Memento {
    return source.kind === 'workspace' ? this.#workspace : this.#user;
  }

  #read(entry: ConfiguredEntry): readonly string[] {
    const stored: unknown = this.#of(entry).get(KEY);
    return Array.isArray(stored) ? stored.filter((hash) => typeof hash === 'string') : [];
  }
}
