import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { describePolicy } from '../../translate/policy.ts';
import { visible } from '../../base/visibleText.ts';
import { PRODUCT } from '../contributions.ts';
import { readPolicy } from '../policy/policySetting.ts';
import type { ManagedServer } from '../servers/managedServer.ts';
import { endpointPath, type ServerRegistry } from '../servers/serverRegistry.ts';
import type { Listener } from './listener.ts';

/** Gives the editor one definition per server, which leads to the bridge and never to the server itself. */
export class DefinitionProvider
  implements vscode.McpServerDefinitionProvider<vscode.McpHttpServerDefinition>, vscode.Disposable
{
  readonly #registry: ServerRegistry;
  readonly #listener: Listener;
  readonly #version: string;
  readonly #isReady: Promise<void>;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #unsubscribe: () => void;
  #given = '';

  readonly onDidChangeMcpServerDefinitions = this.#changed.event;

  /** `isReady` settles when the configuration has been read for the first time. */
  constructor(
    registry: ServerRegistry,
    listener: Listener,
    version: string,
    isReady: Promise<void>,
  ) {
    this.#registry = registry;
    this.#isReady = isReady;
    this.#listener = listener;
    this.#version = version;
    this.#unsubscribe = registry.onDidChange(() => {
      // A server's every word is a change to the views; to the editor only another list of definitions is one.
      const now = JSON.stringify(this.#offered().map((server) => this.#versionOf(server)));
      if (now === this.#given) return;
      this.#given = now;
      this.#changed.fire();
    });
  }

  async provideMcpServerDefinitions(): Promise<vscode.McpHttpServerDefinition[]> {
    await this.#isReady;
    const servers = this.#offered();
    if (servers.length === 0) return [];
    const { url, token } = await this.#listener.address();
    return servers.map(
      (server) =>
        new vscode.McpHttpServerDefinition(
          server.name,
          vscode.Uri.parse(url + endpointPath(server.name)),
          { Authorization: `Bearer ${token}` },
          this.#versionOf(server),
        ),
    );
  }

  /** Called when the editor wants to start a server: the moment to ask the user. */
  async resolveMcpServerDefinition(
    definition: vscode.McpHttpServerDefinition,
  ): Promise<vscode.McpHttpServerDefinition | undefined> {
    const server = this.#registry.find(definition.label);
    const readiness = await server?.prepare('editor');
    switch (readiness?.kind) {
      case 'ready':
        return definition;
      case 'declined':
      case undefined:
        return undefined;
      case 'refused':
        throw new Error(`${PRODUCT}: ${visible(readiness.message)}`);
    }
  }

  dispose(): void {
    this.#unsubscribe();
    this.#changed.dispose();
  }

  /**
   * The servers the editor is to know. One that the user has declined is not among them: the editor would ask for it
   * at every turn of a chat, and the user would be asked again.
   */
  #offered(): readonly ManagedServer[] {
    return this.#registry.servers.filter(({ status }) => {
      switch (status.kind) {
        case 'restricted':
        case 'disabled':
          return false;
        case 'needsConsent':
          return !status.declined;
        case 'stopped':
        case 'starting':
        case 'running':
        case 'signingIn':
        case 'needsSignIn':
        case 'failed':
          return true;
      }
    });
  }

  /** The editor keeps a server's tools by label and version, so that whatever changes them has to be in the version. */
  #versionOf({ configured }: ManagedServer): string {
    const parts = [
      this.#version,
      configured.name,
      configured.identity,
      describePolicy(readPolicy().policy),
    ];
    return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
  }
}
