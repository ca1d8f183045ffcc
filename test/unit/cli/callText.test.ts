import { expect, test } from 'vitest';
import { formatCallResult } from '../../../src/cli/callText.ts';

test.each([
  [{ content: [{ type: 'text', text: 'a\nb' }] }, 'a\nb\n'],
  [
    {
      content: [
        { type: 'text', text: 'a\n' },
        { type: 'text', text: 'b' },
      ],
    },
    'a\nb\n',
  ],
  [{ content: [] }, ''],
  [{ content: [], structuredContent: { a: 1 } }, '{"a":1}\n'],
  [{ content: [{ type: 'text', text: 'a' }], structuredContent: { a: 1 } }, 'a\n'],
  [
    { content: [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }] },
    '[image, image/png, 3 bytes]\n',
  ],
  [
    { content: [{ type: 'audio', mimeType: 'audio/wav', data: '' }] },
    '[audio, audio/wav, 0 bytes]\n',
  ],
  [{ content: [{ type: 'resource', resource: { uri: 'a:b', text: 'c' } }] }, 'c\n'],
  [
    { content: [{ type: 'resource', resource: { uri: 'a:b', mimeType: 'x/y', blob: '' } }] },
    '[resource, a:b, x/y]\n',
  ],
  [{ content: [{ type: 'resource_link', uri: 'a:b', name: 'n' }] }, '[link, a:b, n]\n'],
  [{ content: [{ type: 'later', x: 1 }] }, '{"type":"later","x":1}\n'],
])('%j', (result, text) => {
  expect(formatCallResult(Buffer.from(JSON.stringify(result)))).toBe(text);
});
