import { chmodSync } from 'node:fs';
import { build } from 'esbuild';

const common = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  minify: true,
  sourcemap: 'linked',
  // jsonc-parser's main is UMD, which no bundler can follow.
  mainFields: ['module', 'main'],
  keepNames: true,
  logLevel: 'warning',
};

await Promise.all([
  build({
    ...common,
    entryPoints: ['src/extension/extension.ts'],
    outfile: 'dist/extension.cjs',
    external: ['vscode'],
  }),
  // Nothing is external here: an import of `vscode` that reaches the command line fails the build.
  build({
    ...common,
    entryPoints: ['src/cli/main.ts'],
    outfile: 'dist/cli.cjs',
    banner: { js: '#!/usr/bin/env node' },
  }),
]);
chmodSync('dist/cli.cjs', 0o755);
