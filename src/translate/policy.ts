import { isConcern, type Concern } from '../protocol/concern.ts';

/** Which losses the user lets happen: none, all, or those of the named features. */
export type DegradePolicy =
  | { readonly kind: 'strict' }
  | { readonly kind: 'permissive' }
  | { readonly kind: 'features'; readonly features: ReadonlySet<Concern> };

export const STRICT: DegradePolicy = { kind: 'strict' };
export const PERMISSIVE: DegradePolicy = { kind: 'permissive' };

export function allows(policy: DegradePolicy, concern: Concern): boolean {
  switch (policy.kind) {
    case 'strict':
      return false;
    case 'permissive':
      return true;
    case 'features':
      return policy.features.has(concern);
  }
}

/** The policy in the words in which `--degrade` takes it. */
export function describePolicy(policy: DegradePolicy): string {
  return policy.kind === 'features' ? [...policy.features].sort().join(',') : policy.kind;
}

/** Reads `strict`, `permissive` or a comma-separated list of feature names; else the name that is not known. */
export function parsePolicy(
  text: string,
): { kind: 'policy'; policy: DegradePolicy } | { kind: 'unknown'; name: string } {
  if (text === 'strict') return { kind: 'policy', policy: STRICT };
  if (text === 'permissive') return { kind: 'policy', policy: PERMISSIVE };
  const features = new Set<Concern>();
  for (const name of text.split(',').map((part) => part.trim())) {
    if (!isConcern(name)) return { kind: 'unknown', name };
    features.add(name);
  }
  return { kind: 'policy', policy: { kind: 'features', features } };
}
