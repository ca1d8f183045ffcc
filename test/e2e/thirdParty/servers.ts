import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { findChromium } from '../../../scripts/editor/findChromium.ts';
import type { CommandLine } from '../../support/childProcess.ts';

/** `rooted` is the file system's again, which is told its folder by its client alone. */
export type ServerName =
  'everything' | 'filesystem' | 'rooted' | 'memory' | 'playwright' | 'devtools';

/** The servers as they are published, and what their calls find: a folder and a page of this machine. */
export interface Surroundings {
  readonly folder: string;
  readonly page: string;
  /** What keeps the servers from asking the network for anything, and their files in the folder. */
  readonly env: Readonly<Record<string, string>>;
  command(server: ServerName): CommandLine;
  close(): Promise<void>;
}

const require = createRequire(import.meta.url);

/** The first program of the package with this manifest. */
function programOf(manifest: string): string {
  const { bin } = require(manifest) as { readonly bin: Readonly<Record<string, string>> };
  const [path] = Object.values(bin);
  if (path === undefined) throw new Error(`There is no program in ${manifest}`);
  return join(dirname(manifest), path);
}

export async function startSurroundings(): Promise<Surroundings> {
  const folder = mkdtempSync(join(tmpdir(), 'third-party-'));
  writeFileSync(join(folder, 'note.txt'), 'What the file says.\n');
  const site = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<title>A page</title><h1>What the page says</h1>');
  });
  await new Promise<void>((ready) => site.listen(0, '127.0.0.1', ready));
  const { port } = site.address() as AddressInfo;

  const browser = findChromium();
  const filesystem = programOf(
    require.resolve('@modelcontextprotocol/server-filesystem/package.json'),
  );
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
  const commands: Readonly<Record<ServerName, readonly string[]>> = {
    everything: [
      programOf(require.resolve('@modelcontextprotocol/server-everything/package.json')),
      'stdio',
    ],
    filesystem: [filesystem, folder],
    rooted: [filesystem],
    memory: [programOf(require.resolve('@modelcontextprotocol/server-memory/package.json'))],
    playwright: [
      programOf(require.resolve('@playwright/mcp/package.json')),
      ...['--headless', '--isolated', '--no-sandbox', '--output-dir', folder],
      ...['--executable-path', browser],
    ],
    devtools: [
      programOf(require.resolve('chrome-devtools-mcp/package.json')),
      ...['--headless', '--isolated', '--executablePath', browser],
      ...['--no-usage-statistics', '--no-performance-crux'],
      ...['--no-sandbox', ...quiet].map((argument) => `--chromeArg=${argument}`),
    ],
  };
  return {
    folder,
    page: `http://127.0.0.1:${port}/`,
    env: {
      HOME: folder,
      CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS: '1',
    },
    command: (server) => ({ command: process.execPath, args: [...commands[server]] }),
    close: async () => {
      site.closeAllConnections();
      await new Promise((closed) => site.close(closed));
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
