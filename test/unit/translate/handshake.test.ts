import { specTypeSchemas } from '@modelcontextprotocol/client';
import { InitializeResultSchema as from20251125 } from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { InitializeResultSchema as from20241105 } from 'sdk-2024-11-05/types.js';
import { InitializeResultSchema as from20250326 } from 'sdk-2025-03-26/types.js';
import { InitializeResultSchema as from20250618 } from 'sdk-2025-06-18/types.js';
import { describe, expect, test } from 'vitest';

import type { Revision } from '../../../src/protocol/revision.ts';
import { Edition } from '../../../src/translate/edition.ts';
import { repairHandshake, repairOffer } from '../../../src/translate/handshake.ts';
import { PERMISSIVE } from '../../../src/translate/policy.ts';
import { damage, damaged } from '../../support/damage.ts';

const SAMPLE = {
  capabilities: {
    experimental: { x: {} },
    logging: {},
    completions: {},
    prompts: { listChanged: true },
    resources: { subscribe: true, listChanged: false },
    tools: { listChanged: true },
    tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
    extensions: { 'example.com/x': { a: 1 } },
  },
  serverInfo: {
    name: 's',
    title: 'S',
    version: '1',
    description: 'd',
    websiteUrl: 'https://e.example',
    icons: [
      { src: 'https://e.example/i.png', mimeType: 'image/png', sizes: ['any'], theme: 'light' },
    ],
  },
  instructions: 'Be kind.',
  _meta: { k: 1 },
};

function repaired(value: unknown, to: Revision): { text: string; steps: string[] } {
  const edition = new Edition(Buffer.from(JSON.stringify(value)), PERMISSIVE);
  repairHandshake(edition, to);
  const steps = edition.outcome().steps.map(({ path, after, loss }) => `${path} ${after} ${loss}`);
  return { text: edition.raw.toString('utf8'), steps };
}

describe('whatever a server says of itself, a client connects', () => {
  test.each([
    ['2024-11-05', from20241105],
    ['2025-03-26', from20250326],
    ['2025-06-18', from20250618],
    ['2025-11-25', from20251125],
  ] as const)('of %s', (to, schema) => {
    fc.assert(
      fc.property(damage, (damage) => {
        const value = damaged(SAMPLE, damage);
        const opened = { ...(value as object), protocolVersion: to };
        const { text } = repaired(opened, to);
        expect(schema.safeParse(JSON.parse(text)).error).toBeUndefined();
      }),
      { numRuns: 400 },
    );
  });

  test('of 2026-07-28', () => {
    const schema = specTypeSchemas.ServerCapabilities['~standard'];
    fc.assert(
      fc.property(damage, (damage) => {
        const { capabilities } = SAMPLE;
        const raw = Buffer.from(JSON.stringify({ capabilities: damaged(capabilities, damage) }));
        const edition = new Edition(raw, PERMISSIVE);
        repairOffer(edition, '2026-07-28');
        const { capabilities: offered } = JSON.parse(edition.raw.toString('utf8')) as {
          capabilities: unknown;
        };
        expect(schema.validate(offered)).not.toHaveProperty('issues');
      }),
      { numRuns: 400 },
    );
  });
});

test('a whole handshake keeps every byte', () => {
  expect(repaired(SAMPLE, '2025-11-25')).toEqual({ text: JSON.stringify(SAMPLE), steps: [] });
});

test('a capability is an offer, or absent', () => {
  const capabilities = { tools: true, logging: false, prompts: null, resources: [], 'x-new': true };
  const { text, steps } = repaired({ ...SAMPLE, capabilities }, '2025-06-18');
  expect(JSON.parse(text)).toMatchObject({
    capabilities: { tools: {}, resources: {}, 'x-new': true },
  });
  expect(text).not.toContain('logging');
  expect(steps).toEqual([
    '/capabilities/tools an empty object none',
    '/capabilities/logging absent none',
    '/capabilities/prompts absent none',
    '/capabilities/resources an empty object none',
  ]);
});

test('a server without a name has an unknown one', () => {
  const { text, steps } = repaired({ capabilities: {} }, '2024-11-05');
  expect(JSON.parse(text)).toEqual({
    capabilities: {},
    serverInfo: { name: 'unknown', version: 'unknown' },
  });
  expect(steps).toEqual([
    '/serverInfo an empty object none',
    '/serverInfo/name "unknown" none',
    '/serverInfo/version "unknown" none',
  ]);
});

test.each([
  ['{"tools":true,"prompts":{ "c":true }}', '{"tools":{},"prompts":{ "c":true }}'],
  ['{"tools":false,"prompts":{}}', '{"prompts":{}}'],
  ['{"tools":null,"prompts":{}}', '{"prompts":{}}'],
  [
    '{"experimental":{"x":{"y":1.0}},"extensions":{"example.com/x":{ }},"x-new":[]}',
    '{"experimental":{"x":{"y":1.0}},"extensions":{"example.com/x":{ }},"x-new":[]}',
  ],
])('of the capabilities %s a client is told %s', (told, expected) => {
  const edition = new Edition(Buffer.from(`{"capabilities":${told}}`), PERMISSIVE);
  repairOffer(edition, '2026-07-28');
  expect(edition.raw.toString('utf8')).toBe(`{"capabilities":${expected}}`);
});
