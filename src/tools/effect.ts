import type { ToolHints } from './hints.ts';

/** What a call may do: nothing, the same again, or something each time. */
export const EFFECTS = ['read', 'idempotent', 'write'] as const;

export type Effect = (typeof EFFECTS)[number];

/** The effect to count with: the user's word, else the hints'; a tool that claims nothing or contradicts itself writes. */
export function effectOf(hints: ToolHints, override?: Effect): Effect {
  if (override !== undefined) return override;
  if (hints.readOnlyHint.value) {
    return hints.contradictory && hints.readOnlyHint.source === 'declared' ? 'write' : 'read';
  }
  return hints.idempotentHint.value ? 'idempotent' : 'write';
}
