/** A word with more errors than this share of its letters is another word. */
const TOLERATED_SHARE = 1 / 3;

/** `; did you mean …?` if a known word is similar, else an empty text. */
export function didYouMean(typed: string, known: readonly string[]): string {
  const nearest = nearestWord(typed, known);
  return nearest === null ? '' : `; did you mean ${nearest}?`;
}

/** The known word with the fewest typing errors, or the only one with this beginning; null: none is similar. */
export function nearestWord(typed: string, known: readonly string[]): string | null {
  const word = typed.toLowerCase();
  const begun = word.length < 2 ? [] : known.filter((one) => one.toLowerCase().startsWith(word));
  if (begun.length === 1) return begun[0];
  let [best, least] = [null as string | null, Number.POSITIVE_INFINITY];
  for (const one of known) {
    const slips = slipsBetween(word, one.toLowerCase());
    if (slips < least && slips <= Math.max(1, TOLERATED_SHARE * one.length)) [best, least] = [one, slips];
  }
  return best;
}

/** Number of letters missing, added, changed and swapped (optimal string alignment distance). */
function slipsBetween(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= one.length; row++) {
    rows.push([row]);
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1] ? 0 : 1;
      const swapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      rows[row].push(
        Math.min(
          rows[row - 1][column] + 1,
          rows[row][column - 1] + 1,
          rows[row - 1][column - 1] + same,
          swapped ? rows[row - 2][column - 2] + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return rows[one.length][other.length];
}
