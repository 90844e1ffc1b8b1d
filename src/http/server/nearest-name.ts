/** Typing errors accepted in a word; fewer in short words. */
const MAX_TYPOS = 2;

/** The known name that was probably meant; undefined: none is similar. */
export function nearestName(unknown: string, known: readonly string[]): string | undefined {
  const near = known
    .map((name) => ({ name, typos: editDistance(unknown.toLowerCase(), name) }))
    // Otherwise a short name would be similar to anything.
    .filter(({ name, typos }) => typos <= Math.min(MAX_TYPOS, Math.floor(name.length / 3)));
  return near.sort((one, other) => one.typos - other.typos)[0]?.name;
}

/** Counts inserted, deleted, replaced and transposed letters (optimal string alignment, Damerau 1964). */
function editDistance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > MAX_TYPOS) return Number.POSITIVE_INFINITY;
  let [before, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      row[j] = Math.min(row[j - 1] + 1, last[j] + 1, last[j - 1] + (isSame ? 0 : 1));
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (isSwapped) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    [before, last] = [last, row];
  }
  return last[other.length];
}
