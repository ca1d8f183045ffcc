import * as z from 'zod/mini';
import { READERS } from '../protocol/profile.ts';
import { REVISIONS, isLegacyRevision } from '../protocol/revision.ts';
import { TASK_MODES } from '../translate/tasks/taskMode.ts';
import { describeHttpProblem, describeUrlProblem } from './serverUrl.ts';
import { describeSocketProblem } from './socketUrl.ts';

/** What the JSON Schema for the editor says about a member beyond its type. */
export type MemberDocs = Readonly<Record<string, unknown>>;

/** The documentation of every schema of this file, for the JSON Schema made from them. */
export const memberDocs = z.registry<MemberDocs>();

/** Later timers fire at once instead: the delay of a JavaScript timer is a signed 32-bit number. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

// The `error` texts are predicates: the name of the member comes before them, a full stop after.
const STRING = 'must be a string';
const NO_NUL = 'holds a NUL character, which cannot be passed on; remove it';

function documented<T extends z.core.$ZodType>(
  schema: T,
  markdownDescription: string,
  more: MemberDocs = {},
): T {
  memberDocs.add(schema, { markdownDescription, ...more });
  return schema;
}

function text(): z.ZodMiniString {
  return z.string(STRING).check(z.refine((value) => !value.includes('\0'), NO_NUL));
}

function filledText(): z.ZodMiniString {
  return text().check(z.minLength(1, 'must not be empty'));
}

/** A text in which a control character can only be a backslash that was not written twice. */
function path(): z.ZodMiniString {
  return filledText().check(
    z.refine(
      (value) => !/[\t\n\r\b\f\v]/.test(value),
      'holds a control character; a backslash is written twice, as in "C:\\\\Tools"',
    ),
  );
}

function milliseconds(markdownDescription: string): z.ZodMiniOptional<z.ZodMiniNumberFormat> {
  return z.optional(
    documented(
      z
        .int('must be a whole number of milliseconds')
        .check(
          z.positive('must be greater than 0 (milliseconds)'),
          z.maximum(
            LONGEST_TIMER_MS,
            `must be at most ${LONGEST_TIMER_MS} (milliseconds, 24 days)`,
          ),
        ),
      markdownDescription,
    ),
  );
}

const envValue = z.union(
  [
    text(),
    z.number().check(
      // A number this big has lost digits by the time it is read.
      z.refine(
        (value) => !Number.isInteger(value) || Number.isSafeInteger(value),
        'is too big for a number; write it in quotes',
      ),
    ),
    z.null(),
  ],
  'must be a string, a number or null',
);

/** The members of `timeouts`. */
export const timeouts = z.strictObject(
  {
    probeMs: milliseconds(
      'How long the server may take to answer the question which revision it speaks.',
    ),
    startMs: milliseconds('How long the server may take to start, until its first answer.'),
    requestMs: milliseconds(
      'How long one request may take without an answer or a sign of progress.',
    ),
    maxRequestMs: milliseconds('How long one request may take even while progress is reported.'),
  },
  'must be an object, such as { "startMs": 60000 }',
);

const bridgeMembers = {
  revision: z.optional(
    documented(
      z.enum(REVISIONS, `must be one of ${REVISIONS.join(', ')}`),
      'The protocol revision to speak with this server. Leave it out to let the bridge find out.',
    ),
  ),
  timeouts: z.optional(documented(timeouts, 'Time limits for this server, in milliseconds.')),
  reader: z.optional(
    documented(
      z.enum(READERS, `must be one of ${READERS.join(', ')}`),
      'What the client of this server can read: `spec` (whatever its revision allows) or `vscode` ' +
        '(what VS Code itself accepts). Leave it out to let the bridge choose.',
    ),
  ),
  tasks: z.optional(
    documented(
      z.enum(TASK_MODES, `must be one of ${TASK_MODES.join(', ')}`),
      'What clients of 2025-11-25 see of the tasks of a newer server: `await` (one slow call) or `expose` ' +
        '(tasks of their own revision, for clients that ask for them). Default: `await`.',
    ),
  ),
  disabled: z.optional(
    documented(
      z.boolean('must be true or false'),
      'Keeps the entry but leaves the server alone when `true`.',
    ),
  ),
};

/** A server that is a program to start, as written in the file. */
export const stdioEntry = documented(
  z.strictObject({
    type: z.optional(documented(z.literal('stdio'), 'The server is a program to start.')),
    command: documented(path(), 'The program to start: its name or its path. No shell runs.'),
    args: z.optional(
      documented(
        z.array(text(), 'must be a list of strings, such as ["--port", "80"]'),
        'The arguments of the program, one item each. Variables are replaced within each item.',
      ),
    ),
    env: z.optional(
      documented(
        z.record(
          z
            .string()
            .check(
              z.regex(
                /^[^=\0]+$/,
                'cannot name a variable: it is empty or holds "=" or a NUL character',
              ),
            ),
          envValue,
          'must be an object, such as { "API_KEY": "${input:api-key}" }',
        ),
        'Environment variables for the program. `null` removes one. Use `${input:id}` for secrets.',
      ),
    ),
    envFile: z.optional(
      documented(
        path(),
        'A file of `NAME=value` lines, read before `env`. A relative path starts at the workspace folder.',
        { examples: ['${workspaceFolder}/.env'] },
      ),
    ),
    cwd: z.optional(
      documented(path(), 'The folder to start the program in. Default: the workspace folder.', {
        examples: ['${workspaceFolder}'],
      }),
    ),
    ...bridgeMembers,
  }),
  'A server that is a program on this machine.',
);

/** The members of `oauth`. */
export const oauth = z
  .strictObject(
    {
      clientId: z.optional(
        documented(
          filledText(),
          'The id of a client that was registered by hand at the authorization server.',
        ),
      ),
      clientSecret: z.optional(
        documented(text(), 'The secret of that client. Use `${input:id}` or `${env:NAME}`.'),
      ),
      privateKey: z.optional(
        documented(
          text(),
          'The private key of that client (PEM, PKCS#8), where it signs instead of having a secret. Use `${env:NAME}`.',
        ),
      ),
      scope: z.optional(
        documented(filledText(), 'The scopes to ask for at first, with spaces between them.'),
      ),
      issuer: z.optional(
        documented(
          filledText(),
          'The only authorization server that may be used, whatever the server names.',
          { examples: ['https://auth.example.com'] },
        ),
      ),
      clientMetadataUrl: z.optional(
        documented(
          filledText().check(
            z.refine(
              (value) => value.includes('${') || /^https:\/\/[^/]+\/./.test(value),
              'must be an https:// address with a path',
            ),
          ),
          'The address of a client metadata document, used where the authorization server takes such.',
        ),
      ),
      callbackPort: z.optional(
        documented(
          z
            .int('must be a port number')
            .check(z.minimum(1, 'must be at least 1'), z.maximum(65535, 'must be at most 65535')),
          'The port of the redirect address `http://127.0.0.1:PORT/callback`, where the client was registered with one.',
        ),
      ),
      grant: z.optional(
        documented(
          z.enum(
            ['authorization_code', 'client_credentials'],
            'must be authorization_code or client_credentials',
          ),
          'How tokens are got: `authorization_code` (a person signs in, the default) or `client_credentials` (the program acts for itself).',
        ),
      ),
    },
    'must be an object, such as { "clientId": "my-client" }',
  )
  .check(
    z.refine(
      ({ clientId, clientSecret, privateKey, grant }) =>
        clientId !== undefined ||
        (clientSecret === undefined && privateKey === undefined && grant !== 'client_credentials'),
      { error: 'needs a "clientId"', path: ['clientId'] },
    ),
  );

const LEGACY_REVISIONS = REVISIONS.filter(isLegacyRevision);

function address(describe: (text: string) => string | undefined): z.ZodMiniString {
  return text().check(
    z.refine((value) => value.includes('${') || describe(value) === undefined, {
      error: (issue) => describe(String(issue.input)) ?? 'is not an address',
    }),
  );
}

const requestMembers = {
  headers: z.optional(
    documented(
      z.record(
        z
          .string()
          .check(z.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'is not a name that a header can have')),
        text(),
        'must be an object, such as { "Authorization": "Bearer ${input:token}" }',
      ),
      'Headers sent with every request. Use `${input:id}` for secrets.',
    ),
  ),
  oauth: z.optional(
    documented(oauth, 'How to sign in to the server, as far as it cannot be found out.'),
  ),
};

/** A server that is reached by Streamable HTTP, or found to be one of HTTP+SSE, as written in the file. */
export const httpEntry = documented(
  z.strictObject({
    type: z.optional(
      documented(
        z.literal('http'),
        'The server has an address: Streamable HTTP, or HTTP+SSE where it has nothing newer.',
      ),
    ),
    url: documented(
      address(describeUrlProblem),
      'The address of the server, starting with `http://` or `https://`; for HTTP over a local socket, ' +
        '`unix:///tmp/server.sock#/mcp`; for MCP over ZAP, `zap+unix:///path` or `zap+tcp://host:port`.',
      {
        pattern: '^(https?://|(unix|pipe):///|zap\\+(unix|tcp)://|\\$\\{)',
        patternErrorMessage:
          'The address must start with http://, https://, unix:///, pipe:///, zap+unix:// or zap+tcp://.',
      },
    ),
    ...requestMembers,
    ...bridgeMembers,
  }),
  'A server that is reached at an address.',
);

/** A server that is known to be one of HTTP+SSE, as written in the file. */
export const sseEntry = documented(
  z.strictObject({
    type: documented(
      z.literal('sse'),
      'The address is the event stream of HTTP+SSE, the transport of 2024-11-05; nothing else is tried.',
    ),
    url: documented(
      address(describeHttpProblem),
      'The address of the event stream, starting with `http://` or `https://`; over a local socket, ' +
        '`unix:///tmp/server.sock#/sse`.',
      {
        pattern: '^(https?://|(unix|pipe):///|\\$\\{)',
        patternErrorMessage: 'The address must start with http://, https://, unix:/// or pipe:///.',
      },
    ),
    ...requestMembers,
    ...bridgeMembers,
    revision: z.optional(
      documented(
        z.enum(LEGACY_REVISIONS, `must be one of ${LEGACY_REVISIONS.join(', ')}`),
        'The protocol revision to speak with this server. Leave it out to let the bridge find out.',
      ),
    ),
  }),
  'A server that is reached at the event stream of HTTP+SSE.',
);

/** A server that listens on a local socket, as written in the file. */
export const socketEntry = documented(
  z.strictObject({
    type: z.optional(
      documented(
        z.literal('socket'),
        'The server listens on a local socket and speaks as over stdio.',
      ),
    ),
    url: documented(
      text().check(
        z.refine((value) => value.includes('${') || describeSocketProblem(value) === undefined, {
          error: (issue) => describeSocketProblem(String(issue.input)) ?? 'is not an address',
        }),
      ),
      'The socket, as `unix:///tmp/server.sock`, or a named pipe of Windows, as `pipe:///pipe/server`.',
      {
        pattern: '^(unix:///|pipe:///|\\$\\{)',
        patternErrorMessage: 'The address must start with unix:/// or pipe:///.',
      },
    ),
    ...bridgeMembers,
  }),
  'A server that listens on a local socket.',
);

const inputMembers = {
  id: documented(filledText(), 'The name used in `${input:id}`.'),
  description: z.optional(documented(text(), 'What the user is asked.')),
  default: z.optional(documented(text(), 'The answer offered first.')),
};

/** A question answered by typing. */
export const promptStringInput = z.strictObject({
  type: documented(z.literal('promptString'), 'The user types the answer.'),
  ...inputMembers,
  password: z.optional(
    documented(z.boolean('must be true or false'), 'Hides what is typed when `true`.'),
  ),
});

const pickOption = z.union(
  [
    text(),
    z.strictObject({
      label: z.optional(documented(text(), 'What the user sees.')),
      value: documented(text(), 'What takes the place of the variable.'),
    }),
  ],
  'must be a string or { "label": …, "value": … }',
);

/** A question answered by choosing from a list. */
export const pickStringInput = z.strictObject({
  type: documented(z.literal('pickString'), 'The user chooses one of `options`.'),
  ...inputMembers,
  options: documented(
    z
      .array(pickOption, 'must be a list of strings')
      .check(z.minLength(1, 'must hold at least one option')),
    'What there is to choose from.',
  ),
});

/** The members of the whole file. It is parsed entry by entry, so that a bad one never takes the others. */
export const configFile = z.strictObject({
  $schema: z.optional(documented(z.string(STRING), 'The JSON Schema of this file.')),
  servers: z.optional(
    documented(
      z.record(z.string(), z.union([stdioEntry, httpEntry, sseEntry, socketEntry])),
      'The servers to bridge, each under its name.',
    ),
  ),
  inputs: z.optional(
    documented(
      z.array(z.union([promptStringInput, pickStringInput])),
      'Questions to the user, whose answers take the place of `${input:id}`.',
    ),
  ),
});

/** The members of a checked entry that is a program. */
export type StdioMembers = z.infer<typeof stdioEntry>;
/** The members of a checked entry that is an address. */
export type HttpMembers = z.infer<typeof httpEntry> | z.infer<typeof sseEntry>;

/** The members of a checked entry that is a local socket. */
export type SocketMembers = z.infer<typeof socketEntry>;

/** The checked members of `oauth`. */
export type OAuthMembers = z.infer<typeof oauth>;

/** A question that a variable `${input:id}` puts to the user. */
export type InputDefinition = z.infer<typeof promptStringInput> | z.infer<typeof pickStringInput>;
