import * as vscode from 'vscode';
import { visible, visibleLines } from '../../base/visibleText.ts';
import { CONFIG_FILE, CONFIG_FOLDER, PRODUCT } from '../contributions.ts';

const EDITOR_FILE = 'mcp.json';

/** The two files of one folder, as the editor has them: with what is not saved yet. */
interface Files {
  readonly folder: string;
  readonly source: vscode.TextDocument;
  readonly targetUri: vscode.Uri;
  /** Undefined where there is none. */
  readonly target: vscode.TextDocument | undefined;
}

/**
 * Moves servers from the editor's own `mcp.json` to the bridge's file, in one step that can be undone. Without arguments it
 * asks which; with them it is told by a code action.
 */
export async function bridgeServers(uri: unknown, names: unknown): Promise<void> {
  const source = uri instanceof vscode.Uri ? uri : await chooseFile();
  if (source === undefined) return;
  const files = await openFiles(source);
  if (files === undefined) return;
  const { moveServers, serversIn } = await import('../../config/editors/moveServers.ts');
  const known = serversIn(files.source.getText()).map(({ name }) => name);
  const chosen = isNames(names) ? names : await chooseNames([...new Set(known)]);
  if (chosen === undefined || chosen.length === 0) return;
  const result = moveServers(
    {
      folder: files.folder,
      source: files.source.getText(),
      target: files.target?.getText(),
    },
    chosen,
  );
  if (result.moved.length > 0 && result.target !== undefined) {
    await apply(files, result.source, result.target);
  }
  if (result.remarks.length > 0) {
    const message = visibleLines(`${PRODUCT}: ${result.remarks.join(' ')}`);
    void vscode.window.showWarningMessage(message);
  }
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

function tell(message: string): undefined {
  void vscode.window.showInformationMessage(`${PRODUCT}: ${message}`);
  return undefined;
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    // Whatever else is wrong with it shows when it is opened or written.
    return false;
  }
}

async function chooseFile(): Promise<vscode.Uri | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const items: { label: string; uri: vscode.Uri }[] = [];
  for (const { uri, name } of folders) {
    const file = vscode.Uri.joinPath(uri, CONFIG_FOLDER, EDITOR_FILE);
    if (await exists(file)) items.push({ label: name, uri: file });
  }
  const [first] = items;
  if (first === undefined) return tell(`there is no ${CONFIG_FOLDER}/${EDITOR_FILE} here.`);
  if (items.length === 1) return first.uri;
  return (await vscode.window.showQuickPick(items, { title: 'Which folder?' }))?.uri;
}

async function chooseNames(names: readonly string[]): Promise<readonly string[] | undefined> {
  if (names.length === 0) return tell(`${CONFIG_FOLDER}/${EDITOR_FILE} has no servers.`);
  const items = names.map((name) => ({ label: visible(name), name }));
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Bridge which servers?',
    canPickMany: true,
  });
  return picked?.map(({ name }) => name);
}

async function openFiles(source: vscode.Uri): Promise<Files | undefined> {
  const folder = vscode.workspace.getWorkspaceFolder(source);
  if (folder === undefined) return tell('this file belongs to no folder that is open.');
  const targetUri = vscode.Uri.joinPath(folder.uri, CONFIG_FOLDER, CONFIG_FILE);
  const hasTarget = await exists(targetUri);
  return {
    folder: folder.uri.fsPath,
    source: await vscode.workspace.openTextDocument(source),
    targetUri,
    target: hasTarget ? await vscode.workspace.openTextDocument(targetUri) : undefined,
  };
}

/** Both files in one edit; what had no changes of the user's is saved, as servers are read from the disk. */
async function apply(
  { source, target, targetUri }: Files,
  sourceText: string,
  targetText: string,
): Promise<void> {
  const wasDirty = source.isDirty || target?.isDirty === true;
  const edit = new vscode.WorkspaceEdit();
  if (target === undefined) {
    edit.createFile(targetUri, { contents: new TextEncoder().encode(targetText) });
  } else {
    replaceDifference(edit, target, targetText);
  }
  replaceDifference(edit, source, sourceText);
  if (!(await vscode.workspace.applyEdit(edit))) {
    void vscode.window.showErrorMessage(`${PRODUCT}: the files could not be changed.`);
    return;
  }
  const shown = await vscode.workspace.openTextDocument(targetUri);
  if (!wasDirty) {
    // The bridge's file first: at no moment is a server in neither.
    await shown.save();
    await source.save();
  }
  await vscode.window.showTextDocument(shown, { preview: false });
}

/** Replaces only what differs, so that the rest keeps its cursors and folds. */
function replaceDifference(
  edit: vscode.WorkspaceEdit,
  document: vscode.TextDocument,
  text: string,
): void {
  const before = document.getText();
  const shorter = Math.min(before.length, text.length);
  let start = 0;
  while (start < shorter && before[start] === text[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === text.at(-1 - end)) end++;
  const range = new vscode.Range(
    document.positionAt(start),
    document.positionAt(before.length - end),
  );
  edit.replace(document.uri, range, text.slice(start, text.length - end));
}
