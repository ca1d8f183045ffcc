import spawn from 'cross-spawn';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { launchEditor } from './launchEditor.ts';
import { editorFolder, repositoryRoot } from './paths.ts';
import { exitOnSignals } from './processTree.ts';

const examples = join(repositoryRoot, 'examples');

exitOnSignals(0);
endWithParent();
try {
  const { port, browser } = readFlags();
  const desktop = browser || port ? undefined : findDesktop();
  if (desktop) await openDesktop(desktop);
  else await serveEditor(port ?? '8640-8699');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

function readFlags(): { port?: string | undefined; browser: boolean } {
  const { values } = parseArgs({
    options: { port: { type: 'string' }, browser: { type: 'boolean', default: false } },
  });
  if (values.port !== undefined && !/^\d{1,5}(-\d{1,5})?$/.test(values.port)) {
    throw new Error(`--port takes a port or a range such as 8640-8699, not "${values.port}".`);
  }
  return values;
}

/** A signal to npm reaches npm alone; whoever is left without a parent ends as if it had been meant. */
function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}

function findDesktop(): string | undefined {
  const named = process.env['VSCODE_EXECUTABLE_PATH'];
  if (named) return named;
  const name = process.platform === 'win32' ? 'code.cmd' : 'code';
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function openDesktop(executable: string): Promise<void> {
  console.log(`Opening ${executable} with MCP Rosetta and the folder ${examples}`);
  console.log('(npm start -- --browser uses the browser build instead.)');
  const parameters = [`--extensionDevelopmentPath=${repositoryRoot}`, examples];
  return new Promise((resolve, reject) => {
    const child = spawn(executable, parameters, { stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', (code) => {
      process.exitCode = code ?? 1;
      resolve();
    });
  });
}

/**
 * Workspace trust stays on: the question whether to trust the folder is part of what a user of the
 * extension meets, and answering it once starts the examples.
 */
async function serveEditor(port: string): Promise<void> {
  await mkdir(editorFolder, { recursive: true });
  const logFile = join(editorFolder, 'start.log');
  const editor = await launchEditor({
    workspace: examples,
    extensions: [repositoryRoot],
    workspaceTrust: true,
    settings: { 'security.workspace.trust.startupPrompt': 'once' },
    port,
    logFile,
  });
  console.log(`\nVS Code with MCP Rosetta is ready. Open this address in a browser:\n`);
  console.log(`  ${editor.url}\n`);
  console.log('Trust the folder when asked. Ctrl-C ends the editor and every server it started.');
  await editor.ended;
  await editor.close();
  throw new Error(`The editor ended by itself; see ${logFile}`);
}
