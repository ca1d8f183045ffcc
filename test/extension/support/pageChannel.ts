/** Speaks to the launcher that drives the page of the editor's browser build. */
const address = process.env['EDITOR_PAGE'];

/** False in a desktop editor, where nothing drives the window from outside. */
export const pageAvailable = address !== undefined;

/** Asks the launcher for one action; rejects with its message when the action fails. */
export async function send(
  action: string,
  parameters: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  if (!address) {
    throw new Error('The page can be driven only in the browser build of the editor.');
  }
  const body = JSON.stringify(parameters);
  const answer = await fetch(`${address}/${action}`, { method: 'POST', body });
  const result = (await answer.json()) as { readonly value?: unknown; readonly error?: string };
  if (result.error !== undefined) {
    throw new Error(`${action} ${body} failed: ${result.error}`);
  }
  return result.value;
}

/** Tells the launcher that a test run begins; answers how many have begun so far. */
export async function startTests(): Promise<number> {
  return Number(await send('start'));
}

let printed: Promise<unknown> = Promise.resolve();

/** Prints one line on the launcher's console, in the order of the calls. */
export function logLine(line: string): void {
  printed = printed.then(() => send('log', { line }));
}

/** Ends the run with this exit code, after the last line is printed. */
export async function exitTests(code: number): Promise<void> {
  await printed;
  await send('exit', { code: String(code) });
}
