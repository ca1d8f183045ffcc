import * as vscode from 'vscode';
import { byRole, page, pageAvailable } from './page.ts';

const dialog = '.monaco-dialog-box';
const quickInput = '.quick-input-widget';

/** Polls until `look` answers something, and answers that. */
export async function waitUntil<T>(
  what: string,
  look: () => T | undefined | Promise<T | undefined>,
  timeout = 20_000,
): Promise<T> {
  const deadline = Date.now() + timeout;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`Waited ${timeout} ms in vain for ${what}`);
    await pause(50);
  }
}

function pause(duration: number): Promise<void> {
  return new Promise((settle) => setTimeout(settle, duration));
}

/** Makes the editor look for servers everywhere and start them, until it has found the one that is meant. */
export async function startServersUntil(isStarted: () => boolean): Promise<void> {
  await waitUntil('the editor to start the server', async () => {
    await startServers();
    return isStarted() || undefined;
  });
}

async function startServers(): Promise<void> {
  void vscode.commands.executeCommand('workbench.mcp.listServer');
  if (pageAvailable) await page.waitFor(quickInput);
  // Nothing an extension can see tells that the list is open, and closed too early it asks nobody.
  else await pause(1500);
  await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
  await vscode.commands.executeCommand('workbench.mcp.startServer', '*', {
    autoTrustChanges: true,
  });
}

/** The editor's tool whose name ends like this, once the editor has it. */
export function waitForTool(ending: string): Promise<vscode.LanguageModelToolInformation> {
  return waitUntil(`the tool ${ending}`, () =>
    vscode.lm.tools.find((tool) => tool.name.endsWith(ending)),
  );
}

/**
 * Calls a tool as an agent does, and agrees when the editor asks whether it may run. The editor restarts its client when a
 * definition has changed, and cuts a call off that comes in that moment: it is then made again, as an agent would.
 */
export async function callTool(name: string, input: object): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await callOnce(name, input);
    } catch (error) {
      if (!isCutOff(error) || attempt === 3) throw error;
    }
  }
}

function isCutOff(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.message === 'Canceled' || error.message.includes('The session ended before');
}

async function callOnce(name: string, input: object): Promise<string> {
  let settled = false;
  const call = vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  const answer = Promise.resolve(call).finally(() => (settled = true));
  answer.catch(() => undefined);
  if (pageAvailable) {
    const asked = await waitUntil('the answer or the question before it', async () => {
      if (settled) return 'answered';
      return (await page.texts(dialog)).some((text) => text.includes('Run ')) ? 'asked' : undefined;
    });
    if (asked === 'asked') await answerDialog('Yes');
  }
  return textOf(await answer);
}

function textOf(result: vscode.LanguageModelToolResult): string {
  return result.content
    .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''))
    .join('');
}

/** The text of the modal dialog that is or will be open. */
export function readDialog(): Promise<string> {
  return page.text(`${dialog} .dialog-message-container`);
}

/** Presses a button of the modal dialog and waits until it is gone. */
export async function answerDialog(button: string): Promise<void> {
  await page.click(`${dialog} >> ${byRole('button', button)}`);
  await page.waitUntilGone(dialog);
}

/** Presses a button of the notification with this text, whether it is still shown or not. */
export async function answerNotification(text: string, button: string): Promise<void> {
  const item = `.notification-list-item:has-text(${JSON.stringify(text)})`;
  await vscode.commands.executeCommand('notifications.showList');
  await page.click(`.notifications-center ${item} >> ${byRole('button', button)}`);
  await vscode.commands.executeCommand('notifications.hideList');
}

/** Writes an answer into the quick input that asks for `title`. */
export async function answerQuickInput(title: string, text: string): Promise<void> {
  await page.fill(inputOf(title), text);
  await acceptQuickInput(title, text);
}

/** Accepts what the quick input that asks for `title` suggests, once it does: a file dialog needs a while to. */
export async function acceptQuickInput(title: string, text: string): Promise<void> {
  const input = inputOf(title);
  await waitUntil(`${JSON.stringify(text)} in the quick input`, async () =>
    (await page.value(input)) === text ? true : undefined,
  );
  await page.press('Enter');
}

function inputOf(title: string): string {
  return `${quickInput}:has-text(${JSON.stringify(title)}) >> .quick-input-box input`;
}

/** Picks a row of the quick input that asks for `title`. */
export async function pickQuickInput(title: string, row: string): Promise<void> {
  const widget = `${quickInput}:has-text(${JSON.stringify(title)})`;
  await page.click(`${widget} >> .monaco-list-row:has-text(${JSON.stringify(row)})`);
}

/** Opens a view and answers the rows it shows: label, then description. */
export async function readTree(viewId: string, viewName: string): Promise<readonly string[]> {
  await vscode.commands.executeCommand(`${viewId}.focus`);
  const rows = `[role=tree][aria-label=${JSON.stringify(viewName)}] .monaco-list-row`;
  await page.waitFor(rows);
  return page.texts(rows);
}

/** Trusts the workspace through the editor's own page and waits for the event. */
export async function grantTrust(): Promise<void> {
  await vscode.commands.executeCommand('workbench.trust.manage');
  await page.click('.workspace-trust-editor >> ' + byRole('button', 'Trust'));
  await waitUntil('the workspace to be trusted', () => vscode.workspace.isTrusted || undefined);
  await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  await page.waitUntilGone('.workspace-trust-editor');
}
