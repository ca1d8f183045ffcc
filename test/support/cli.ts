import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { startListening, type CommandLine, type Listening } from './childProcess.ts';
import type { LineLog } from './lineLog.ts';

/** The program under test: this build's, unless the environment names another, as an installed one. */
const CLI =
  process.env['MCP_ROSETTA_CLI'] ?? fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));

/** The server behind the bridge. */
export type Target = CommandLine | { readonly url: string };

/** The only server of a configuration file. */
export interface ConfiguredTarget {
  readonly config: string;
}

/** A line of the file of `--report`. */
export interface ReportLine {
  readonly kind: 'report' | 'refusal';
  readonly method: string;
  readonly tool?: string;
  readonly from: string;
  readonly to: string;
  readonly feature: string;
  readonly path: string;
  readonly loss?: string;
}

/** Where one run of the bridge keeps its files; what it remembers of servers and sign-ins stays inside. */
export interface Workspace {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly reportFile: string;
  /** What was reported so far. */
  readonly report: () => ReportLine[];
  remove(): void;
}

export function createWorkspace(): Workspace {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-rosetta-'));
  const reportFile = join(folder, 'report.jsonl');
  return {
    folder,
    environment: {
      XDG_CACHE_HOME: join(folder, 'cache'),
      XDG_STATE_HOME: join(folder, 'state'),
      // Nobody is there to sign in, unless the test plays somebody.
      CI: 'true',
      BROWSER: '',
    },
    reportFile,
    report: () =>
      existsSync(reportFile)
        ? readFileSync(reportFile, 'utf8')
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => JSON.parse(line) as ReportLine)
        : [],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The command line of the built program. */
export function cliCommand(
  command: 'stdio' | 'serve',
  target: Target | ConfiguredTarget,
  flags: readonly string[] = [],
): CommandLine {
  if (!existsSync(CLI)) throw new Error(`${CLI} is missing; build it first: node esbuild.mjs`);
  return { command: process.execPath, args: [CLI, command, ...flags, ...serverArguments(target)] };
}

function serverArguments(target: Target | ConfiguredTarget): readonly string[] {
  if ('url' in target) return ['--url', target.url];
  if ('config' in target) return ['--config', target.config];
  return ['--', target.command, ...target.args];
}

/** Starts a `mcp-rosetta serve`; gives it once it is ready. */
export async function startServe(
  target: Target,
  flags: readonly string[],
  workspace: Workspace,
  log?: LineLog,
): Promise<Listening> {
  return startListening(cliCommand('serve', target, flags), workspace.environment, log);
}
