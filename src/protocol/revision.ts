/** The revisions of the Model Context Protocol, oldest first. */
export const REVISIONS = [
  '2024-11-05',
  '2025-03-26',
  '2025-06-18',
  '2025-11-25',
  '2026-07-28',
  'draft',
] as const;

export type Revision = (typeof REVISIONS)[number];

/**
 * `legacy`: a session opened by `initialize`. `modern`: no handshake, `_meta` on every request (2026-07-28, Versioning,
 * Terminology).
 */
export type Era = 'legacy' | 'modern';

export const NEWEST_LEGACY: Revision = '2025-11-25';
export const NEWEST_MODERN: Revision = '2026-07-28';

const MODERN: ReadonlySet<string> = new Set(['2026-07-28', 'draft']);

/** The revisions of the modern era, the one to prefer first. */
export const MODERN_REVISIONS: readonly Revision[] = [NEWEST_MODERN, 'draft'];

export function isRevision(text: unknown): text is Revision {
  return typeof text === 'string' && (REVISIONS as readonly string[]).includes(text);
}

export function eraOf(revision: Revision): Era {
  return MODERN.has(revision) ? 'modern' : 'legacy';
}

export function isModernRevision(text: unknown): text is Revision {
  return isRevision(text) && eraOf(text) === 'modern';
}

export function isLegacyRevision(text: unknown): text is Revision {
  return isRevision(text) && eraOf(text) === 'legacy';
}

/** True where `revision` came out at `floor` or later. */
export function isAtLeast(revision: Revision, floor: Revision): boolean {
  return REVISIONS.indexOf(revision) >= REVISIONS.indexOf(floor);
}
