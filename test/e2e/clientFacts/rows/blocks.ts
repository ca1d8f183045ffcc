import {
  annotated,
  block,
  dropped,
  lossy,
  mended,
  NULL,
  png,
  text,
  untouched,
  type Row,
} from './row.ts';

export const BLOCKS: readonly Row[] = [
  block('unknown type', { type: 'json', json: 1 }, lossy('content-block')),
  block('null', null, lossy('content-block')),
  block('without type', { text: 'x' }, lossy('content-block')),
  block(
    'audio',
    { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
    mended('tool-audio-content'),
    {
      until: '2024-11-05',
    },
  ),
  block(
    'resource_link',
    { type: 'resource_link', uri: 'a:b', name: 'b' },
    lossy('tool-resource-link'),
    { until: '2025-03-26' },
  ),
  block('text null', { type: 'text', text: null }, NULL),
  block('text an object', { type: 'text', text: { a: 1 } }, mended('content-block')),
  block('image data not base64', { ...png, data: 'file.png' }, lossy('content-block')),
  block('audio data not base64', { ...png, type: 'audio', data: '***' }, lossy('content-block')),
  block('image without data', { type: 'image', mimeType: 'image/png' }, lossy('content-block')),
  block(
    'image data with its address',
    { ...png, data: `data:image/png;base64,${png.data}` },
    mended('content-block'),
  ),
  block(
    'image data in lines',
    { ...png, data: 'iVBO\r\nRw0K\r\nGgo=\r\n' },
    mended('content-block'),
  ),
  block('image without mimeType', { type: 'image', data: png.data }, mended('content-block')),
  block('image mimeType null', { ...png, mimeType: null }, NULL),
  block('resource of null', { type: 'resource', resource: null }, lossy('content-block')),
  block(
    'resource without uri',
    { type: 'resource', resource: { text: 'x' } },
    mended('content-block'),
  ),
  block(
    'resource with both null',
    { type: 'resource', resource: { uri: 'a:b', text: 'x', blob: null } },
    NULL,
  ),
  block(
    'resource blob not base64',
    { type: 'resource', resource: { uri: 'a:b', blob: '?!' } },
    lossy('content-block'),
  ),
  block('link without name', { type: 'resource_link', uri: 'a:b' }, mended('content-block'), {
    since: '2025-06-18',
    earlier: lossy('tool-resource-link'),
  }),
  block('link without uri', { type: 'resource_link', name: 'b' }, lossy('content-block')),
  block('link with size null', { type: 'resource_link', uri: 'a:b', name: 'b', size: null }, NULL, {
    since: '2025-06-18',
    earlier: lossy('tool-resource-link'),
  }),
  block(
    'link with an icon of null',
    { type: 'resource_link', uri: 'a:b', name: 'b', icons: [null] },
    lossy('content-block'),
    { since: '2025-06-18', earlier: lossy('tool-resource-link') },
  ),
  block('_meta of a wrong type', { ...text, _meta: 'x' }, lossy('content-block'), {
    since: '2025-06-18',
  }),
  annotated(
    'lastModified without zone',
    { lastModified: '2025-01-12T15:00:58' },
    dropped('content-block'),
    {
      since: '2025-11-25',
    },
  ),
  annotated('lastModified of a number', { lastModified: 5 }, dropped('content-block'), {
    since: '2025-06-18',
  }),
  annotated('priority 5', { priority: 5 }, dropped('content-block')),
  annotated('audience of nobody', { audience: ['robot'] }, dropped('content-block')),
  annotated('null', null, NULL),
  annotated('priority null', { priority: null }, NULL),
  annotated('an empty array', [], mended('content-block')),
  annotated('unknown member', { 'x-new': [1] }, untouched),
];
