/** Outer shares of what is seen of a figure, on either side, that are left out: a hand, a shadow. */
const TAIL = 0.05;
/**
 * The same from above, where the head of an upright figure is a twentieth. Of marked moments of the tuning halves at its own ratio a second
 * camera cuts the top in .13 and .33 at a twentieth, .10 and .18 at a fiftieth, .10 and .11 at a hundredth, and shows less of the rest below.
 */
export const HEAD_TAIL = 0.01;
/** Where less of a figure is seen, it is not what is shown there. */
const MIN_SHARE = 0.25;

/**
 * Where the shares of a profile lie between two places, but for the tails, in shares of the picture's side; null: hardly any do. `tail`: of
 * the first one.
 */
export function stretchOf(
  shares: readonly number[],
  from = 0,
  to = 1,
  tail = TAIL,
): { readonly from: number; readonly size: number } | null {
  const size = 1 / shares.length;
  const inside = shares.map((share, part) => {
    const start = Math.max(from, part * size);
    const seen = Math.max(0, Math.min(to, (part + 1) * size) - start);
    return { start, seen, share: (share * seen) / size };
  });
  const all = inside.reduce((sum, { share }) => sum + share, 0);
  if (all < MIN_SHARE) return null;
  const placeOf = (wanted: number) => {
    let [part, passed] = [0, 0];
    while (passed + inside[part].share < wanted) passed += inside[part++].share;
    const { start, seen, share } = inside[part];
    return start + (seen * (wanted - passed)) / share;
  };
  const start = placeOf(tail * all);
  return { from: start, size: placeOf((1 - TAIL) * all) - start };
}
