import type { Reader } from '../protocol/profile.ts';
import type { ZapAddress } from '../protocol/zap/address.ts';
import type { RawJson } from '../protocol/rawJson.ts';
import type { Revision } from '../protocol/revision.ts';
import type { DegradePolicy } from '../translate/policy.ts';
import type { TaskMode } from '../translate/tasks/taskMode.ts';

/** How much the program says of its own doings, on stderr. */
export const LOG_LEVELS = ['debug', 'info', 'warning', 'error'] as const;

/** One of `LOG_LEVELS`; it lets through what is at least as grave. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** One server given on the command line. */
type ServerTarget =
  | { readonly kind: 'command'; readonly command: string; readonly args: readonly string[] }
  | {
      readonly kind: 'url';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      /** The address is known to be that of an event stream of HTTP+SSE. */
      readonly isSse?: true;
    };

/** One server, or those of a configuration file: the one of this name, or all. */
export type Target = ServerTarget | ConfigTarget;

/** The servers of a configuration file. */
export interface ConfigTarget {
  readonly kind: 'config';
  readonly file: string;
  readonly name?: string;
  /** Nobody has named the file. */
  readonly isAssumed?: boolean;
}

/** What every command takes. */
export interface CommonOptions {
  readonly policy: DegradePolicy;
  /** The revision to speak with the server, instead of the one found out. */
  readonly revision?: Revision;
  readonly reader?: Reader;
  readonly tasks?: TaskMode;
  /** The file that gets one JSON line per report or refusal. */
  readonly reportFile?: string;
  /** The file that gets every message of both legs. */
  readonly recordFile?: string;
  readonly logLevel: LogLevel;
}

/** What of the matrix of features is wanted, and how it is printed. */
export interface MatrixRequest {
  /** Who writes and who reads; absent: everyone. */
  readonly pair?: { readonly from: Revision; readonly to: Revision };
  /** `markdown` is the whole matrix as a document shows it. */
  readonly format: 'text' | 'json' | 'markdown';
}

/** What a tool is called with. */
export type CallInput =
  | { readonly kind: 'given'; readonly raw: RawJson }
  /** What standard input holds. */
  | { readonly kind: 'stdin' };

/** Where `serve` listens. */
export type Listen =
  | {
      readonly kind: 'http';
      /** 0: any free port. */
      readonly port: number;
      /** Whether clients of HTTP+SSE are served, too. */
      readonly sse: boolean;
      /** How long a connection is held before its client is left to come back for the rest; absent: for ever. */
      readonly holdMs?: number;
      readonly token?: string;
    }
  /** A local socket, which one server alone can have. */
  | { readonly kind: 'socket'; readonly path: string }
  /** MCP over ZAP, of one server too. */
  | { readonly kind: 'zap'; readonly address: ZapAddress };

/** What the command line asks for. `usage`: it cannot be understood, and the message is the one line to print. */
export type CliCommand =
  | { readonly kind: 'stdio'; readonly target: Target; readonly options: CommonOptions }
  | {
      readonly kind: 'serve';
      readonly target: Target;
      readonly options: CommonOptions;
      readonly listen: Listen;
    }
  | {
      readonly kind: 'tools';
      readonly target: Target;
      readonly options: CommonOptions;
      readonly json: boolean;
    }
  | {
      readonly kind: 'call';
      readonly target: Target;
      readonly options: CommonOptions;
      readonly tool: string;
      readonly input: CallInput;
      readonly json: boolean;
    }
  /** A source is a program's name or a file; none: all are listed. */
  | {
      readonly kind: 'import';
      readonly sources: readonly string[];
      readonly to?: string;
      readonly dryRun: boolean;
    }
  /** `flags` are those of `stdio`, for whoever reads the file. */
  | {
      readonly kind: 'wrap';
      readonly file: string;
      readonly flags: readonly string[];
      readonly dryRun: boolean;
    }
  | { readonly kind: 'unwrap'; readonly file: string; readonly dryRun: boolean }
  /** To sign in to a server, or to forget that one did. */
  | { readonly kind: 'login' | 'logout'; readonly target: Target; readonly options: CommonOptions }
  | ({ readonly kind: 'matrix' } & MatrixRequest)
  /** `file` is a recording. */
  | { readonly kind: 'replay' | 'show'; readonly file: string }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'version' }
  | { readonly kind: 'usage'; readonly message: string };
