import * as vscode from 'vscode';
import { homedir } from 'node:os';
import { visible } from '../../base/visibleText.ts';
import { chooseServer } from '../chooseServer.ts';
import { PRODUCT } from '../contributions.ts';
import type { ManagedServer } from '../servers/managedServer.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';

const SHOW = 'Show';

/** Starts and stops the recordings that the user wants. */
export class RecordingCommands {
  readonly #registry: ServerRegistry;

  constructor(registry: ServerRegistry) {
    this.#registry = registry;
  }

  /** Asks for a file, and writes from then on what passes. */
  async start(row: unknown): Promise<void> {
    const server = await chooseServer(
      this.#registry,
      row,
      'Record the traffic of which server?',
      ({ recorder, status }) => recorder.recorded === undefined && mayRun(status),
    );
    if (server === undefined) return;
    const uri = await vscode.window.showSaveDialog({
      title: `Record the traffic of "${visible(server.name)}"`,
      defaultUri: vscode.Uri.joinPath(folder(), `${fileName(server.name)}.ndjson`),
      filters: { 'Recordings of MCP Rosetta': ['ndjson'] },
      saveLabel: 'Record',
    });
    if (uri === undefined) return;
    if (uri.scheme !== 'file') return showError('a recording can only be written to a file.');
    const failure = server.recorder.start(uri.fsPath);
    if (failure !== undefined) return showError(failure);
    // Without a handshake in it, a recording could not answer another client.
    const { kind } = server.status;
    if (kind === 'running' || kind === 'needsSignIn') await server.look('anew');
  }

  async stop(row: unknown): Promise<void> {
    const title = 'Stop which recording?';
    const recording = this.#registry.servers.filter(isRecording);
    const only = recording.length === 1 ? recording[0] : undefined;
    const server = only ?? (await chooseServer(this.#registry, row, title, isRecording));
    const recorded = server?.recorder.stop();
    if (server === undefined || recorded === undefined) return;
    const { messages, path } = recorded;
    const count = `${messages} ${messages === 1 ? 'message' : 'messages'}`;
    const answer = await vscode.window.showInformationMessage(
      `${PRODUCT}: recorded ${count} of "${visible(server.name)}".`,
      SHOW,
    );
    if (answer === SHOW) await vscode.window.showTextDocument(vscode.Uri.file(path));
  }
}

function isRecording({ recorder }: ManagedServer): boolean {
  return recorder.recorded !== undefined;
}

function mayRun({ kind }: ManagedServer['status']): boolean {
  return kind !== 'disabled' && kind !== 'restricted' && kind !== 'needsConsent';
}

function folder(): vscode.Uri {
  return vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
}

/** A server's name as that of a file, on every system. */
function fileName(server: string): string {
  const safe = server.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+|[.-]+$/g, '');
  return safe === '' ? 'server' : safe;
}

function showError(message: string): void {
  void vscode.window.showErrorMessage(`${PRODUCT}: ${visible(message)}`);
}
