import * as vscode from 'vscode';
import { visible } from '../base/visibleText.ts';
import { PRODUCT } from './contributions.ts';
import type { ManagedServer } from './servers/managedServer.ts';
import type { ServerRegistry } from './servers/serverRegistry.ts';
import { serverOf } from './tree/node.ts';

/** The server that a command is about: that of the row it was chosen at, else one of those that fit, as the user says. */
export async function chooseServer(
  registry: ServerRegistry,
  row: unknown,
  title: string,
  fits: (server: ManagedServer) => boolean,
): Promise<ManagedServer | undefined> {
  const server = serverOf(row);
  if (server !== undefined) return server;
  const items = registry.servers
    .filter(fits)
    .map((each) => ({ label: visible(each.name), server: each }));
  if (items.length === 0) {
    void vscode.window.showInformationMessage(`${PRODUCT}: there is no such server.`);
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(items, { title });
  return picked?.server;
}
