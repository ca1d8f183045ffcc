// A painter's studio: a server that speaks MCP revision 2026-07-28 and no older one.
import {
  acceptedContent,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

import { harmony, HEX_PATTERN, mix, shades } from './colours.mjs';

const palettes = new Map([
  ['sunset', ['#2d1b3d', '#8c2f4e', '#d9534f', '#f0a35e', '#fde2b3']],
  ['forest', ['#16261c', '#2f4f36', '#58794b', '#93a86b', '#d8dfb0']],
]);

const colour = z.string().regex(new RegExp(HEX_PATTERN)).describe('A colour such as #d9534f');
const paletteName = z.string().min(1).describe('The name of a palette');

const moods = { calm: 210, fresh: 140, warm: 25, bold: 330 };
const commission = z.object({ mood: z.enum(Object.keys(moods)), vivid: z.boolean() });

function createAtelier() {
  const server = new McpServer(
    { name: 'atelier', title: 'Atelier', version: '1.0.0' },
    {
      capabilities: { tools: { listChanged: true }, resources: { listChanged: true } },
      instructions: 'Keeps colour palettes. List them before you show, change or delete one.',
    },
  );

  // Only reads, and says so.
  server.registerTool(
    'list_palettes',
    {
      title: 'List palettes',
      description: 'Names every palette of the studio',
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    () => text([...palettes.keys()].join('\n') || 'The studio is empty.'),
  );

  // Links to a resource and describes itself in an object.
  server.registerTool(
    'show_palette',
    {
      title: 'Show a palette',
      description: 'Shows the colours of one palette and links to it',
      inputSchema: z.object({ name: paletteName }),
      outputSchema: z.object({ name: z.string(), colours: z.array(z.string()) }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ name }) => {
      const colours = palettes.get(name);
      if (colours === undefined) return refusal(name);
      return {
        content: [
          { type: 'text', text: `${name}: ${colours.join(' ')}` },
          { type: 'resource_link', uri: uriOf(name), name, mimeType: 'application/json' },
        ],
        structuredContent: { name, colours },
      };
    },
  );

  // Answers with an array: allowed since 2026-07-28, refused by older clients.
  server.registerTool(
    'harmonize',
    {
      title: 'Find companions',
      description: 'Finds colours that go with the given one',
      inputSchema: z.object({ colour, count: z.int().min(2).max(12).default(3) }),
      outputSchema: z.array(z.string()),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ colour: given, count }) => ({
      content: [{ type: 'text', text: `Companions of ${given}` }],
      structuredContent: harmony(given, count),
    }),
  );

  // Declares nothing: what a client assumes of it is the protocol's default.
  server.registerTool(
    'mix_colours',
    {
      title: 'Mix two colours',
      description: 'Mixes two colours in equal parts',
      inputSchema: z.object({ left: colour, right: colour }),
    },
    ({ left, right }) => text(mix(left, right)),
  );

  // Asks before it can work: the first answer is a question.
  server.registerTool(
    'commission_palette',
    {
      title: 'Commission a palette',
      description: 'Paints a new palette after asking for its mood',
      inputSchema: z.object({ name: paletteName }),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    ({ name }, context) => {
      const responses = context.mcpReq.inputResponses;
      const answer = inputResponse(responses, 'commission');
      if (answer.kind === 'elicit' && answer.action !== 'accept') {
        return text('The commission was withdrawn.');
      }
      const accepted = acceptedContent(responses, 'commission', commission);
      if (accepted === undefined) return ask(name);
      const colours = shades(moods[accepted.mood], accepted.vivid ? 0.8 : 0.35);
      palettes.set(name, colours);
      return text(`${name}: ${colours.join(' ')}`);
    },
  );

  // Destroys, and says so.
  server.registerTool(
    'delete_palette',
    {
      title: 'Delete a palette',
      description: 'Deletes a palette for good',
      inputSchema: z.object({ name: paletteName }),
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    ({ name }) => (palettes.delete(name) ? text(`Deleted ${name}.`) : refusal(name)),
  );

  server.registerResource(
    'palette',
    new ResourceTemplate('palette://studio/{name}', {
      list: () => ({
        resources: [...palettes.keys()].map((name) => ({
          uri: uriOf(name),
          name,
          mimeType: 'application/json',
        })),
      }),
    }),
    { title: 'Palette', description: 'One palette as JSON', mimeType: 'application/json' },
    (uri, { name }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify(palettes.get(decodeURIComponent(String(name))) ?? null),
        },
      ],
    }),
  );
  return server;
}

function ask(name) {
  return inputRequired({
    inputRequests: {
      commission: inputRequired.elicit({
        message: `How should the palette "${name}" feel?`,
        requestedSchema: commission,
      }),
    },
  });
}

function uriOf(name) {
  return `palette://studio/${encodeURIComponent(name)}`;
}

function text(value) {
  return { content: [{ type: 'text', text: value }] };
}

function refusal(name) {
  return { ...text(`There is no palette called "${name}".`), isError: true };
}

serveStdio(createAtelier, { legacy: 'reject' });
