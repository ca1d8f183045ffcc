import * as vscode from 'vscode';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { waitUntil } from './workbench.ts';

const FILE = 'mcp-rosetta.json';

/** An entry as it stands in the file. */
export type Entry = Readonly<Record<string, unknown>>;

/** The folder that is open. */
export function workspaceFolder(): string {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) throw new Error('No folder is open.');
  return folder.uri.fsPath;
}

/** The workspace's configuration file. */
export function configurationUri(): vscode.Uri {
  return vscode.Uri.file(join(workspaceFolder(), '.vscode', FILE));
}

/** Writes the workspace's configuration file, as another program would. */
export async function configure(
  servers: Readonly<Record<string, Entry>>,
  inputs: readonly Entry[] = [],
): Promise<void> {
  await writeConfiguration(JSON.stringify({ servers, inputs }, undefined, 2));
}

export async function writeConfiguration(text: string): Promise<void> {
  await mkdir(join(workspaceFolder(), '.vscode'), { recursive: true });
  await writeFile(configurationUri().fsPath, text);
}

/** The file for the servers of all workspaces. */
export function userConfigurationUri(): vscode.Uri {
  const path = ['User', 'globalStorage', 'mcp-rosetta.mcp-rosetta', FILE];
  return vscode.Uri.file(join(dataFolder(), ...path));
}

/** Where the editor keeps what belongs to this run: settings, states and logs. */
export function dataFolder(): string {
  const extension = vscode.extensions.getExtension('mcp-rosetta.mcp-rosetta');
  if (extension === undefined) throw new Error('The extension is not installed.');
  return dirname(dirname(extension.extensionPath));
}

/** Removes the file, and with it every server of the workspace and its tools. */
export async function removeConfiguration(): Promise<void> {
  await rm(configurationUri().fsPath, { force: true });
  await vscode.commands.executeCommand('notifications.clearAll');
  await waitUntil('the problems to be gone', () => problems().length === 0 || undefined);
  await waitUntil(
    'the tools to be gone',
    () => !vscode.lm.tools.some(({ name }) => name.startsWith('mcp_')) || undefined,
  );
}

/** Says who may be lost on the way, as the settings of the workspace. */
export async function setPolicy(policy: string | undefined, allowed?: readonly string[]) {
  const settings = vscode.workspace.getConfiguration('mcpRosetta');
  const target = vscode.ConfigurationTarget.Workspace;
  await settings.update('allowedDowngrades', allowed, target);
  await settings.update('degradePolicy', policy, target);
}

/** The problems that the extension shows at the workspace's configuration file. */
export function problems(): readonly vscode.Diagnostic[] {
  const all = vscode.languages.getDiagnostics(configurationUri());
  return all.filter(({ source }) => source === 'MCP Rosetta');
}
