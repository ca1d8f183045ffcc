import * as vscode from 'vscode';
import { PRODUCT } from './contributions.ts';
import type { ServerRegistry } from './servers/serverRegistry.ts';

/** What stands in the status bar; a click runs the command that the item is for. */
export interface StatusBarFace {
  readonly text: string;
  readonly tooltip: string;
  /** What a screen reader says. */
  readonly label: string;
  readonly isError?: boolean;
}

export interface StatusBarOptions {
  readonly id: string;
  /** By which a user hides and shows it. */
  readonly name: string;
  readonly command: string;
  /** Higher is further to the left. */
  readonly priority: number;
  /** Undefined hides the item. */
  readonly face: () => StatusBarFace | undefined;
}

/** Keeps an item of the status bar up to date with the servers, until it is disposed of. */
export function showInStatusBar(
  registry: ServerRegistry,
  { id, name, command, priority, face }: StatusBarOptions,
): vscode.Disposable {
  const item = vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Right, priority);
  item.name = `${PRODUCT}: ${name}`;
  item.command = command;
  const show = (): void => {
    const now = face();
    if (now === undefined) {
      item.hide();
      return;
    }
    const { text, tooltip, label, isError = false } = now;
    item.text = text;
    item.tooltip = tooltip;
    item.accessibilityInformation = { label, role: 'button' };
    item.backgroundColor = isError
      ? new vscode.ThemeColor('statusBarItem.errorBackground')
      : undefined;
    item.show();
  };
  const unsubscribe = registry.onDidChange(show);
  show();
  return vscode.Disposable.from({ dispose: unsubscribe }, item);
}
