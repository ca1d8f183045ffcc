import * as vscode from 'vscode';
import { visible } from '../base/visibleText.ts';
import { chooseServer } from './chooseServer.ts';
import type { ConsentStore } from './consent/consentStore.ts';
import type { InputAnswers } from './consent/inputAnswers.ts';
import { PRODUCT } from './contributions.ts';
import type { EditorServers } from './provider/editorServers.ts';
import type { ManagedServer } from './servers/managedServer.ts';
import type { ServerRegistry } from './servers/serverRegistry.ts';
import type { ServerStatus } from './servers/serverStatus.ts';

/** States in which something of a server runs, or has been tried in vain. */
const HALTABLE: ReadonlySet<ServerStatus['kind']> = new Set([
  'running',
  'starting',
  'signingIn',
  'needsSignIn',
]);

/** States of servers whose tools can be listed. */
const LISTABLE: ReadonlySet<ServerStatus['kind']> = new Set([
  'stopped',
  'running',
  'needsSignIn',
  'failed',
]);

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
    const server = await this.#choose(row, 'Start which server?', (kind) => kind !== 'running');
    if (server !== undefined) await this.#start(server);
  }

  async stop(row: unknown): Promise<void> {
    const server = await this.#choose(row, 'Stop which server?', (kind) => HALTABLE.has(kind));
    if (server !== undefined) await this.halt(server);
  }

  async restart(row: unknown): Promise<void> {
    const server = await this.#choose(row, 'Restart which server?', () => true);
    if (server !== undefined) await this.startAnew(server);
  }

  /** Ends a server, and lets the editor come to it again. */
  async startAnew(server: ManagedServer): Promise<void> {
    await this.halt(server);
    await this.#start(server);
  }

  /** Takes the consent back, with the answers that were given for the server. */
  async forget(row: unknown): Promise<void> {
    const server = await this.#choose(
      row,
      'Forget the consent to which server?',
      (kind) => kind !== 'needsConsent',
    );
    if (server === undefined) return;
    await this.#consents.forget(server.configured);
    await this.#answers.forget(server.configured);
    await this.halt(server);
  }

  /** Lists the tools afresh, of all servers that run or may. */
  async refresh(): Promise<void> {
    const usable = this.#registry.servers.filter(({ status }) => LISTABLE.has(status.kind));
    await Promise.all(usable.map((server) => this.#look(server)));
  }

  /** Asks for consent to one server after the other, and starts those that got it. */
  async review(servers: readonly ManagedServer[]): Promise<void> {
    for (const server of servers) await this.#start(server);
  }

  /** Ends a server, of which the editor's client is told. */
  async halt(server: ManagedServer): Promise<void> {
    await server.stop();
    await this.#editor.stop(server.name);
  }

  async #start(server: ManagedServer): Promise<void> {
    // The editor's client may still be connected to a bridge whose server is gone; it starts nothing then.
    const { kind } = server.status;
    if (kind === 'failed' || kind === 'needsSignIn') await this.halt(server);
    const readiness = await server.prepare('user');
    switch (readiness.kind) {
      case 'declined':
        return;
      case 'refused':
        void vscode.window.showErrorMessage(`${PRODUCT}: ${visible(readiness.message)}`);
        return;
      case 'ready':
        // The editor's own session lists the tools; only where there is none does the bridge look for itself.
        if (!(await this.#editor.start(server.name, () => hasCome(server)))) await server.look();
    }
  }

  async #look(server: ManagedServer): Promise<void> {
    const readiness = await server.prepare('user');
    if (readiness.kind === 'ready') await server.look();
  }

  #choose(
    row: unknown,
    title: string,
    fits: (kind: ServerStatus['kind']) => boolean,
  ): Promise<ManagedServer | undefined> {
    return chooseServer(this.#registry, row, title, ({ status }) => fits(status.kind));
  }
}

/** Whether the editor has been at a server, also where that wants a sign-in first. */
function hasCome({ sessions, status }: ManagedServer): boolean {
  return sessions.length > 0 || status.kind === 'needsSignIn';
}
