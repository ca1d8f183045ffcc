import { chmodSync } from 'node:fs';
import { build } from 'esbuild';

const common = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  minify: true,
  sourcemap: 'linked',
  // jsonc-parser's main is UMD, which no bundler can follow.
  mainFields: ['module', 'main'],
  keepNames: true,
  logLevel: 'warning',
};

/** The OAuth client is large and seldom needed: it stays out of what is read at every start. */
const oauthApart = {
  name: 'oauth-apart',
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/oauth\/oauth\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './oauth.cjs', external: true } : undefined,
    );
  },
};

/** What an older Node would stumble over later, and without saying why. The syntax is that of any Node. */
const refuseOldNode = `(function () {
  var own = process.versions.node.split('.').map(Number);
  if (own[0] > 20 || (own[0] === 20 && own[1] >= 18)) return;
  process.stderr.write('mcp-rosetta: This is Node ' + process.versions.node + '; Node 20.18 or newer is needed.\\n');
  process.exit(1);
})();`;

await Promise.all([
  build({
    ...common,
    entryPoints: ['src/transports/authorization/oauth/oauth.ts'],
    outfile: 'dist/oauth.cjs',
  }),
  build({
    ...common,
    entryPoints: ['src/extension/extension.ts'],
    outfile: 'dist/extension.cjs',
    external: ['vscode'],
    plugins: [oauthApart],
  }),
  // Nothing is external here: an import of `vscode` that reaches the command line fails the build.
  build({
    ...common,
    entryPoints: ['src/cli/main.ts'],
    outfile: 'dist/cli.cjs',
    plugins: [oauthApart],
    banner: { js: `#!/usr/bin/env node\n${refuseOldNode}` },
  }),
]);
chmodSync('dist/cli.cjs', 0o755);
