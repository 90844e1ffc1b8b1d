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
 * Two figures are separate if a column or row between them has at most this share of the profile and each of
 * them has a large share. Tuning halves: four more shots are padded, three rightly; with .03 two wrongly
 * (docs/notebook/framing.md, "Constants").
 */
const APART_SHARE = 0.02;
const MIN_FIGURE_SHARE = 0.2;

/** A range along a side of the picture, in shares of it. */
export interface Stretch {
  readonly from: number;
  readonly size: number;
}

export interface WeightedStretch extends Stretch {
  readonly weight: number;
}

/**
 * Range of a profile between two positions without its tails, in shares of the picture's side; null: it contains hardly
 * anything. `tail`: of the first position.
 */
export function stretchOf(shares: readonly number[], from = 0, to = 1, tail = TAIL): Stretch | null {
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

/** Separate figures of a profile, if there are at least two: a single one, or overlapping ones, cannot be counted. */
export function figuresApart(shares: readonly number[]): WeightedStretch[] {
  const size = 1 / shares.length;
  const runs: WeightedStretch[] = [];
  let isSeen = false;
  for (const [part, weight] of shares.entries()) {
    const wasSeen = isSeen;
    isSeen = weight >= APART_SHARE;
    if (!isSeen) continue;
    const last = wasSeen ? runs.pop()! : { from: part * size, size: 0, weight: 0 };
    runs.push({ ...last, size: last.size + size, weight: last.weight + weight });
  }
  const figures = runs.filter(({ weight }) => weight >= MIN_FIGURE_SHARE);
  return figures.length > 1 ? figures : [];
}

/** Amount of a profile between two positions, in shares of the picture's side. */
export function amountWithin(shares: readonly number[], from: number, to: number): number {
  const size = 1 / shares.length;
  return shares.reduce((sum, share, part) => {
    const seen = Math.max(0, Math.min(to, (part + 1) * size) - Math.max(from, part * size));
    return sum + (share * seen) / size;
  }, 0);
}
