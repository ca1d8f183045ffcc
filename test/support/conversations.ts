import fc from 'fast-check';

import { isAtLeast, type Revision } from '../../src/protocol/revision.ts';
import { jsonText, metaText, objectText, plainText } from './arbitraryJson.ts';
import type { Era } from './everything.ts';

/** Who talks through the bridge: a client of a revision and a server of an era. */
export interface Lane {
  readonly era: Era;
  readonly revision: Revision;
}

/** A request and its result, in raw JSON; `params` are members without the braces around them. */
export interface Conversation {
  readonly method: string;
  readonly params: string;
  readonly result: string;
}

/** A request that needs no decision, and a result that its reader can take as it is. */
export function conversations({ era, revision }: Lane): fc.Arbitrary<Conversation> {
  const complete = era === 'modern' ? '"resultType":"complete",' : '';
  const cached = era === 'modern' ? `${complete}"ttlMs":1e3,"cacheScope":"public",` : '';
  const raw = jsonText;
  const structured = isAtLeast(revision, '2025-06-18')
    ? objectText.map((value) => `,"structuredContent": ${value}`)
    : fc.constant('');
  return fc.oneof(
    fc
      .tuple(raw, raw, plainText, raw, structured, metaText, raw)
      .map(([args, extra, text, inBlock, structure, meta, own]) => ({
        method: 'tools/call',
        params: `"name":"echo","arguments":${args}, "x-extra" : ${extra}`,
        result: `{${complete}"content":[ {"type":"text","text":${text},"x-own":${inBlock}}]${structure},"_meta":${meta},"x-own":${own},"x-own":${own}}`,
      })),
    fc.tuple(raw, raw, raw).map(([extra, inContent, own]) => ({
      method: 'resources/read',
      params: `"uri":"test:\\/\\/x","x-extra":${extra}`,
      result: `{${cached}"contents":[{"uri":"test:x","text":"","x-own":${inContent}}],"__proto__":${own}}`,
    })),
    fc.tuple(raw, raw, metaText).map(([fallback, inTool, meta]) => ({
      method: 'tools/list',
      params: '"x-page":1.0',
      result: `{"tools":[{"name":"a","inputSchema":{"type":"object","properties":{"p":{"default":${fallback}}},"x-own":${inTool}},"_meta":${meta}}],${cached}"x":0}`,
    })),
    fc.tuple(raw, raw).map(([extra, own]) => ({
      method: 'x-vendor/anything',
      params: `"__proto__":${extra},"id":7,"method":"ping"`,
      result: `{${complete}"nested":${own},"error":null,"id":1}`,
    })),
  );
}
