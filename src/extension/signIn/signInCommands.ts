import * as vscode from 'vscode';
import { visible } from '../../base/visibleText.ts';
import { chooseServer } from '../chooseServer.ts';
import { PRODUCT } from '../contributions.ts';
import type { ServerCommands } from '../serverCommands.ts';
import type { ManagedServer } from '../servers/managedServer.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import { keyOf } from './secretGrants.ts';
import type { SignInOutcome } from './serverSignIn.ts';

/** What can be done about the sign-in to a server. */
export class SignInCommands {
  readonly #registry: ServerRegistry;
  readonly #servers: ServerCommands;

  constructor(registry: ServerRegistry, servers: ServerCommands) {
    this.#registry = registry;
    this.#servers = servers;
  }

  async signIn(row: unknown): Promise<void> {
    const server = await chooseServer(this.#registry, row, 'Sign in to which server?', isRemote);
    if (server !== undefined) await this.signInTo(server);
  }

  /** Lets the user sign in; afterwards the server is used again by itself. */
  async signInTo(server: ManagedServer): Promise<void> {
    const readiness = await server.prepare('user');
    if (readiness.kind === 'declined') return;
    if (readiness.kind === 'refused') return showError(readiness.message);
    // It says best itself what it wants; some authorization servers grant nothing where nothing is asked for.
    if (server.status.kind !== 'needsSignIn') await server.look('anew');
    const outcome = await askInBrowser(server);
    switch (outcome?.kind) {
      case 'signedIn':
        // Where the editor is connected still, it goes on where it was.
        if (server.status.kind !== 'running') await this.#servers.startAnew(server);
        return;
      case 'failed': {
        const again = 'Try Again';
        const message = `${PRODUCT}: ${outcome.message}`;
        const answer = await vscode.window.showErrorMessage(message, again);
        if (answer === again) await this.signInTo(server);
        return;
      }
      case undefined:
        return showError(
          `"${visible(server.name)}" is no server to sign in to: it has no web address, or its entry has an Authorization header.`,
        );
      case 'cancelled':
    }
  }

  /** Something has been stored under this key, perhaps by another window that was signed in to a server of this one. */
  async onStored(key: string): Promise<void> {
    const waiting = this.#registry.servers.filter(
      ({ status, signIn }) =>
        status.kind === 'needsSignIn' && signIn !== undefined && keyOf(signIn.address) === key,
    );
    for (const server of waiting) {
      const isSignedIn = await server.signIn?.authorizer.lookAgain();
      if (isSignedIn === true && server.status.kind !== 'running') {
        await this.#servers.startAnew(server);
      }
    }
  }

  async cancel(row: unknown): Promise<void> {
    const isUnderWay = ({ status }: ManagedServer): boolean => status.kind === 'signingIn';
    const title = 'Give up the sign-in to which server?';
    const server = await chooseServer(this.#registry, row, title, isUnderWay);
    server?.signIn?.cancel();
  }

  async signOut(row: unknown): Promise<void> {
    const title = 'Sign out of which server?';
    const server = await chooseServer(this.#registry, row, title, isRemote);
    if (server === undefined) return;
    const readiness = await server.prepare('user');
    if (readiness.kind === 'declined') return;
    if (readiness.kind === 'refused') return showError(readiness.message);
    await this.#servers.halt(server);
    const outcome = await server.signOut();
    const name = `"${visible(server.name)}"`;
    switch (outcome.kind) {
      case 'signedOut':
        void vscode.window.showInformationMessage(`${PRODUCT}: signed out of ${name}.`);
        return;
      case 'notSignedIn':
        void vscode.window.showInformationMessage(`${PRODUCT}: you are not signed in to ${name}.`);
        return;
      case 'failed':
        showError(outcome.message);
    }
  }
}

/** Waits for the user in the browser; undefined for a server that nobody can sign in to. */
async function askInBrowser(server: ManagedServer): Promise<SignInOutcome | undefined> {
  const { signIn } = server;
  if (signIn === undefined) return undefined;
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: `${PRODUCT}: sign in to "${visible(server.name)}" in the browser`,
    cancellable: true,
  };
  return vscode.window.withProgress(options, (_progress, token) => {
    token.onCancellationRequested(() => signIn.cancel());
    return signIn.signIn();
  });
}

function isRemote({ configured, status }: ManagedServer): boolean {
  const { kind } = configured.entry;
  const isBarred = status.kind === 'disabled' || status.kind === 'restricted';
  return (kind === 'http' || kind === 'sse') && !isBarred;
}

function showError(message: string): void {
  void vscode.window.showErrorMessage(`${PRODUCT}: ${visible(message)}`);
}
