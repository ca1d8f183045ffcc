import * as vscode from 'vscode';
import type { TextRange } from '../../config/configProblem.ts';
import { configSources, userSource, type ConfigSource } from './configSource.ts';
import { toRange } from './textRange.ts';

const EXAMPLE = `{
  // Servers that MCP Rosetta bridges to your editor. Nothing starts before you have agreed to it.
  "servers": {
    // "my-server": {
    //   "command": "npx",
    //   "args": ["-y", "some-mcp-server"],
    //   "env": { "API_KEY": "\${input:api-key}" }
    // },
    // "my-remote-server": {
    //   "type": "http",
    //   "url": "https://example.com/mcp"
    // }
  },
  "inputs": [
    // { "id": "api-key", "type": "promptString", "description": "The API key", "password": true }
  ]
}
`;

/** Opens the user's file; the first time it holds an example. */
export async function openUserConfiguration(globalStorage: vscode.Uri): Promise<void> {
  await openOrCreate(userSource(globalStorage));
}

/** Opens a workspace folder's file; the first time it holds an example. */
export async function openWorkspaceConfiguration(globalStorage: vscode.Uri): Promise<void> {
  const sources = configSources(globalStorage).filter(({ kind }) => kind === 'workspace');
  const [first] = sources;
  if (first === undefined) {
    void vscode.window.showWarningMessage(
      'No folder is open: open one, or use the user configuration of MCP Rosetta.',
    );
    return;
  }
  if (sources.length === 1) return openOrCreate(first);
  const items = sources.map((source) => ({ label: source.label, source }));
  const picked = await vscode.window.showQuickPick(items, { title: 'Which folder?' });
  if (picked !== undefined) await openOrCreate(picked.source);
}

/** Shows a place in a configuration file. */
export async function revealInConfiguration(
  source: ConfigSource,
  text: string,
  range: TextRange,
): Promise<void> {
  await vscode.window.showTextDocument(source.uri, { selection: toRange(text, range) });
}

async function openOrCreate({ uri }: ConfigSource): Promise<void> {
  try {
    await vscode.workspace.fs.stat(uri);
  } catch {
    // It is missing; whatever else is wrong with it shows when it is written or opened.
    await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(uri, '..'));
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(EXAMPLE));
  }
  await vscode.window.showTextDocument(uri);
}
