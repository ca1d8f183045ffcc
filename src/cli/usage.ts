import { PROGRAMS } from '../config/editors/program.ts';
import { CONCERNS } from '../protocol/concern.ts';
import { READERS } from '../protocol/profile.ts';
import { REVISIONS } from '../protocol/revision.ts';
import { LOG_LEVELS } from './command.ts';
import type { CommandName } from './flags.ts';

/** Text in lines of at most 80 characters, each behind the same margin. */
function wrap(words: readonly string[], margin: string): string {
  const lines: string[] = [];
  let line = margin;
  for (const word of words) {
    if (line !== margin && line.length + 1 + word.length > 80) {
      lines.push(line);
      line = margin;
    }
    line += line === margin ? word : ` ${word}`;
  }
  return [...lines, line].join('\n');
}

const COMMON = `\
  --degrade POLICY    which losses to let happen: strict (none, the default),
                      permissive (all), or the names of features with commas
                      between them
  --revision REV      speak this revision with the server instead of finding out
  --reader NAME       what the client can read: ${READERS.join(' or ')} (default: spec)
  --tasks MODE        what clients of 2025-11-25 see of a newer server's tasks:
                      await (one slow call, the default) or expose
  --report FILE       append one JSON line per change or refusal to FILE
  --record FILE       append every message of both sides to FILE, and what was
                      changed between them; configured secrets are left out
  --log-level LEVEL   ${LOG_LEVELS.join(', ')} (default: warning); to stderr`;

const URL_FLAGS = `\
  --url URL           the server's HTTP address, or its socket (unix:///PATH, or
                      unix:///PATH#/mcp where it speaks HTTP over it); for MCP
                      over ZAP zap+unix:///path or zap+tcp://host:port
  --header 'N: V'     send this header to --url; may be given several times
  --url-env VARIABLE  like --url, with the address in an environment variable
  --header-env N=VARIABLE
                      like --header, with the value in an environment variable
  --type TYPE         http (the default: HTTP+SSE is found out) or sse (nothing
                      but HTTP+SSE, the transport of 2024-11-05)`;

const SIGN_IN_FLAGS = `\
Flags:
  --config FILE       the file that has the server of this name
                      (default: .vscode/mcp-rosetta.json)
  --log-level LEVEL   ${LOG_LEVELS.join(', ')} (default: warning); to stderr`;

const CONFIG_FLAG = `\
  --config FILE       use the server of this name in a file like
                      .vscode/mcp-rosetta.json`;

const NAMES = `\
Revisions, for --revision:
${wrap(REVISIONS.join(', ').split(' '), '  ')}

Features, for --degrade:
${wrap(CONCERNS.join(', ').split(' '), '  ')}`;

const HELP: Readonly<Record<CommandName, string>> = {
  stdio: `\
Serves one server on stdin and stdout, in the revision the client asks for.

Usage:
  mcp-rosetta stdio [flags] -- COMMAND [ARGUMENT...]
  mcp-rosetta stdio [flags] --url URL
  mcp-rosetta stdio [NAME] [flags] --config FILE

Flags:
${CONFIG_FLAG}
${URL_FLAGS}
${COMMON}

${NAMES}

Example, for an editor's list of servers:
  { "command": "mcp-rosetta", "args": ["stdio", "--", "node", "server.js"] }
`,
  serve: `\
Serves Streamable HTTP on 127.0.0.1: one server at /mcp, those of a file at
/NAME/mcp; or one server on a local socket. Prints "listening on URL" (or PATH)
to stderr when ready.

Usage:
  mcp-rosetta serve [flags] -- COMMAND [ARGUMENT...]
  mcp-rosetta serve [flags] --url URL
  mcp-rosetta serve [NAME] [flags] --config FILE
  mcp-rosetta serve [flags] --zap ADDRESS -- COMMAND [ARGUMENT...]

Flags:
  --zap ADDRESS       serve one server over ZAP instead: at zap+unix:///path, a
                      socket of your own, or at zap+tcp://host:port (default
                      127.0.0.1:9655). There is no token, and a client gets
                      answers alone: no progress, logs, changes or questions.
  --port N            the port to listen on (default 0: any free one)
  --token T           demand "Authorization: Bearer T" of every client. Other
                      users of this machine can see T; set the environment
                      variable MCP_ROSETTA_TOKEN instead to keep it from them.
  --sse               serve clients that know only HTTP+SSE (2024-11-05), too:
                      at /sse, or at /NAME/sse
  --hold SECONDS      let no connection to a client of 2025-11-25 stay open
                      longer; it comes back for what is left. For ways on which
                      something else would cut it off.
  --socket PATH       serve one server on a local socket instead of over HTTP;
                      only you can connect to it
  --config FILE       serve every server of a file like
                      .vscode/mcp-rosetta.json, or the one of this name
${URL_FLAGS}
${COMMON}

${NAMES}

Example:
  mcp-rosetta serve --port 8080 -- node server.js
`,
  tools: `\
Lists the tools of a server with their hints.

Usage:
  mcp-rosetta tools [flags] -- COMMAND [ARGUMENT...]
  mcp-rosetta tools [flags] --url URL
  mcp-rosetta tools [NAME] [flags] --config FILE

Flags:
  --json              print JSON instead of a table
  --config FILE       list the tools of every server of a file like
                      .vscode/mcp-rosetta.json, or of the one of this name
${URL_FLAGS}
${COMMON}

${NAMES}

Example:
  mcp-rosetta tools --url http://localhost:3000/mcp
`,
  call: `\
Calls one tool and prints its result. Questions of the server are declined.

Usage:
  mcp-rosetta call TOOL [JSON] [flags] -- COMMAND [ARGUMENT...]
  mcp-rosetta call TOOL [JSON] [flags] --url URL
  mcp-rosetta call [NAME] TOOL [JSON] [flags] --config FILE

JSON is an object, the arguments of the tool; "-" reads it from standard input.
Texts are printed as they are; of an image, a sound or a link, a line says what
it is.

Where the tool failed, its result is printed all the same, a line on stderr says
so, and the exit code is 1. Where the result was refused, or there is none, only
stderr says why.

Flags:
  --json              print the result as JSON, as the server wrote it
${CONFIG_FLAG}
${URL_FLAGS}
${COMMON}

${NAMES}

Example:
  mcp-rosetta call echo '{"text":"hi"}' -- node server.js
`,
  import: `\
Takes servers from the configurations of other programs, and writes them as a
configuration for MCP Rosetta. What cannot be taken over is named on stderr.
Without a source, lists what there is.

Usage:
  mcp-rosetta import
  mcp-rosetta import SOURCE... [--to FILE [--dry-run]]

A SOURCE is a program, with all its files for you and for this folder, or a FILE
of one: ${wrap(PROGRAMS.join(', ').split(' '), '  ').trimStart()}

Values that are asked for (${'${input:…}'}) stay so: VS Code asks, the command line
cannot. Use ${'${env:NAME}'} for what it is to start.

Flags:
  --to FILE           add to FILE instead of printing; what is there stays
  --dry-run           show what would change in FILE

Example:
  mcp-rosetta import cursor --to .vscode/mcp-rosetta.json
`,
  wrap: `\
Rewrites another program's configuration so that each of its servers runs behind
MCP Rosetta. Nothing else in the file changes; unwrap restores it.

Usage:
  mcp-rosetta wrap FILE [--dry-run] [flags]

FILE is the mcp.json of VS Code or Cursor, claude_desktop_config.json, .mcp.json
or ~/.claude.json of Claude Code, mcp_config.json of Windsurf, or settings.json
of Zed. A file that you share, as a repository's .mcp.json, gets paths of this
machine.

Flags:
  --dry-run           show what would change
These are passed on to the bridge:
${COMMON}

${NAMES}

Example:
  mcp-rosetta wrap ~/.cursor/mcp.json --degrade permissive
`,
  unwrap: `\
Takes MCP Rosetta out of a configuration that wrap has rewritten. What has not
been changed since is byte for byte as it was.

Usage:
  mcp-rosetta unwrap FILE [--dry-run]

Flags:
  --dry-run           show what would change

Example:
  mcp-rosetta unwrap ~/.cursor/mcp.json
`,
  login: `\
Signs in to a server by OAuth in the browser, so that the bridge can use it. The
program that the environment variable BROWSER names is started for that, or the
system's own. The sign-in is kept in a file that only you can read.

Usage:
  mcp-rosetta login URL
  mcp-rosetta login NAME [--config FILE]

${SIGN_IN_FLAGS}

Example:
  mcp-rosetta login https://example.com/mcp
`,
  logout: `\
Forgets the sign-in to a server, and tells its authorization server so.

Usage:
  mcp-rosetta logout URL
  mcp-rosetta logout NAME [--config FILE]

${SIGN_IN_FLAGS}

Example:
  mcp-rosetta logout https://example.com/mcp
`,
  replay: `\
Answers a client on stdin and stdout with what a recording holds: a server for
tests that needs nothing else.

Usage:
  mcp-rosetta replay FILE

FILE was written with --record. Each request gets the answer of the next one of
the same method and params.

Example:
  mcp-rosetta stdio --record session.ndjson -- node server.js
  mcp-rosetta replay session.ndjson
`,
  show: `\
Prints a recording: the client's side, the server's side, and what was changed
or refused between them.

Usage:
  mcp-rosetta show FILE

Example:
  mcp-rosetta show session.ndjson
`,
  matrix: `\
Prints how each feature of the protocol crosses the bridge: untouched, lossless
(written otherwise), lossy (only where --degrade allows it) or refused.

Usage:
  mcp-rosetta matrix [--json | --markdown]
  mcp-rosetta matrix FROM TO [--json]

FROM is the revision of the side that says it, TO that of the side that reads
it. Without them, each line is a feature and each column a reader.

Flags:
  --json              print JSON; without FROM and TO, every pair
  --markdown          print the matrix of all revisions in Markdown

Revisions:
${wrap(REVISIONS.join(', ').split(' '), '  ')}

Example:
  mcp-rosetta matrix 2026-07-28 2025-11-25
`,
};

const GENERAL_HELP = `\
Connects clients and servers that speak different revisions of the Model
Context Protocol, and tells what a translation changed or refused.

Usage:
  mcp-rosetta stdio ...   serve one server on stdin and stdout
  mcp-rosetta serve ...   serve one or several servers over HTTP
  mcp-rosetta tools ...   list the tools of a server with their hints
  mcp-rosetta call TOOL JSON ...
                          call a tool
  mcp-rosetta import ..., mcp-rosetta wrap FILE, mcp-rosetta unwrap FILE
                          take over the servers of other programs, or put the
                          bridge into their configurations and out of them
  mcp-rosetta login URL, mcp-rosetta logout URL
                          sign in to a server, or out of it
  mcp-rosetta matrix ...  show what crosses between two revisions, and how
  mcp-rosetta replay FILE, mcp-rosetta show FILE
                          answer a client from a recording, or read it
  mcp-rosetta help COMMAND, or mcp-rosetta COMMAND --help
  mcp-rosetta --version

The server comes last, after "--", and no shell touches its arguments:
  mcp-rosetta stdio -- node server.js --verbose
or it is reached at an address:
  mcp-rosetta stdio --url http://localhost:3000/mcp

Exit codes:
  0    done
  1    the server could not be started, reached or signed in to; a file could
       not be read or written; a tool failed or its result was refused (call)
  2    wrong command line
  130  ended by Ctrl-C
  129, 143
       ended by another signal (SIGHUP, SIGTERM); of stdio and serve, which are
       ended like that, 0
`;

/** The help of a command, or of the whole program; it ends with a line break. */
export function helpText(command?: CommandName): string {
  return command === undefined ? GENERAL_HELP : HELP[command];
}
