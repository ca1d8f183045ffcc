import { features as draft } from './revisions/draft/features.ts';
import { features as from20241105 } from './revisions/2024-11-05/features.ts';
import { features as from20250326 } from './revisions/2025-03-26/features.ts';
import { features as from20250618 } from './revisions/2025-06-18/features.ts';
import { features as from20251125 } from './revisions/2025-11-25/features.ts';
import { features as from20260728 } from './revisions/2026-07-28/features.ts';
import type { Feature } from './concern.ts';
import type { Revision } from './revision.ts';

const BY_REVISION: Readonly<Record<Revision, ReadonlySet<Feature>>> = {
  '2024-11-05': new Set(from20241105),
  '2025-03-26': new Set(from20250326),
  '2025-06-18': new Set(from20250618),
  '2025-11-25': new Set(from20251125),
  '2026-07-28': new Set(from20260728),
  draft: new Set(draft),
};

/** What a revision can say. */
export function featuresOf(revision: Revision): ReadonlySet<Feature> {
  return BY_REVISION[revision];
}
