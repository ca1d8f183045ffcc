import * as vscode from 'vscode';
import { visible } from '../../base/visibleText.ts';
import { PRODUCT } from '../contributions.ts';
import type { ManagedServer } from '../servers/managedServer.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';

const SIGN_IN = 'Sign In';

/**
 * Offers to sign in where a server wants it: one notification for each server. Whoever does not want to is left alone until
 * the server has been used: the editor comes back to it at every turn of a chat.
 */
export class SignInNotice implements vscode.Disposable {
  readonly #registry: ServerRegistry;
  readonly #signIn: (server: ManagedServer) => Promise<void>;
  readonly #offered = new WeakSet<ManagedServer>();
  readonly #unsubscribe: () => void;

  constructor(registry: ServerRegistry, signIn: (server: ManagedServer) => Promise<void>) {
    this.#registry = registry;
    this.#signIn = signIn;
    this.#unsubscribe = registry.onDidChange(() => this.#look());
  }

  dispose(): void {
    this.#unsubscribe();
  }

  #look(): void {
    for (const server of this.#registry.servers) {
      const { kind } = server.status;
      if (kind === 'running') this.#offered.delete(server);
      // Whoever signs in from the tree knows of it.
      if (kind === 'signingIn') this.#offered.add(server);
      if (kind === 'needsSignIn' && !this.#offered.has(server)) void this.#offer(server);
    }
  }

  async #offer(server: ManagedServer): Promise<void> {
    this.#offered.add(server);
    const answer = await vscode.window.showInformationMessage(
      `${PRODUCT}: the server "${visible(server.name)}" needs you to sign in.`,
      SIGN_IN,
    );
    // It may have been done since, from the tree.
    if (answer === SIGN_IN && server.status.kind === 'needsSignIn') await this.#signIn(server);
  }
}
