import { features as draft } from './revisions/draft/features.ts';
import { features as from20241105 } from './revisions/2024-11-05/features.ts';
import { features as from20250326 } from './revisions/2025-03-26/features.ts';
import { features as from20250618 } from './revisions/2025-06-18/features.ts';
import { features as from20251125 } from './revisions/2025-11-25/features.ts';
import { features as from20260728 } from './revisions/2026-07-28/features.ts';
import type { Revision } from './revision.ts';

/** Things that one revision can say and another cannot. These names are what a policy allows and a report shows. */
export const FEATURES = [
  'tool-annotations',
  'tool-audio-content',
  'tool-resource-link',
  'tool-structured-output',
  'tool-structured-any',
  'audio-in-prompt',
  'resource-link-in-prompt',
  'completion-context',
  'elicitation-form',
  'elicitation-url',
  'elicitation-multi-select',
  'elicitation-titled-enum',
  'sampling-tools',
  'result-type',
  'json-rpc-batch',
] as const;

/**
 * Departures from the letter of a revision that a reader may not survive. They belong to no revision; a policy allows
 * them by name like any feature.
 */
export const REPAIRS = [
  'envelope',
  'null-member',
  'result-content',
  'result-completion',
  'content-block',
  'tool-definition',
  'tool-hints',
  'tool-name',
  'schema-dialect',
  'schema-reference',
  'header-annotation',
  'unsafe-url',
  'client-capability',
] as const;

export type Feature = (typeof FEATURES)[number];
export type Repair = (typeof REPAIRS)[number];

/** Whatever a step, a refusal or a policy can be about. */
export type Concern = Feature | Repair;

export const CONCERNS: readonly Concern[] = [...FEATURES, ...REPAIRS];

const BY_REVISION: Readonly<Record<Revision, ReadonlySet<Feature>>> = {
  '2024-11-05': new Set(from20241105),
  '2025-03-26': new Set(from20250326),
  '2025-06-18': new Set(from20250618),
  '2025-11-25': new Set(from20251125),
  '2026-07-28': new Set(from20260728),
  draft: new Set(draft),
};

export function featuresOf(revision: Revision): ReadonlySet<Feature> {
  return BY_REVISION[revision];
}

export function isConcern(name: string): name is Concern {
  return (CONCERNS as readonly string[]).includes(name);
}
