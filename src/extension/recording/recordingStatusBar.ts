import * as vscode from 'vscode';
import { visible } from '../../base/visibleText.ts';
import { COMMANDS, PRODUCT } from '../contributions.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';

/** Shows that something is recorded, as long as it is; a click stops it. */
export class RecordingStatusBar implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;
  readonly #registry: ServerRegistry;
  readonly #unsubscribe: () => void;

  constructor(registry: ServerRegistry) {
    this.#registry = registry;
    this.#item = vscode.window.createStatusBarItem(
      'mcpRosetta.recording',
      vscode.StatusBarAlignment.Right,
      99,
    );
    this.#item.name = `${PRODUCT}: recording`;
    this.#item.command = COMMANDS.stopRecording;
    this.#unsubscribe = registry.onDidChange(() => this.#show());
  }

  dispose(): void {
    this.#unsubscribe();
    this.#item.dispose();
  }

  #show(): void {
    const recorded = this.#registry.servers.filter(
      ({ recorder }) => recorder.recorded !== undefined,
    );
    if (recorded.length === 0) {
      this.#item.hide();
      return;
    }
    const names = recorded.map(({ name }) => `"${visible(name)}"`).join(', ');
    this.#item.text = '$(record) Rosetta: recording';
    this.#item.tooltip = `${PRODUCT} records the traffic of ${names}.\nClick to stop.`;
    this.#item.accessibilityInformation = {
      label: `${PRODUCT} records the traffic of ${names}; stop`,
      role: 'button',
    };
    this.#item.show();
  }
}
