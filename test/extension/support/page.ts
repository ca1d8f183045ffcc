import { send } from './pageChannel.ts';

export { pageAvailable } from './pageChannel.ts';

/**
 * The editor's page, driven from the extension host. Selectors are Playwright's; the first match
 * counts, and every action waits up to 15 seconds for it.
 */
export const page = {
  /** Answers the path of the picture. */
  async screenshot(name: string): Promise<string> {
    return String(await send('screenshot', { name }));
  },
  async click(selector: string): Promise<void> {
    await send('click', { selector });
  },
  async hover(selector: string): Promise<void> {
    await send('hover', { selector });
  },
  /** Puts a text in the place of what an input holds. */
  async fill(selector: string, text: string): Promise<void> {
    await send('fill', { selector, text });
  },
  /** What an input holds. */
  async value(selector: string): Promise<string> {
    return String(await send('value', { selector }));
  },
  /** Presses a key or a combination such as `Control+A`. */
  async press(key: string): Promise<void> {
    await send('press', { key });
  },
  /** The visible text of the first match. */
  async text(selector: string): Promise<string> {
    return String(await send('text', { selector }));
  },
  /** The visible texts of all matches there are at this moment; does not wait. */
  async texts(selector: string): Promise<readonly string[]> {
    return (await send('texts', { selector })) as readonly string[];
  },
  /** Where a page that the editor has opened in the browser led in the end, and what it says there; it is closed. */
  async opened(): Promise<{ readonly url: string; readonly text: string }> {
    return (await send('opened')) as { readonly url: string; readonly text: string };
  },
  async waitFor(selector: string): Promise<void> {
    await send('wait', { selector });
  },
  async waitUntilGone(selector: string): Promise<void> {
    await send('waitGone', { selector });
  },
};

/** The selector of what a screen reader calls this: `byRole('button', 'Respond')`. */
export function byRole(role: string, name: string): string {
  return `role=${role}[name=${JSON.stringify(name)}]`;
}
