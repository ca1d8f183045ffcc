import * as z from 'zod/mini';
import { configFile, httpEntry, memberDocs, stdioEntry } from './schema.ts';

const STDIO_SNIPPET = {
  label: 'Server: a program to start (stdio)',
  description: 'A server that is a program on this machine.',
  body: { type: 'stdio', command: '${1:npx}', args: ['${2:-y}', '${3:package}'] },
};

const HTTP_SNIPPET = {
  label: 'Server: an address (Streamable HTTP)',
  description: 'A server that is reached at an address.',
  body: { type: 'http', url: '${1:http://localhost:3000/mcp}' },
};

const FILE_SNIPPETS = [STDIO_SNIPPET, HTTP_SNIPPET].map((snippet) => ({
  ...snippet,
  body: { servers: { '${4:my-server}': snippet.body } },
}));

const SERVERS_SNIPPETS = [STDIO_SNIPPET, HTTP_SNIPPET].map((snippet) => ({
  ...snippet,
  body: { '${4:my-server}': snippet.body },
}));

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Editors that know no Markdown show the same text without its marks. */
function addPlainDescription(schema: JsonSchema): void {
  const { markdownDescription } = schema;
  if (typeof markdownDescription === 'string') {
    schema.description = markdownDescription.replaceAll('`', '');
  }
}

/** The JSON Schema (draft-07) of the configuration file, with VS Code's own keywords, made from the zod schemas. */
export function configJsonSchema(): JsonSchema {
  const generated = z.toJSONSchema(configFile, {
    target: 'draft-07',
    io: 'input',
    metadata: memberDocs,
    override: ({ zodSchema, jsonSchema }) => {
      addPlainDescription(jsonSchema);
      if (zodSchema === stdioEntry) jsonSchema.defaultSnippets = [STDIO_SNIPPET];
      if (zodSchema === httpEntry) jsonSchema.defaultSnippets = [HTTP_SNIPPET];
      if (zodSchema === configFile.shape.servers._zod.def.innerType) {
        jsonSchema.defaultSnippets = SERVERS_SNIPPETS;
      }
    },
  });
  return {
    title: 'MCP Rosetta: servers to bridge',
    allowComments: true,
    allowTrailingCommas: true,
    ...generated,
    defaultSnippets: FILE_SNIPPETS,
  };
}
