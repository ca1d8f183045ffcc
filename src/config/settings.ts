import { CONCERNS, isConcern, type Concern } from '../protocol/concern.ts';
import { PERMISSIVE, STRICT, type DegradePolicy } from '../translate/policy.ts';
import { didYouMean } from './nearestName.ts';
import { quote } from './quote.ts';

/** The setting that says which losses happen. */
export const DEGRADE_POLICY_SETTING = 'mcpRosetta.degradePolicy';

/** The setting that names the losses that happen under `perFeature`. */
export const ALLOWED_DOWNGRADES_SETTING = 'mcpRosetta.allowedDowngrades';

/** The values of `mcpRosetta.degradePolicy`. */
export const POLICY_NAMES = ['strict', 'permissive', 'perFeature'] as const;

/** The policy that two settings stand for, and what is wrong with them. */
export interface PolicySettings {
  readonly policy: DegradePolicy;
  readonly problems: readonly string[];
}

function readNames(allowed: unknown): { features: Set<Concern>; problems: string[] } {
  const features = new Set<Concern>();
  if (allowed === undefined) return { features, problems: [] };
  if (!Array.isArray(allowed)) {
    const message = `${ALLOWED_DOWNGRADES_SETTING} must be a list of names; nothing is allowed until it is.`;
    return { features, problems: [message] };
  }
  const problems: string[] = [];
  for (const name of allowed as unknown[]) {
    if (typeof name === 'string' && isConcern(name)) features.add(name);
    else {
      const text = typeof name === 'string' ? name : JSON.stringify(name);
      const hint = didYouMean(text, CONCERNS);
      problems.push(
        `${ALLOWED_DOWNGRADES_SETTING} does not know ${quote(text)}${hint === '' ? '; remove it.' : hint}`,
      );
    }
  }
  return { features, problems };
}

/** Reads the values of the two settings. Whatever cannot be read allows nothing. */
export function policyFromSettings(policy: unknown, allowed: unknown): PolicySettings {
  switch (policy) {
    case undefined:
    case 'strict':
      return { policy: STRICT, problems: [] };
    case 'permissive':
      return { policy: PERMISSIVE, problems: [] };
    case 'perFeature': {
      const { features, problems } = readNames(allowed);
      return { policy: { kind: 'features', features }, problems };
    }
    default: {
      const names = POLICY_NAMES.map((name) => `"${name}"`).join(', ');
      const message = `${DEGRADE_POLICY_SETTING} must be one of ${names}; "strict" is used until it is.`;
      return { policy: STRICT, problems: [message] };
    }
  }
}
