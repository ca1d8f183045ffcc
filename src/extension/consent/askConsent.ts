import * as vscode from 'vscode';
import { commandLine } from '../../config/consent.ts';
import { visible } from '../../base/visibleText.ts';
import type { ConfiguredEntry } from '../config/configuredServers.ts';

const START = 'Start';
/** More than a dialog shows at once, whose scroll bar is easily overlooked. */
const LONG = 2000;

/** Shows the user all that an entry would run or call, and asks whether it may; whatever is not a yes is a no. */
export async function askConsent({ name, source, entry }: ConfiguredEntry): Promise<boolean> {
  const text = commandLine(entry);
  const origin = source.label.charAt(0).toUpperCase() + source.label.slice(1);
  const detail = [
    ...(text.length > LONG ? ['This is long: scroll to its end before you decide.', ''] : []),
    entry.kind === 'stdio'
      ? `${origin} wants to run this program with your permissions:`
      : `${origin} wants to call this server:`,
    '',
    text,
    '',
    'You are asked again when any of this changes.',
  ].join('\n');
  const answer = await vscode.window.showWarningMessage(
    `Start the MCP server "${visible(name)}"?`,
    { modal: true, detail },
    { title: START },
    { title: "Don't Start", isCloseAffordance: true },
  );
  return answer?.title === START;
}
