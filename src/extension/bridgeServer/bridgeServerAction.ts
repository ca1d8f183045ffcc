import * as vscode from 'vscode';
import { COMMANDS } from '../contributions.ts';

/** The files that the action is offered in: VS Code's own, of a workspace folder. */
export const EDITOR_FILE_PATTERN = '**/.vscode/mcp.json';

/** Offers to move the server at the cursor from the editor's own file to the bridge's. */
export class BridgeServerAction implements vscode.CodeActionProvider {
  static readonly kinds = [vscode.CodeActionKind.RefactorMove];

  async provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
  ): Promise<vscode.CodeAction[]> {
    // Not before somebody edits such a file: it brings the reader of configurations along.
    const { serversIn } = await import('../../config/editors/moveServers.ts');
    const cursor = document.offsetAt(range.start);
    const entry = serversIn(document.getText()).find(({ member: { keyRange, value } }) => {
      return cursor >= keyRange.offset && cursor <= value.offset + value.length;
    });
    if (entry === undefined) return [];
    const title = `Bridge this server ("${entry.name}") with MCP Rosetta`;
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.RefactorMove);
    action.command = {
      command: COMMANDS.bridgeServers,
      title,
      arguments: [document.uri, [entry.name]],
    };
    return [action];
  }
}
