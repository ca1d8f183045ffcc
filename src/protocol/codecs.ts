import { codec as draft } from './revisions/draft/codec.ts';
import { codec as of20241105 } from './revisions/2024-11-05/codec.ts';
import { codec as of20250326 } from './revisions/2025-03-26/codec.ts';
import { codec as of20250618 } from './revisions/2025-06-18/codec.ts';
import { codec as of20251125 } from './revisions/2025-11-25/codec.ts';
import { codec as of20260728 } from './revisions/2026-07-28/codec.ts';
import type { Codec } from './codec.ts';
import type { Revision } from './revision.ts';

const BY_REVISION: Readonly<Record<Revision, Codec>> = {
  '2024-11-05': of20241105,
  '2025-03-26': of20250326,
  '2025-06-18': of20250618,
  '2025-11-25': of20251125,
  '2026-07-28': of20260728,
  draft,
};

/** How a revision writes its results and errors. */
export function codecOf(revision: Revision): Codec {
  return BY_REVISION[revision];
}
