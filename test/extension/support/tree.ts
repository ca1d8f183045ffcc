import { page } from './page.ts';
import { readTree, waitUntil } from './workbench.ts';

const VIEW = 'mcpRosetta.servers';
const NAME = 'Servers';
const TREE = `[role=tree][aria-label="${NAME}"]`;
const row = (text: string): string => `${TREE} .monaco-list-row:has-text(${JSON.stringify(text)})`;

/** The rows of the tree that are in sight, each on one line: label, then description. */
export async function readRows(): Promise<readonly string[]> {
  const count = (await readTree(VIEW, NAME)).length;
  const rows: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const parts = [];
    for (const part of ['label-name', 'label-description']) {
      parts.push(...(await page.texts(`${TREE} .monaco-list-row[data-index="${index}"] .${part}`)));
    }
    rows.push(parts.join(' ').replaceAll(/\s+/g, ' ').trim());
  }
  return rows;
}

/** Waits until the tree has a row of which this is a part, and is drawn to the end; answers all rows. */
export function waitForRow(part: string): Promise<readonly string[]> {
  let before: string | undefined;
  return waitUntil(`the row ${part}`, async () => {
    const rows = await readRows();
    const now = rows.join('\n');
    const isDrawn = now === before;
    before = now;
    return isDrawn && rows.some((text) => text.includes(part)) ? rows : undefined;
  });
}

/** Opens or closes a row. */
export async function toggleRow(text: string): Promise<void> {
  await page.click(`${row(text)} >> .monaco-tl-twistie`);
}

/** Clicks a row. */
export async function clickRow(text: string): Promise<void> {
  await page.click(`${row(text)} >> .label-name`);
}

/** Clicks a button that a row shows while the pointer is on it. */
export async function clickRowButton(text: string, button: string): Promise<void> {
  await page.hover(row(text));
  await page.click(`${row(text)} >> [aria-label=${JSON.stringify(button)}]`);
}
