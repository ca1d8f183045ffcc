import * as vscode from 'vscode';
import { visible } from '../../base/visibleText.ts';
import { PRODUCT } from '../contributions.ts';
import type { ManagedServer } from '../servers/managedServer.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import { withoutAdvice } from './serverSignIn.ts';

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
      const { status } = server;
      if (status.kind === 'running') this.#offered.delete(server);
      // Whoever signs in from the tree knows of it.
      if (status.kind === 'signingIn') this.#offered.add(server);
      if (status.kind === 'needsSignIn' && !this.#offered.has(server)) {
        void this.#offer(server, withoutAdvice(status.message, server.name));
      }
    }
  }

  async #offer(server: ManagedServer, reason: string): Promise<void> {
    this.#offered.add(server);
    const answer = await vscode.window.showInformationMessage(
      `${PRODUCT}, "${visible(server.name)}": ${visible(reason)}`,
      SIGN_IN,
    );
    // It may have been done since, from the tree.
    if (answer === SIGN_IN && server.status.kind === 'needsSignIn') await this.#signIn(server);
  }
}
