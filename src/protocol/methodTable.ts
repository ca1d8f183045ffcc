import { methods as draft } from './revisions/draft/methods.ts';
import { methods as of20241105 } from './revisions/2024-11-05/methods.ts';
import { methods as of20250326 } from './revisions/2025-03-26/methods.ts';
import { methods as of20250618 } from './revisions/2025-06-18/methods.ts';
import { methods as of20251125 } from './revisions/2025-11-25/methods.ts';
import { methods as of20260728 } from './revisions/2026-07-28/methods.ts';
import type { Methods } from './methods.ts';
import { REVISIONS, type Revision } from './revision.ts';

const BY_REVISION: Readonly<Record<Revision, Methods>> = {
  '2024-11-05': of20241105,
  '2025-03-26': of20250326,
  '2025-06-18': of20250618,
  '2025-11-25': of20251125,
  '2026-07-28': of20260728,
  draft,
};

/** The requests of a revision. */
export function methodsOf(revision: Revision): Methods {
  return BY_REVISION[revision];
}

/** True for a request that an older revision had and this one does without: it has no meaning any more. */
export function isRetired(method: string, revision: Revision): boolean {
  const { requests, extensions } = methodsOf(revision);
  if (requests.has(method) || extensions.has(method)) return false;
  const older = REVISIONS.slice(0, REVISIONS.indexOf(revision));
  return older.some((each) => methodsOf(each).requests.has(method));
}
