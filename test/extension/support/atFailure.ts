import type { Suite } from 'mocha';
import { page, pageAvailable } from './page.ts';

/** What a person would look at first, by its selector. */
const places = {
  dialog: '.monaco-dialog-box .dialog-message-container',
  'quick input': '.quick-input-widget:visible',
  notification: '.notification-list-item-message',
  row: '[role=tree][aria-label="Servers"] .monaco-list-row',
};

/** Lets every test that fails leave a picture of the page, and say what was on it, before anything is cleared away. */
export function showPageAtFailure(suite: Suite): void {
  if (!pageAvailable) return;
  let pictures = 0;
  suite.eachTest((test) => {
    const { fn } = test;
    if (fn === undefined) return;
    test.fn = async function (this: Mocha.Context) {
      try {
        await (fn as Mocha.AsyncFunc).call(this);
      } catch (error) {
        pictures += 1;
        const seen = await describePage(`failed-${pictures}`).catch(String);
        // Whatever waits for an answer would stand in the way of all that follows.
        await page.press('Escape').catch(() => undefined);
        if (error instanceof Error) error.stack += `\n${seen}`;
        throw error;
      }
    };
  });
}

async function describePage(picture: string): Promise<string> {
  const lines = [`  picture: ${await page.screenshot(picture)}`];
  for (const [place, selector] of Object.entries(places)) {
    for (const text of await page.texts(selector)) {
      lines.push(`  ${place}: ${text.replaceAll(/\s+/g, ' ').trim().slice(0, 200)}`);
    }
  }
  return lines.join('\n');
}
