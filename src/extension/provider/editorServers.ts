import * as vscode from 'vscode';

/** The editor takes over changed definitions with this much delay. */
const DEFINITIONS_SETTLE_MS = 700;

/**
 * Lets the editor's own client follow what the user does in our tree. Its commands are not part of the editor's API: an
 * editor without them learns of a server at the next turn of a chat.
 */
export class EditorServers {
  readonly #prefix: string;

  constructor(extensionId: string) {
    this.#prefix = extensionId.toLowerCase();
  }

  /** Starts the editor's client for a server; answers whether it came. */
  async start(name: string, hasCome: () => boolean): Promise<boolean> {
    await this.#run('workbench.mcp.startServer', name);
    if (hasCome()) return true;
    await new Promise((resolve) => setTimeout(resolve, DEFINITIONS_SETTLE_MS));
    await this.#run('workbench.mcp.startServer', name);
    return hasCome();
  }

  async stop(name: string): Promise<void> {
    await this.#run('workbench.mcp.stopServer', name);
  }

  async #run(command: string, name: string): Promise<void> {
    try {
      await vscode.commands.executeCommand(command, `${this.#prefix}/${name}`, {
        waitForLiveTools: true,
      });
    } catch {
      // Not an error of ours: what it tells of the server is in the tree and the log already.
    }
  }
}
