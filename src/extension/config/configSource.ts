import * as vscode from 'vscode';
import { CONFIG_FILE, CONFIG_FOLDER } from '../contributions.ts';

/** A place where servers can be configured; the file need not exist. */
export type ConfigSource =
  | {
      readonly kind: 'workspace';
      readonly uri: vscode.Uri;
      readonly folder: string;
      readonly label: string;
    }
  | { readonly kind: 'user'; readonly uri: vscode.Uri; readonly label: string };

/** The user's own file. */
export function userSource(globalStorage: vscode.Uri): ConfigSource {
  const uri = vscode.Uri.joinPath(globalStorage, CONFIG_FILE);
  return { kind: 'user', uri, label: 'your user configuration' };
}

/** The files of the workspace's folders, then the user's: in the order in which a name is looked up. */
export function configSources(globalStorage: vscode.Uri): ConfigSource[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const ofWorkspace = folders.map(({ uri, name }): ConfigSource => {
    const file = `${CONFIG_FOLDER}/${CONFIG_FILE}`;
    return {
      kind: 'workspace',
      uri: vscode.Uri.joinPath(uri, CONFIG_FOLDER, CONFIG_FILE),
      folder: uri.fsPath,
      label: folders.length > 1 ? `${name}/${file}` : file,
    };
  });
  return [...ofWorkspace, userSource(globalStorage)];
}
