import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aliasesFor, originalsOf } from '../../../../src/translate/toolList/aliases.ts';

const shown = (names: readonly string[], held?: ReadonlyMap<string, string>): string[] => {
  const aliases = aliasesFor(names, 'vscode', held);
  return names.map((name) => aliases.get(name) ?? name);
};

describe('for the editor', () => {
  test('a usable name has no alias', () => {
    expect(aliasesFor(['get_user', 'DATA-export', 'x'.repeat(64)], 'vscode')).toEqual(new Map());
  });

  test('other characters are replaced where that is free', () => {
    expect(shown(['admin.tools.list', 'naïve', 'a😀b'])).toEqual([
      'admin_tools_list',
      'na_ve',
      'a_b',
    ]);
  });

  test('a usable name wins over the alias it would be taken for', () => {
    const [alias, kept] = shown(['catalog.get-entity', 'catalog_get-entity']);
    expect(kept).toBe('catalog_get-entity');
    expect(alias).toMatch(/^catalog_get-entity_[0-9a-f]{8}$/);
  });

  test('rivals for one alias are told apart by a hash, each of them', () => {
    for (const alias of shown(['a/b', 'a.b'])) expect(alias).toMatch(/^a_b_[0-9a-f]{8}$/);
  });

  test('a long name is shortened to what the editor keeps of it behind its prefix', () => {
    const [alias = ''] = shown(['n'.repeat(128)]);
    expect(alias).toMatch(/^n{37}_[0-9a-f]{8}$/);
  });

  test('names that the editor would cut to the same are told apart', () => {
    const long = 'n'.repeat(50);
    const names = [`${long}a`, `${long}b`, 'n'.repeat(46)];
    const cut = shown(names).map((name) => name.slice(0, 46));
    expect(new Set(cut).size).toBe(3);
    expect(shown(names)[2]).toBe(names[2]);
  });

  test('an empty name gets one', () => {
    expect(shown([''])[0]).toMatch(/^tool_[0-9a-f]{8}$/);
  });

  test.each([
    ['a/b', ['a.b', 'a_b']],
    ['a_b', ['a.b', 'a/b']],
  ])('the name that %s was shown by is never given to another tool', (first, others) => {
    const held = new Map([[first, 'a_b']]);
    expect(shown([first], held)).toEqual(['a_b']);
    for (const name of others) expect(shown([name], held)[0]).toMatch(/^a_b_[0-9a-f]{8}$/);
  });
});

test('a client of the specification needs none', () => {
  expect(aliasesFor(['a/b', '', 'n'.repeat(300)], 'spec')).toEqual(new Map());
});

test('aliases lead back to the names they stand for', () => {
  const aliases = aliasesFor(['a/b', 'c.d'], 'vscode');
  expect(originalsOf(aliases)).toEqual(
    new Map([
      ['a_b', 'a/b'],
      ['c_d', 'c.d'],
    ]),
  );
});

const nameLists = fc.uniqueArray(
  fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.stringMatching(/^[ab./_-]{1,4}$/),
    fc.stringMatching(/^[ab]{44,70}$/),
  ),
  { maxLength: 12 },
);

test('whatever the names, the editor sees each once, legal and the same in any order', () => {
  fc.assert(
    fc.property(nameLists, (names) => {
      const seen = shown(names);
      for (const name of seen) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(new Set(seen.map((name) => name.slice(0, 46))).size).toBe(names.length);
      expect(aliasesFor([...names].reverse(), 'vscode')).toEqual(aliasesFor(names, 'vscode'));
    }),
  );
});

test('pages one after the other never share a name', () => {
  fc.assert(
    fc.property(nameLists, fc.nat(12), (names, cut) => {
      const pages = [names.slice(0, cut), names.slice(cut)];
      const held = new Map<string, string>();
      for (const page of pages) {
        const aliases = aliasesFor(page, 'vscode', held);
        for (const name of page) held.set(name, aliases.get(name) ?? name);
      }
      expect(new Set([...held.values()].map((name) => name.slice(0, 46))).size).toBe(names.length);
    }),
  );
});
