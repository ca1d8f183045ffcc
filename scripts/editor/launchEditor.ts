import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { installEditor } from './installEditor.ts';
import { endProcessTree, killProcessTree } from './processTree.ts';

export interface EditorOptions {
  /** The folder to open; the caller copies it first when it must stay as it is. */
  readonly workspace: string;
  /** Extension folders to install as links, so that what was built last is what runs. */
  readonly extensions?: readonly string[];
  /** Packaged extensions to install. */
  readonly packages?: readonly string[];
  /** False lets every folder count as trusted. */
  readonly workspaceTrust: boolean;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Added to the environment of the server and so of the extension host. */
  readonly environment?: Readonly<Record<string, string>>;
  /** A port or a range such as `8100-8199`; a free one when absent. */
  readonly port?: string;
  /** Receives what the server prints. */
  readonly logFile: string;
}

export interface Editor {
  /** Opens the workspace; holds the secret without which the server answers nobody. */
  readonly url: string;
  /** Settles when the server process ends for whatever reason. */
  readonly ended: Promise<void>;
  /** Ends the server with everything it started and removes its data. */
  close(): Promise<void>;
}

/** Starts a VS Code server with data folders of its own and waits until it listens. */
export async function launchEditor(options: EditorOptions): Promise<Editor> {
  const server = await installEditor();
  const data = await mkdtemp(join(tmpdir(), 'editor-'));
  const removeData = (): void => rmSync(data, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', removeData);
  try {
    const places = ['--user-data-dir', data, '--server-data-dir', data];
    places.push('--extensions-dir', join(data, 'extensions'));
    await writeData(data, options);
    for (const file of options.packages ?? []) {
      await installPackage(server, [...places, '--install-extension', resolve(file), '--force']);
    }
    const token = randomUUID();
    const child = spawn(
      process.execPath,
      [
        join(server, 'out', 'server-main.js'),
        ...places,
        ...['--host', '127.0.0.1', '--port', options.port ?? '0', '--connection-token', token],
        ...['--accept-server-license-terms', '--telemetry-level', 'off'],
        ...(options.workspaceTrust ? [] : ['--disable-workspace-trust']),
      ],
      {
        cwd: server,
        detached: true,
        // Its sockets, too, go with its data.
        env: { ...process.env, XDG_RUNTIME_DIR: data, ...options.environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const ended = new Promise<void>((settle) => child.once('close', () => settle()));
    const kill = (): void => killProcessTree(child.pid ?? 0);
    if (child.pid) process.prependOnceListener('exit', kill);
    const close = async (): Promise<void> => {
      if (child.pid) await endProcessTree(child.pid);
      process.off('exit', kill);
      process.off('exit', removeData);
      await rm(data, { recursive: true, force: true, maxRetries: 5 });
    };
    const address = await waitForAddress(child, options.logFile).catch(async (error: unknown) => {
      await close();
      throw error;
    });
    const folder = `vscode-remote://${address}${resolve(options.workspace)}`;
    return { url: `http://${address}/?tkn=${token}&folder=${encodeURI(folder)}`, ended, close };
  } catch (error) {
    removeData();
    throw error;
  }
}

async function writeData(data: string, options: EditorOptions): Promise<void> {
  await mkdir(join(data, 'User'));
  await mkdir(join(data, 'extensions'));
  const settings = {
    'extensions.autoCheckUpdates': false,
    'extensions.autoUpdate': false,
    'telemetry.telemetryLevel': 'off',
    'workbench.startupEditor': 'none',
    'workbench.secondarySideBar.defaultVisibility': 'hidden',
    ...options.settings,
  };
  await writeFile(join(data, 'User', 'settings.json'), JSON.stringify(settings));
  for (const folder of options.extensions ?? []) {
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
    const name = `${manifest.publisher}.${manifest.name}-${manifest.version}`;
    await symlink(resolve(folder), join(data, 'extensions', name), 'junction');
  }
}

interface Manifest {
  readonly publisher: string;
  readonly name: string;
  readonly version: string;
}

function installPackage(server: string, parameters: readonly string[]): Promise<void> {
  const child = spawn(
    process.execPath,
    [join(server, 'out', 'server-main.js'), '--accept-server-license-terms', ...parameters],
    { cwd: server, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((settle, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) settle();
      else reject(new Error(`The extension could not be installed:\n${output.trim()}`));
    });
  });
}

function waitForAddress(child: ChildProcess, logFile: string): Promise<string> {
  const log = createWriteStream(logFile);
  child.stderr?.pipe(log, { end: false });
  child.stdout?.pipe(log, { end: false });
  child.once('close', () => log.end());
  let output = '';
  return new Promise((settle, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const port = /Extension host agent listening on (\d+)/.exec(output)?.[1];
      if (port) settle(`127.0.0.1:${port}`);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      // It says so and goes on doing nothing.
      const port = /EADDRINUSE.*?:(\d+)$/m.exec(chunk.toString())?.[1];
      if (port) reject(new Error(`Something listens on port ${port} already; choose another.`));
    });
    child.once('error', reject);
    child.once('close', (code) =>
      reject(new Error(`The editor ended with code ${code} before it listened; see ${logFile}`)),
    );
  });
}
