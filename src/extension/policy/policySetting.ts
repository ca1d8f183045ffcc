import * as vscode from 'vscode';
import { policyFromSettings, type PolicySettings } from '../../config/settings.ts';
import { CONCERNS, type Concern } from '../../protocol/concern.ts';
import type { DegradePolicy } from '../../translate/policy.ts';
import { SETTINGS } from '../contributions.ts';

/** Reads the policy; the editor itself leaves out what an untrusted workspace sets. */
export function readPolicy(): PolicySettings {
  const settings = vscode.workspace.getConfiguration();
  return policyFromSettings(
    settings.get(SETTINGS.degradePolicy),
    settings.get(SETTINGS.allowedDowngrades),
  );
}

/** Writes the policy for the workspace, or for the user where no folder is open. */
export async function writePolicy(policy: DegradePolicy): Promise<void> {
  const settings = vscode.workspace.getConfiguration();
  const target =
    vscode.workspace.workspaceFolders === undefined
      ? vscode.ConfigurationTarget.Global
      : vscode.ConfigurationTarget.Workspace;
  if (policy.kind === 'features') {
    // The list first: between the two writes the old policy still holds, and nothing is allowed by an older list.
    const names = CONCERNS.filter((concern) => policy.features.has(concern));
    await settings.update(SETTINGS.allowedDowngrades, names, target);
  }
  const value = policy.kind === 'features' ? 'perFeature' : policy.kind;
  await settings.update(SETTINGS.degradePolicy, value, target);
}

/** Lets go of one feature more. */
export async function allowFeature(concern: Concern): Promise<void> {
  const { policy } = readPolicy();
  if (policy.kind === 'permissive') return;
  const allowed = policy.kind === 'features' ? policy.features : [];
  await writePolicy({ kind: 'features', features: new Set([...allowed, concern]) });
}

/** Calls back when one of the two settings changes. */
export function onDidChangePolicy(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (Object.values(SETTINGS).some((setting) => change.affectsConfiguration(setting))) listener();
  });
}
