import type * as vscode from 'vscode';
import { visible } from '../../base/visibleText.ts';
import { COMMANDS, PRODUCT } from '../contributions.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import { showInStatusBar, type StatusBarFace } from '../statusBarItem.ts';

/** Shows that something is recorded, as long as it is; a click stops it. */
export function showRecordings(registry: ServerRegistry): vscode.Disposable {
  return showInStatusBar(registry, {
    id: 'mcpRosetta.recording',
    name: 'recording',
    command: COMMANDS.stopRecording,
    priority: 99,
    face: () => faceOf(registry),
  });
}

function faceOf({ servers }: ServerRegistry): StatusBarFace | undefined {
  const recorded = servers.filter(({ recorder }) => recorder.recorded !== undefined);
  if (recorded.length === 0) return undefined;
  const names = recorded.map(({ name }) => `"${visible(name)}"`).join(', ');
  return {
    text: '$(record) Rosetta: recording',
    tooltip: `${PRODUCT} records the traffic of ${names}.\nClick to stop.`,
    label: `${PRODUCT} records the traffic of ${names}; stop`,
  };
}
