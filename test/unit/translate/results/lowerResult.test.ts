import { describe, expect, test } from 'vitest';
import { profileOf } from '../../../../src/protocol/profile.ts';
import type { Revision } from '../../../../src/protocol/revision.ts';
import { parsePolicy } from '../../../../src/translate/policy.ts';
import type { Outcome } from '../../../../src/translate/report.ts';
import { lowerResult } from '../../../../src/translate/results/lowerResult.ts';

interface Given {
  readonly method?: string;
  readonly from?: Revision;
  readonly to?: Revision;
  readonly policy?: string;
  readonly promisedOutput?: boolean;
}

function lower(text: string, given: Given = {}): Outcome {
  const parsed = parsePolicy(given.policy ?? 'strict');
  if (parsed.kind === 'unknown') throw new Error(`no policy: ${parsed.name}`);
  return lowerResult(given.method ?? 'tools/call', Buffer.from(text), {
    from: profileOf(given.from ?? '2025-11-25'),
    to: profileOf(given.to ?? '2025-11-25'),
    policy: parsed.policy,
    promisedOutput: given.promisedOutput ?? false,
  });
}

/** An outcome as a reader of the test sees it: the bytes, and the features of the steps with their loss. */
function seen(outcome: Outcome): unknown {
  const steps = outcome.steps.map(({ feature, path, loss }) => `${feature} ${path} ${loss}`);
  switch (outcome.kind) {
    case 'unchanged':
      return { steps };
    case 'changed':
      return { result: outcome.raw.toString('utf8'), steps };
    case 'refused':
      return { refused: `${outcome.refusal.feature} ${outcome.refusal.path}` };
  }
}

const LEGACY_READERS: Revision[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

describe('a result its reader can take', () => {
  test.each(LEGACY_READERS)('keeps every byte towards %s, modern members included', (to) => {
    const text =
      '{ "resultType":"complete","content":[{"type":"text","text":"\\u0041","x":1.0}],"n":12345678901234567890,"_meta":{"a":-0}}';
    expect(seen(lower(text, { from: '2026-07-28', to }))).toEqual({ steps: [] });
  });

  test('is not looked into where the method is unknown', () => {
    const text = '{"resultType":"complete","content":[{"type":"audio"}],"structuredContent":[1]}';
    const outcome = lower(text, { method: 'x/y', from: '2026-07-28', to: '2024-11-05' });
    expect(seen(outcome)).toEqual({ steps: [] });
  });
});

describe('content blocks', () => {
  const audio =
    '{"content":[{"type":"text","text":"a"},{"type":"audio","data":"AAAA","mimeType":"audio/wav","_meta":{"k":1.0}}]}';

  test('audio becomes an embedded resource with the same bytes, under every policy', () => {
    expect(seen(lower(audio, { to: '2024-11-05' }))).toEqual({
      result:
        '{"content":[{"type":"text","text":"a"},{"type":"resource","resource":{"uri":"rosetta:audio","mimeType":"audio/wav","blob":"AAAA"},"_meta":{"k":1.0}}]}',
      steps: ['tool-audio-content /content/1 none'],
    });
    expect(seen(lower(audio, { to: '2025-03-26' }))).toEqual({ steps: [] });
  });

  const link =
    '{"content":[{"type":"resource_link","uri":"file:///r/a.txt","name":"a","title":"A","size":3,"description":"d","mimeType":"text/plain"}]}';

  test('a resource link becomes a text that names it, if the policy allows', () => {
    expect(seen(lower(link, { to: '2025-03-26' }))).toEqual({
      refused: 'tool-resource-link /content/0',
    });
    expect(seen(lower(link, { to: '2025-03-26', policy: 'tool-resource-link' }))).toEqual({
      result:
        '{"content":[{"type":"text","text":"A: file:///r/a.txt\\nd\\ntext/plain\\n3 bytes"}]}',
      steps: ['tool-resource-link /content/0 lossy'],
    });
    expect(seen(lower(link, { to: '2025-06-18' }))).toEqual({ steps: [] });
  });

  test.each(LEGACY_READERS)('a type of no revision would cost a reader of %s the result', (to) => {
    const text = '{"content":[{"type":"json","json":{"n":1.0}}]}';
    expect(seen(lower(text, { to }))).toEqual({ refused: 'content-block /content/0' });
    expect(seen(lower(text, { to, policy: 'permissive' }))).toEqual({
      result:
        '{"content":[{"type":"text","text":"{\\"type\\":\\"json\\",\\"json\\":{\\"n\\":1.0}}"}]}',
      steps: ['content-block /content/0 lossy'],
    });
  });

  test('a type of no revision is for a reader of the draft to judge', () => {
    const text = '{"resultType":"complete","content":[{"type":"new"}]}';
    expect(seen(lower(text, { from: '2026-07-28', to: 'draft' }))).toEqual({ steps: [] });
  });

  test('nulls that mean absent are removed where they stand', () => {
    const text =
      '{"content":[{"type":"text","text":"a","annotations":null}],"isError":null,"_meta":null}';
    expect(seen(lower(text))).toEqual({
      result: '{"content":[{"type":"text","text":"a"}]}',
      steps: [
        'null-member /isError none',
        'null-member /_meta none',
        'null-member /content/0/annotations none',
      ],
    });
  });
});

describe('structured content', () => {
  test.each(['["a","b"]', 'null', '0', 'false', '""'])('that is %s goes to text', (value) => {
    const text = `{"resultType":"complete","content":[],"structuredContent":${value}}`;
    const given: Given = { from: '2026-07-28', to: '2025-11-25' };
    expect(seen(lower(text, given))).toEqual({ refused: 'tool-structured-any /structuredContent' });
    expect(seen(lower(text, { ...given, policy: 'permissive' }))).toEqual({
      result: `{"resultType":"complete","content":[{"type":"text","text":${JSON.stringify(value)}}]}`,
      steps: ['tool-structured-any /structuredContent lossy'],
    });
  });

  test('that a text block says already loses nothing by leaving', () => {
    const text =
      '{"resultType":"complete","content":[{"type":"text","text":"[1, 2.50]"}],"structuredContent":[1,2.50]}';
    expect(seen(lower(text, { from: '2026-07-28' }))).toEqual({
      result: '{"resultType":"complete","content":[{"type":"text","text":"[1, 2.50]"}]}',
      steps: ['tool-structured-any /structuredContent none'],
    });
  });

  test('counts numbers by their digits, which JavaScript would round to the same', () => {
    const text =
      '{"content":[{"type":"text","text":"{\\"n\\":9007199254740993}"}],"structuredContent":{"n":9007199254740992}}';
    expect(seen(lower(text, { to: '2025-03-26' }))).toEqual({
      refused: 'tool-structured-output /structuredContent',
    });
  });

  test('of an object stays for older readers beside its text, which they read', () => {
    const text =
      '{"content":[{"type":"text","text":"{ \\"b\\":2,\\"a\\":1 }"}],"structuredContent":{"a":1,"b":2}}';
    for (const to of LEGACY_READERS) expect(seen(lower(text, { to }))).toEqual({ steps: [] });
  });

  test('of an object without its text gains one for older readers', () => {
    const text = '{"content":[],"structuredContent":{"n":1.0}}';
    expect(seen(lower(text, { to: '2024-11-05', policy: 'tool-structured-output' }))).toEqual({
      result: '{"content":[{"type":"text","text":"{\\"n\\":1.0}"}],"structuredContent":{"n":1.0}}',
      steps: ['tool-structured-output /structuredContent lossy'],
    });
  });

  test('of an object that no revision of the two knows crosses as it came', () => {
    const text = '{"content":[{"type":"text","text":"one"}],"structuredContent":{"n":1.0}}';
    for (const from of ['2024-11-05', '2025-03-26'] as const) {
      for (const to of ['2024-11-05', '2025-03-26'] as const) {
        expect(seen(lower(text, { from, to }))).toEqual({ steps: [] });
      }
    }
  });

  test('that is null in a revision without a null there means absent', () => {
    expect(seen(lower('{"content":[],"structuredContent":null}'))).toEqual({
      result: '{"content":[]}',
      steps: ['null-member /structuredContent none'],
    });
  });

  test('that was promised and did not come is refused, or passed with a warning', () => {
    const text = '{"content":[{"type":"text","text":"a"}]}';
    expect(seen(lower(text, { promisedOutput: true }))).toEqual({
      refused: 'tool-structured-output /structuredContent',
    });
    expect(seen(lower(text, { promisedOutput: true, policy: 'permissive' }))).toEqual({
      steps: ['tool-structured-output /structuredContent lossy'],
    });
  });
});

describe('a result without content', () => {
  test('gains its structured content as text', () => {
    expect(seen(lower('{"structuredContent":{"items":[1,2.0]}}'))).toEqual({
      result:
        '{"structuredContent":{"items":[1,2.0]},"content":[{"type":"text","text":"{\\"items\\":[1,2.0]}"}]}',
      steps: ['result-content /content none'],
    });
  });

  test('gains an empty array where there is nothing to say', () => {
    expect(seen(lower('{}'))).toEqual({
      result: '{"content":[]}',
      steps: ['result-content /content none'],
    });
  });

  test('of the wrong kind becomes text, if the policy allows', () => {
    const text = '{"content":"done"}';
    expect(seen(lower(text))).toEqual({ refused: 'result-content /content' });
    expect(seen(lower(text, { policy: 'result-content' }))).toEqual({
      result: '{"content":[{"type":"text","text":"done"}]}',
      steps: ['result-content /content lossy'],
    });
  });
});

describe('an error result', () => {
  test('reaches the model under every policy, lowered where need be', () => {
    const text =
      '{"isError":true,"content":[{"type":"resource_link","uri":"file:///a","name":"a"}],"structuredContent":[1]}';
    expect(seen(lower(text, { from: '2026-07-28', to: '2025-03-26' }))).toEqual({
      result:
        '{"isError":true,"content":[{"type":"text","text":"a: file:///a"},{"type":"text","text":"[1]"}]}',
      steps: [
        'result-completion /resultType lossy',
        'tool-structured-any /structuredContent lossy',
        'tool-resource-link /content/0 lossy',
      ],
    });
  });

  test('owes no structured content', () => {
    const text = '{"isError":true,"content":[]}';
    expect(seen(lower(text, { promisedOutput: true }))).toEqual({ steps: [] });
  });
});

describe('what a modern server owes', () => {
  const list = '{"tools":[],"ttlMs":-5,"cacheScope":"shared"}';

  test('strict names every member that is missing', () => {
    const outcome = lower(list, { method: 'tools/list', from: '2026-07-28' });
    expect(outcome.kind === 'refused' && outcome.refusal.hint).toContain(
      'result.resultType, result.ttlMs, result.cacheScope',
    );
  });

  test('permissive reads each as its default and changes nothing', () => {
    const given: Given = { method: 'tools/list', from: '2026-07-28', policy: 'permissive' };
    expect(seen(lower(list, given))).toEqual({
      steps: [
        'result-completion /resultType lossy',
        'result-completion /ttlMs lossy',
        'result-completion /cacheScope lossy',
      ],
    });
  });

  test('a legacy server owes none of it', () => {
    expect(seen(lower(list, { method: 'tools/list' }))).toEqual({ steps: [] });
  });
});

describe('a result that is not finished', () => {
  test.each(['task', 'input_required', 'later'])(
    'of type %s never reads as an empty success',
    (type) => {
      const text = `{"resultType":"${type}","content":[]}`;
      for (const policy of ['strict', 'permissive']) {
        expect(seen(lower(text, { from: '2026-07-28', policy }))).toEqual({
          refused: 'result-type /resultType',
        });
      }
    },
  );
});

describe('lists', () => {
  test('lose the nulls of their entries and of the cursor', () => {
    const text =
      '{"resources":[{"uri":"a","name":"a","size":null},{"uri":"b","name":"b"}],"nextCursor":null}';
    expect(seen(lower(text, { method: 'resources/list' }))).toEqual({
      result: '{"resources":[{"uri":"a","name":"a"},{"uri":"b","name":"b"}]}',
      steps: ['null-member /nextCursor none', 'null-member /resources/0/size none'],
    });
  });
});

describe('empty results', () => {
  test.each(['ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'])(
    '%s is empty for a legacy reader, who throws on more',
    (method) => {
      expect(seen(lower('{"resultType":"complete","_meta":{"a":1}}', { method }))).toEqual({
        result: '{"_meta":{"a":1}}',
        steps: ['result-type /resultType none'],
      });
    },
  );
});

describe('prompts', () => {
  test('follow the rules of tools, one block to a message', () => {
    const text =
      '{"messages":[{"role":"user","content":{"type":"audio","data":"AA==","mimeType":"audio/wav"}},{"role":"user","content":{"type":"text","text":"a"}}]}';
    expect(seen(lower(text, { method: 'prompts/get', to: '2024-11-05' }))).toEqual({
      result:
        '{"messages":[{"role":"user","content":{"type":"resource","resource":{"uri":"rosetta:audio","mimeType":"audio/wav","blob":"AA=="}}},{"role":"user","content":{"type":"text","text":"a"}}]}',
      steps: ['audio-in-prompt /messages/0/content none'],
    });
  });
});

describe('structured content between peers that agreed on a revision without it', () => {
  const lowerIn = (text: string): unknown =>
    seen(lower(text, { from: '2025-03-26', to: '2025-03-26' }));

  test('is a member that neither knows, and crosses as such', () => {
    const text = '{"content":[{"type":"text","text":"two"}],"structuredContent":{"n":2}}';
    expect(lowerIn(text)).toEqual({ steps: [] });
  });

  test('is told as text besides where it is all there is', () => {
    expect(lowerIn('{"content":[],"structuredContent":{"n":2.0}}')).toEqual({
      result: '{"content":[{"type":"text","text":"{\\"n\\":2.0}"}],"structuredContent":{"n":2.0}}',
      steps: ['tool-structured-output /structuredContent none'],
    });
  });
});
