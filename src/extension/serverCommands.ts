import * as vscode from 'vscode';
import { visible } from '../base/visibleText.ts';
import type { ConsentStore } from './consent/consentStore.ts';
import type { InputAnswers } from './consent/inputAnswers.ts';
import { PRODUCT } from './contributions.ts';
import type { EditorServers } from './provider/editorServers.ts';
import type { ManagedServer } from './servers/managedServer.ts';
import type { ServerRegistry } from './servers/serverRegistry.ts';
import type { ServerStatus } from './servers/serverStatus.ts';
import { serverOf } from './tree/node.ts';

/** What a user does to a server, from its row in the tree or from the command palette. */
export class ServerCommands {
  readonly #registry: ServerRegistry;
  readonly #editor: EditorServers;
  readonly #consents: ConsentStore;
  readonly #answers: InputAnswers;

  constructor(
    registry: ServerRegistry,
    editor: EditorServers,
    consents: ConsentStore,
    answers: InputAnswers,
  ) {
    this.#registry = registry;
    this.#editor = editor;
    this.#consents = consents;
    this.#answers = answers;
  }

  async start(row: unknown): Promise<void> {
    const server = await this.#choose(row, 'Start which server?', ({ kind }) => kind !== 'running');
    if (server !== undefined) await this.#start(server);
  }

  async stop(row: unknown): Promise<void> {
    const server = await this.#choose(
      row,
      'Stop which server?',
      ({ kind }) => kind === 'running' || kind === 'starting',
    );
    if (server !== undefined) await this.#stop(server);
  }

  async restart(row: unknown): Promise<void> {
    const server = await this.#choose(row, 'Restart which server?', () => true);
    if (server === undefined) return;
    await this.#stop(server);
    await this.#start(server);
  }

  /** Takes the consent back, with the answers that were given for the server. */
  async forget(row: unknown): Promise<void> {
    const server = await this.#choose(
      row,
      'Forget the consent to which server?',
      ({ kind }) => kind !== 'needsConsent',
    );
    if (server === undefined) return;
    await this.#consents.forget(server.configured);
    await this.#answers.forget(server.configured);
    await this.#stop(server);
  }

  /** Lists the tools afresh, of all servers that run or may. */
  async refresh(): Promise<void> {
    const usable = this.#registry.servers.filter(({ status: { kind } }) =>
      ['stopped', 'running', 'failed'].includes(kind),
    );
    await Promise.all(usable.map((server) => this.#look(server)));
  }

  /** Asks for consent to one server after the other, and starts those that got it. */
  async review(servers: readonly ManagedServer[]): Promise<void> {
    for (const server of servers) await this.#start(server);
  }

  async #start(server: ManagedServer): Promise<void> {
    // The editor's client may still be connected to a bridge whose server is gone; it starts nothing then.
    if (server.status.kind === 'failed') await this.#stop(server);
    const readiness = await server.prepare('user');
    switch (readiness.kind) {
      case 'declined':
        return;
      case 'refused':
        void vscode.window.showErrorMessage(`${PRODUCT}: ${visible(readiness.message)}`);
        return;
      case 'ready':
        // The editor's own session lists the tools; only where there is none does the bridge look for itself.
        if (!(await this.#editor.start(server.name, () => server.sessions.length > 0))) {
          await server.look();
        }
    }
  }

  async #stop(server: ManagedServer): Promise<void> {
    await server.stop();
    await this.#editor.stop(server.name);
  }

  async #look(server: ManagedServer): Promise<void> {
    const readiness = await server.prepare('user');
    if (readiness.kind === 'ready') await server.look();
  }

  async #choose(
    row: unknown,
    title: string,
    fits: (status: ServerStatus) => boolean,
  ): Promise<ManagedServer | undefined> {
    const server = serverOf(row);
    if (server !== undefined) return server;
    const items = this.#registry.servers
      .filter(({ status }) => fits(status))
      .map((each) => ({ label: visible(each.name), server: each }));
    if (items.length === 0) {
      void vscode.window.showInformationMessage(`${PRODUCT}: there is no such server.`);
      return undefined;
    }
    const picked = await vscode.window.showQuickPick(items, { title });
    return picked?.server;
  }
}
