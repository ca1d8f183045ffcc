import type * as vscode from 'vscode';
import type { DegradePolicy } from '../../translate/policy.ts';
import { COMMANDS, PRODUCT } from '../contributions.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import { showInStatusBar, type StatusBarFace } from '../statusBarItem.ts';
import { readPolicy } from './policySetting.ts';

/** Shows the policy, and how much it refused; a click changes it. There is none where no server is configured. */
export function showPolicy(registry: ServerRegistry): vscode.Disposable {
  return showInStatusBar(registry, {
    id: 'mcpRosetta.policy',
    name: 'degrade policy',
    command: COMMANDS.choosePolicy,
    priority: 100,
    face: () => faceOf(registry),
  });
}

function faceOf({ servers, configured }: ServerRegistry): StatusBarFace | undefined {
  if (servers.length === 0 && configured.faulty.length === 0) return undefined;
  const { policy, problems } = readPolicy();
  const refusals = servers
    .flatMap((server) => server.findings)
    .filter(({ severity, remedy }) => severity === 'error' && remedy !== undefined)
    .reduce((sum, { count }) => sum + count, 0);
  const words = describe(policy);
  const refused = refusals === 0 ? '' : ` $(error) ${refusals}`;
  return {
    text: `$(arrow-swap) Rosetta: ${words}${refused}`,
    tooltip: [
      `${PRODUCT}: ${words}`,
      ...(refusals === 0 ? [] : [`${refusals} refused; see Problems`]),
      ...problems,
      'Click to change what may be lost in translation.',
    ].join('\n'),
    label: `${PRODUCT}, degrade policy ${words}, ${refusals} refused`,
    isError: refusals > 0,
  };
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
