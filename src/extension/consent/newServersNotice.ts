import * as vscode from 'vscode';
import { PRODUCT, SERVERS_VIEW } from '../contributions.ts';
import type { ManagedServer } from '../servers/managedServer.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';

/** Tells once of every server that waits for consent, without standing in anybody's way. */
export class NewServersNotice {
  readonly #registry: ServerRegistry;
  readonly #review: (servers: readonly ManagedServer[]) => Promise<void>;
  readonly #told = new Set<string>();
  readonly #unsubscribe: () => void;

  constructor(
    registry: ServerRegistry,
    review: (servers: readonly ManagedServer[]) => Promise<void>,
  ) {
    this.#registry = registry;
    this.#review = review;
    this.#unsubscribe = registry.onDidChange(() => void this.#tell());
  }

  dispose(): void {
    this.#unsubscribe();
  }

  async #tell(): Promise<void> {
    const waiting = (): readonly ManagedServer[] =>
      this.#registry.servers.filter(({ status }) => status.kind === 'needsConsent');
    const fresh = waiting().filter(({ configured }) => !this.#told.has(configured.hash));
    if (fresh.length === 0) return;
    for (const { configured } of fresh) this.#told.add(configured.hash);
    const place = fresh.every(({ configured }) => configured.source.kind === 'user')
      ? 'Your user configuration'
      : 'This workspace';
    const servers = fresh.length === 1 ? '1 new MCP server' : `${fresh.length} new MCP servers`;
    const review = 'Review';
    const answer = await vscode.window.showInformationMessage(
      `${PRODUCT}: ${place} wants to start ${servers}.`,
      review,
    );
    if (answer !== review) return;
    // All may have been answered since, from the tree or at the editor's own request.
    await vscode.commands.executeCommand(`${SERVERS_VIEW}.focus`);
    await this.#review(waiting());
  }
}
