import * as vscode from 'vscode';
import { isConcern } from '../../protocol/concern.ts';
import { COMMANDS, PRODUCT } from '../contributions.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';

/** Offers to let go of the feature that a diagnostic says was refused. */
export class AllowFeatureAction implements vscode.CodeActionProvider {
  static readonly kinds = [vscode.CodeActionKind.QuickFix];
  readonly #registry: ServerRegistry;

  constructor(registry: ServerRegistry) {
    this.#registry = registry;
  }

  provideCodeActions(
    _document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const remedies = new Set(
      this.#registry.servers.flatMap(({ findings }) => findings.map(({ remedy }) => remedy)),
    );
    const offered = new Map<string, vscode.CodeAction>();
    for (const diagnostic of diagnostics) {
      const { source, code } = diagnostic;
      if (source !== PRODUCT || typeof code !== 'string' || !isConcern(code)) continue;
      if (!remedies.has(code) || offered.has(code)) continue;
      const title = `Allow "${code}" in this workspace`;
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
      action.diagnostics = [diagnostic];
      action.command = { command: COMMANDS.allowFeature, title, arguments: [code] };
      offered.set(code, action);
    }
    return [...offered.values()];
  }
}
