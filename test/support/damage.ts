import fc from 'fast-check';

const junk = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e300, '', 'x', 'QUJD', 'QUJ', 'a b*'),
  fc.constantFrom<unknown>([], {}, [null], ['a', 1], [[]], [{}], { a: 1 }, { type: 'text' }),
  fc.constantFrom<unknown>('2025-01-12T15:00:58', '2025-02-30T15:00:58Z', 'assistant', 'system'),
  fc.jsonValue({ maxDepth: 2 }),
);

type Damage = readonly (readonly [where: number, by: { readonly value: unknown } | 'removed'])[];

/** Damage to one to four places of a value. */
export const damage: fc.Arbitrary<Damage> = fc.array(
  fc.tuple(
    fc.nat(10_000),
    fc.oneof({ weight: 4, arbitrary: fc.record({ value: junk }) }, fc.constant('removed' as const)),
  ),
  { minLength: 1, maxLength: 4 },
);

type Holder = Record<string | number, unknown>;

/** Every place in a value. */
function placesIn(value: unknown): { readonly holder: Holder; readonly key: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Holder;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])]);
}

/** A copy of a value with the damage done. */
export function damaged(sample: object, damage: Damage): unknown {
  const root = { value: structuredClone(sample) };
  for (const [where, by] of damage) {
    const places = placesIn(root);
    const place = places[where % places.length];
    if (place === undefined) continue;
    const { holder, key } = place;
    if (by !== 'removed') holder[key] = structuredClone(by.value);
    else if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else if (holder !== root) delete holder[key];
  }
  return root.value;
}
