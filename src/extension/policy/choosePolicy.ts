import * as vscode from 'vscode';
import { CONCERNS, type Concern } from '../../protocol/concern.ts';
import { PERMISSIVE, STRICT, type DegradePolicy } from '../../translate/policy.ts';
import { CONCERN_DESCRIPTIONS } from './concernDescriptions.ts';
import { readPolicy, writePolicy } from './policySetting.ts';

const TITLE = 'What may be lost in translation';

interface PolicyItem extends vscode.QuickPickItem {
  readonly choice: DegradePolicy['kind'];
}

const CHOICES: readonly PolicyItem[] = [
  {
    choice: 'strict',
    label: 'Strict',
    detail: 'Nothing is lost: what the editor cannot read is refused, and you are told.',
  },
  {
    choice: 'permissive',
    label: 'Permissive',
    detail: 'Everything crosses in the nearest form the editor can read, and you are told.',
  },
  {
    choice: 'features',
    label: 'Per feature…',
    detail: 'You choose which features may cross in a lesser form.',
  },
];

/** Asks for the degrade policy and writes it for the workspace. */
export async function choosePolicy(): Promise<void> {
  const { policy } = readPolicy();
  const items = CHOICES.map((item) =>
    item.choice === policy.kind ? { ...item, description: 'in use' } : item,
  );
  const picked = await vscode.window.showQuickPick(items, {
    title: TITLE,
    placeHolder: 'For this workspace; open sessions obey at once',
  });
  switch (picked?.choice) {
    case undefined:
      return;
    case 'strict':
      return writePolicy(STRICT);
    case 'permissive':
      return writePolicy(PERMISSIVE);
    case 'features': {
      const features = await chooseFeatures(policy);
      if (features !== undefined) await writePolicy({ kind: 'features', features });
    }
  }
}

async function chooseFeatures(policy: DegradePolicy): Promise<ReadonlySet<Concern> | undefined> {
  const items = CONCERNS.map((concern) => ({
    concern,
    label: concern,
    detail: CONCERN_DESCRIPTIONS[concern],
    picked: policy.kind === 'features' && policy.features.has(concern),
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: TITLE,
    placeHolder: 'Features that may cross in a lesser form',
    canPickMany: true,
    matchOnDetail: true,
  });
  return picked && new Set(picked.map(({ concern }) => concern));
}
