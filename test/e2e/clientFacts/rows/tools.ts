import {
  dropped,
  leftOut,
  mended,
  NULL,
  schema,
  tool,
  untouched,
  withheld,
  type Row,
} from './row.ts';

export const TOOLS: readonly Row[] = [
  tool(
    'title, icons, unknown member',
    { name: 'a', inputSchema: schema, title: 'A', 'x-new': 1 },
    untouched,
  ),
  tool('hint null', { name: 'a', inputSchema: schema, annotations: { readOnlyHint: null } }, NULL, {
    since: '2025-03-26',
  }),
  tool('annotations null', { name: 'a', inputSchema: schema, annotations: null }, NULL),
  tool(
    'hint of a wrong type',
    { name: 'a', inputSchema: schema, annotations: { readOnlyHint: 'yes' } },
    dropped('tool-hints'),
    {
      since: '2025-03-26',
    },
  ),
  tool(
    'outputSchema array',
    { name: 'a', inputSchema: schema, outputSchema: { type: 'array' } },
    dropped('tool-structured-any'),
    {
      since: '2025-06-18',
      until: '2025-11-25',
      earlier: dropped('tool-structured-output'),
    },
  ),
  tool(
    'outputSchema without type',
    { name: 'a', inputSchema: schema, outputSchema: {} },
    dropped('tool-structured-any'),
    {
      since: '2025-06-18',
      until: '2025-11-25',
      earlier: dropped('tool-structured-output'),
    },
  ),
  tool('inputSchema without type', { name: 'a', inputSchema: {} }, mended('tool-definition')),
  tool('inputSchema null', { name: 'a', inputSchema: null }, NULL),
  tool(
    'inputSchema boolean property',
    { name: 'a', inputSchema: { type: 'object', properties: { a: true } } },
    mended('tool-definition'),
    { until: '2025-11-25' },
  ),
  tool('description null', { name: 'a', inputSchema: schema, description: null }, NULL),
  tool(
    'icons of a wrong type',
    { name: 'a', inputSchema: schema, icons: 'x' },
    withheld('tool-definition'),
    {
      since: '2025-06-18',
    },
  ),
  tool('no name', { inputSchema: schema }, leftOut('tool-definition')),
  tool('no object', null, leftOut('tool-definition')),
];
