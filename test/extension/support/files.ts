import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The files of a run in which one of these texts stands, without the extensions, whose code holds what tests look for. */
export function filesWith(texts: string | readonly string[], folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !relative(folder, file).startsWith('extensions'))
    .filter((file) => {
      const content = readFileSync(file);
      return [texts].flat().some((text) => content.includes(text));
    });
}
