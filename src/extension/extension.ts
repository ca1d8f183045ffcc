import type * as vscode from 'vscode';
import { createRosetta } from './createRosetta.ts';

let close: (() => Promise<void>) | undefined;

/** Called by the editor after it has started, or when it wants the servers. */
export function activate(context: vscode.ExtensionContext): void {
  close = createRosetta(context);
}

/** Called by the editor before it ends; what this extension started ends here. */
export async function deactivate(): Promise<void> {
  await close?.();
}
