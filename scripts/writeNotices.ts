import { build } from 'esbuild';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The packages whose code is in the bundles, by the bundler's own account. */
async function bundledPackages(): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: ['src/extension/extension.ts', 'src/cli/main.ts'],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
    external: ['vscode'],
    outdir: 'dist/notices',
    write: false,
    metafile: true,
    logLevel: 'warning',
  });
  const packages = Object.keys(metafile.inputs).flatMap((path) => {
    const found = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path);
    return found?.[1] === undefined ? [] : [found[1]];
  });
  return [...new Set(packages)].sort();
}

function noticeOf(name: string): string {
  const folder = join('node_modules', name);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string;
    license: string;
  };
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text =
    file === undefined
      ? license
      : readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
}

const notices = (await bundledPackages()).map(noticeOf);
const head =
  'MCP Rosetta contains code of the following packages, under the licences given here.\n';
writeFileSync('THIRD_PARTY_NOTICES.txt', [head, ...notices].join(`\n${'-'.repeat(80)}\n\n`));
