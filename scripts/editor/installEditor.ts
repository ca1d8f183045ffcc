import spawn from 'cross-spawn';
import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { editorFolder } from './paths.ts';

const version = '4.139.1';
const installed = join(editorFolder, `vscode-server-${version}`);

/**
 * The folder of a VS Code server, installed on the first call. An interrupted install leaves only
 * a temporary folder, which the next one removes; two at the same time do not disturb each other.
 */
export async function installEditor(): Promise<string> {
  if (existsSync(installed)) return installed;
  if (Number.parseInt(process.versions.node, 10) < 24) {
    throw new Error(`The browser build of VS Code needs Node 24; this is ${process.versions.node}`);
  }
  console.log(`Installing the browser build of VS Code into ${installed} (once, about 600 MB) ...`);
  await mkdir(editorFolder, { recursive: true });
  await removeAbandoned();
  const temporary = join(editorFolder, `install-${process.pid}`);
  await rm(temporary, { recursive: true, force: true });
  try {
    await mkdir(temporary);
    await writeFile(join(temporary, 'package.json'), '{ "private": true }\n');
    // Scripts would compile native modules; the editor works without them.
    await runNpm(temporary, ['--no-save', `code-server@${version}`]);
    const server = join(temporary, 'node_modules', 'code-server', 'lib', 'vscode');
    await runNpm(server, ['--omit=dev']);
    await copyFile(
      join(import.meta.dirname, 'spdlogInJavaScript.cjs'),
      join(server, 'node_modules', '@vscode', 'spdlog', 'index.js'),
    );
    await rename(server, installed).catch((error: unknown) => {
      if (!existsSync(installed)) throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true, maxRetries: 5 });
  }
  return installed;
}

function runNpm(folder: string, parameters: readonly string[]): Promise<void> {
  const all = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  return new Promise((resolve, reject) => {
    const child = spawn('npm', [...all, ...parameters], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const keep = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.on('error', (cause) => reject(new Error('npm could not be started', { cause })));
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`The editor could not be installed; npm said:\n${output.trim()}`));
    });
  });
}

async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(editorFolder)) {
    const owner = /^install-(\d+)$/.exec(name)?.[1];
    if (!owner || isRunning(Number(owner))) continue;
    await rm(join(editorFolder, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}

if (import.meta.main) console.log(await installEditor());
