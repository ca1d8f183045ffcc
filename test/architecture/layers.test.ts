import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const layers = JSON.parse(readFileSync(join(root, 'layers.json'), 'utf8')) as Record<
  string,
  string[]
>;

const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => join('src', file));

/** What a file imports, by value or by type, statically or dynamically. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const pattern = /(?:\bfrom\s*|\bimport\s*\(?\s*)'([^']+)'/g;
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '');
}

function layerOf(path: string): string {
  return path.split('/')[1] ?? '';
}

describe('the layers', () => {
  test('name every folder of src, and no other', () => {
    const folders = new Set(files.map(layerOf));
    expect([...folders].sort()).toEqual(Object.keys(layers).sort());
  });

  test('hold for every import, types included', () => {
    const broken: string[] = [];
    for (const file of files) {
      const layer = layerOf(file);
      const allowed = new Set([layer, ...(layers[layer] ?? [])]);
      for (const specifier of importsOf(file)) {
        if (specifier === 'vscode' && !allowed.has('vscode')) broken.push(`${file}: vscode`);
        if (!specifier.startsWith('.')) continue;
        const target = relative(root, resolve(root, dirname(file), specifier));
        // package.json gives the version.
        if (target.startsWith('src/') && !allowed.has(layerOf(target))) {
          broken.push(`${file}: ${target}`);
        }
      }
    }
    expect(broken).toEqual([]);
  });

  test('know no cycle of files, types included', () => {
    const graph = new Map(
      files.map((file) => [
        file,
        importsOf(file)
          .filter((specifier) => specifier.startsWith('.'))
          .map((specifier) => relative(root, resolve(root, dirname(file), specifier)))
          .filter((target) => target.startsWith('src/')),
      ]),
    );
    expect(cycleIn(graph)).toEqual([]);
  });

  test('are not weakened by switching the rule off', () => {
    const weakened = files.filter((file) =>
      /eslint-disable|@ts-(ignore|expect-error|nocheck)/.test(
        readFileSync(join(root, file), 'utf8'),
      ),
    );
    expect(weakened).toEqual([]);
  });
});

/** One cycle of imports, or nothing. */
function cycleIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): string[] | undefined => {
    if (done.has(file)) return undefined;
    const at = path.indexOf(file);
    if (at >= 0) return [...path.slice(at), file];
    path.push(file);
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next);
      if (cycle !== undefined) return cycle;
    }
    path.pop();
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const cycle = visit(file);
    if (cycle !== undefined) return cycle;
  }
  return [];
}
