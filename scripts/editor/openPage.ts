import { chromium, type Browser, type Page } from 'playwright-core';
import { findChromium } from './findChromium.ts';
import type { Editor } from './launchEditor.ts';

/** Opens the editor in a headless browser; the caller closes the browser. */
export async function openPage(
  editor: Pick<Editor, 'url'>,
): Promise<{ readonly browser: Browser; readonly page: Page }> {
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, locale: 'en-US' });
    await page.goto(editor.url, { timeout: 60_000 });
    await page.waitForSelector('.monaco-workbench', { timeout: 60_000 });
    return { browser, page };
  } catch (error) {
    await browser.close();
    throw error;
  }
}
