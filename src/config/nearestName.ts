/** How many letters must be added, removed, replaced or swapped to make `b` of `a`, in any case of letters. */
function distance(a: string, b: string): number {
  const from = [...a.toLowerCase()];
  const to = [...b.toLowerCase()];
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, j) => j);
  for (const [i, letter] of from.entries()) {
    const row = [i + 1];
    for (const [j, other] of to.entries()) {
      const replaced = (last[j] ?? 0) + (letter === other ? 0 : 1);
      const swapped =
        i > 0 && j > 0 && letter === to[j - 1] && other === from[i - 1]
          ? (beforeLast[j - 1] ?? 0) + 1
          : Infinity;
      row.push(Math.min(replaced, swapped, (last[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1));
    }
    beforeLast = last;
    last = row;
  }
  return last[to.length] ?? 0;
}

/** The known name that `name` was most likely meant to be; undefined where none is near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  // A peer's or a file's name may be of any length; none that long is a slip of the hand.
  if (name.length > 64) return undefined;
  let best: string | undefined;
  let bestDistance = Infinity;
  for (const candidate of known) {
    const allowed = Math.max(1, Math.floor(Math.max(candidate.length, name.length) / 3));
    const found = distance(name, candidate);
    if (found <= allowed && found < bestDistance) {
      best = candidate;
      bestDistance = found;
    }
  }
  if (best !== undefined || name.length < 3) return best;
  // The beginning of a long name is nobody's typing error, but it is meant.
  const longer = known.filter((candidate) => candidate.startsWith(name.toLowerCase()));
  return longer.length === 1 ? longer[0] : undefined;
}

/** The words to put after a message about a name that is not known. */
export function didYouMean(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}
