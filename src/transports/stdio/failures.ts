import { accessSync, constants, statSync, type Stats } from 'node:fs';
import { resolve } from 'node:path';
import type { TransportFailure } from '../transport.ts';
import { searchPath } from './environment.ts';

/** What was tried when a server could not be started. */
export interface SpawnAttempt {
  readonly command: string;
  readonly cwd: string | undefined;
  readonly env: NodeJS.ProcessEnv;
}

/** How a server's process ended. */
export interface ServerExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The server had closed its output and was ended for that. */
  readonly closedOutput: boolean;
  readonly lastStderrLine: string | undefined;
}

const SHOWN_FOLDERS = 20;

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

function describeCwd(cwd: string): string | undefined {
  try {
    const stat = statOf(cwd);
    if (stat === undefined)
      return `The server's working directory ${cwd} does not exist. Create it, or change "cwd".`;
    if (!stat.isDirectory())
      return `The server's working directory ${cwd} is not a directory. Change "cwd".`;
    accessSync(cwd, constants.X_OK);
    return undefined;
  } catch {
    // Neither looked at nor entered: the reason is a permission, on the folder or on one above it.
    return `The server's working directory ${cwd} may not be entered. Change its permissions, or "cwd".`;
  }
}

function describeMissing({ command, cwd, env }: SpawnAttempt): string {
  if (/[\\/]/.test(command)) {
    if (command.startsWith('~'))
      return `The command ${command} was not found: "~" is not expanded. Write the whole path.`;
    const path = resolve(cwd ?? '.', command);
    return statOf(path) === undefined
      ? `The command ${path} does not exist. Check the path, or install what is missing.`
      : `The command ${path} exists, but the program named in its first line does not. Install it, or correct that line.`;
  }
  const folders = [...new Set(searchPath(env))];
  const shown = folders.slice(0, SHOWN_FOLDERS).join(', ');
  const more = folders.length - SHOWN_FOLDERS;
  const searched =
    folders.length === 0
      ? 'PATH is empty'
      : `PATH searched: ${shown}${more > 0 ? `, and ${more} more` : ''}`;
  const advice = /\s/.test(command)
    ? 'Put only the program into "command" and each of its arguments into "args".'
    : `Install ${command}, give its absolute path, or add its folder to the PATH of what starts the bridge.`;
  return `The command ${command} was not found. ${searched}. ${advice}`;
}

function describeForbidden({ command, cwd }: SpawnAttempt): string {
  const path = /[\\/]/.test(command) ? resolve(cwd ?? '.', command) : command;
  if (path !== command || path.startsWith('/')) {
    try {
      if (statOf(path)?.isDirectory() === true)
        return `The command ${path} is a directory. Name a program in it.`;
    } catch {
      // A folder on the way may not be looked into; the message below covers that.
    }
  }
  return `The command ${path} may not be executed. Make it executable (chmod +x), or make its interpreter the command and the file the first argument.`;
}

/** Says why a server could not be started and what to do about it. */
export function describeSpawnError(error: unknown, attempt: SpawnAttempt): TransportFailure {
  const { code, message } = error as NodeJS.ErrnoException;
  const cwdProblem = attempt.cwd === undefined ? undefined : describeCwd(attempt.cwd);
  const says = (text: string): TransportFailure => ({ kind: 'spawn-failed', message: text });
  if (cwdProblem !== undefined) return says(cwdProblem);
  if (code === 'ENOENT') return says(describeMissing(attempt));
  if (code === 'EACCES') return says(describeForbidden(attempt));
  return says(`The command ${attempt.command} could not be started: ${message}`);
}

/** Says how a server ended; `inMessage` where it left half a message behind. */
export function describeExit(exit: ServerExit, inMessage: boolean): TransportFailure {
  const how = exit.signal === null ? `with code ${exit.code}` : `on signal ${exit.signal}`;
  let text = `The server exited ${how}`;
  if (inMessage) text = `The server exited in the middle of a message, ${how}`;
  else if (exit.closedOutput) text = 'The server closed its output without exiting, and was ended';
  const last = exit.lastStderrLine;
  return { kind: 'exited', message: last === undefined ? `${text}.` : `${text}: ${last}` };
}
