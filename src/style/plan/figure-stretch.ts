/** Outer shares of a figure's profile on either side that are ignored, such as a hand or a shadow. */
const TAIL = 0.05;
/**
 * The same from above: the head of an upright figure is a twentieth. With a hundredth the second camera cuts
 * the top less often than with more (docs/notebook/framing.md, "Constants").
 */
export const HEAD_TAIL = 0.01;
/** If less of a figure is visible, it is not the subject. */
const MIN_SHARE = 0.25;

/**
 * Range of a profile between two positions without its tails, in shares of the picture's side; null: it contains hardly
 * anything. `tail`: of the first position.
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
