const annotations = { audience: ['user'], priority: 0.5, lastModified: '2025-01-12T15:00:58Z' };
const _meta = { 'example.com/k': 1 };
const icons = [
  { src: 'https://e.example/i.png', mimeType: 'image/png', sizes: ['48x48'], theme: 'dark' },
];
const common = { annotations, _meta };

const link = {
  type: 'resource_link',
  uri: 'file:///a',
  name: 'a',
  title: 'A',
  description: 'd',
  mimeType: 'text/plain',
  size: 3,
  icons,
  ...common,
};

const blocks = [
  { type: 'text', text: 'words', ...common },
  { type: 'image', data: 'QUJD', mimeType: 'image/png', ...common },
  { type: 'audio', data: 'QUJD', mimeType: 'audio/wav', ...common },
  link,
  {
    type: 'resource',
    resource: { uri: 'file:///b', mimeType: 'text/plain', text: 'b', _meta },
    ...common,
  },
  { type: 'resource', resource: { uri: 'file:///c', mimeType: 'image/png', blob: 'QUJD' } },
];

const resource = Object.fromEntries(Object.entries(link).filter(([key]) => key !== 'type'));
const template = Object.fromEntries(
  Object.entries({ ...resource, uriTemplate: 'file:///{x}' }).filter(
    ([key]) => key !== 'uri' && key !== 'size',
  ),
);

const task = { taskId: 't' };
const page = {
  nextCursor: 'c',
  _meta: { ..._meta, progressToken: 1, 'io.modelcontextprotocol/related-task': task },
};

/** A result of every method whose results the bridge looks into, with every member that a revision knows. */
export const SAMPLES: Readonly<Record<string, object>> = {
  'tools/call': { content: blocks, structuredContent: { a: 1 }, isError: false, _meta },
  'tools/list': { tools: [{ name: 'a', inputSchema: { type: 'object' } }], ...page },
  'prompts/get': {
    description: 'd',
    messages: blocks.map((content) => ({ role: 'user', content })),
    _meta,
  },
  'prompts/list': {
    prompts: [
      {
        name: 'p',
        title: 'P',
        description: 'd',
        arguments: [{ name: 'x', title: 'X', description: 'd', required: true }, { name: 'y' }],
        icons,
        _meta,
      },
      { name: 'q' },
    ],
    ...page,
  },
  'resources/list': { resources: [resource, { uri: 'a:b', name: 'b' }], ...page },
  'resources/templates/list': {
    resourceTemplates: [template, { uriTemplate: 'a:{b}', name: 'b' }],
    ...page,
  },
  'resources/read': {
    contents: [
      { uri: 'file:///a', mimeType: 'text/plain', text: 'a', _meta },
      { uri: 'file:///b', mimeType: 'image/png', blob: 'QUJD', _meta },
    ],
    _meta,
  },
  'completion/complete': { completion: { values: ['a', 'b'], total: 2, hasMore: false }, _meta },
  ping: {},
  'logging/setLevel': { _meta },
  'resources/subscribe': {},
  'resources/unsubscribe': {},
};
