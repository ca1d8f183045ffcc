import * as vscode from 'vscode';
import type { DegradePolicy } from '../translate/policy.ts';
import { COMMANDS, PRODUCT } from './contributions.ts';
import { readPolicy } from './policy/policySetting.ts';
import type { ServerRegistry } from './servers/serverRegistry.ts';

/** Shows the policy, and how much it refused; a click changes it. There is none where no server is configured. */
export class PolicyStatusBar implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;
  readonly #registry: ServerRegistry;
  readonly #unsubscribe: () => void;

  constructor(registry: ServerRegistry) {
    this.#registry = registry;
    this.#item = vscode.window.createStatusBarItem(
      'mcpRosetta.policy',
      vscode.StatusBarAlignment.Right,
      100,
    );
    this.#item.name = `${PRODUCT}: degrade policy`;
    this.#item.command = COMMANDS.choosePolicy;
    this.#unsubscribe = registry.onDidChange(() => this.#show());
    this.#show();
  }

  dispose(): void {
    this.#unsubscribe();
    this.#item.dispose();
  }

  #show(): void {
    const { servers, configured } = this.#registry;
    if (servers.length === 0 && configured.faulty.length === 0) {
      this.#item.hide();
      return;
    }
    const { policy, problems } = readPolicy();
    const refusals = servers
      .flatMap((server) => server.findings)
      .filter(({ severity, remedy }) => severity === 'error' && remedy !== undefined)
      .reduce((sum, { count }) => sum + count, 0);
    const words = describe(policy);
    const refused = refusals === 0 ? '' : ` $(error) ${refusals}`;
    this.#item.text = `$(arrow-swap) Rosetta: ${words}${refused}`;
    this.#item.tooltip = [
      `${PRODUCT}: ${words}`,
      ...(refusals === 0 ? [] : [`${refusals} refused; see Problems`]),
      ...problems,
      'Click to change what may be lost in translation.',
    ].join('\n');
    this.#item.accessibilityInformation = {
      label: `${PRODUCT}, degrade policy ${words}, ${refusals} refused`,
      role: 'button',
    };
    this.#item.backgroundColor =
      refusals === 0 ? undefined : new vscode.ThemeColor('statusBarItem.errorBackground');
    this.#item.show();
  }
}

function describe(policy: DegradePolicy): string {
  switch (policy.kind) {
    case 'strict':
    case 'permissive':
      return policy.kind;
    case 'features': {
      const { size } = policy.features;
      return `${size} ${size === 1 ? 'feature' : 'features'} allowed`;
    }
  }
}
