/** Half width, in CIELAB units, of the colours that count as near-neutral: the deviation of a Gaussian. */
const NEUTRAL_DEVIATION = 35;
/** Mid-tones: none of the first lightness, all of the second … third, none of the fourth. */
const MIDTONES = [16, 24, 81, 89] as const;
/** A neutral that is off is half the grade's doing and half the content's own: so it counts by half. */
const NEUTRAL_SHARE = 0.5;

/** Chroma, CIELAB units, is sorted in steps up to 150: the most that sRGB has is 134, of its blue. */
const CHROMA_STEP = 0.25;
const CHROMA_BINS = 600;
/** Greys from this far above black and below white, in lightness, have all of a cast. */
const ABOVE_BLACK = 35;
const BELOW_WHITE = 15;

interface Cast {
  readonly a: number;
  readonly b: number;
  /** Of the pixels that it rests on: 0..1. */
  readonly share: number;
}

/**
 * Where the greys of the mid-tones lie, from cells of weight, L, a, b: the mean under a wide Gaussian about the true
 * neutral. The Gaussian does not follow a mode: one that does runs after a blue sky, and then a warmer grade
 * measures colder; a narrower one loses the sea of a single shot likewise. Tried on the same pictures and no better:
 * grey world, shades of grey and grey edge (van de Weijer 2007), medians, the least coloured fifth, values relative to
 * lightness.
 */
export function castOf(cells: Float64Array): Cast {
  let [sum, sumA, sumB, total] = [0, 0, 0, 0];
  for (let at = 0; at < cells.length; at += 4) {
    const [count, lightness, a, b] = [cells[at]!, cells[at + 1]!, cells[at + 2]!, cells[at + 3]!];
    total += count;
    const weight = count * midtone(lightness) * Math.exp(-(a * a + b * b) / (2 * NEUTRAL_DEVIATION ** 2));
    sum += weight;
    sumA += weight * a;
    sumB += weight * b;
  }
  if (sum <= 0) return { a: 0, b: 0, share: 0 };
  return { a: sumA / sum, b: sumB / sum, share: Math.min(1, sum / total) };
}

/**
 * The typical chroma, cells as above: the mean of its middle half, which is as robust as the median but does not jump
 * where a picture is half grey, half coloured. It counts from half-way to the neutral found, because a cast colours
 * every grey and saturates nothing.
 */
export function chromaAbout(cells: Float64Array, neutral: Cast): number {
  const [originA, originB] = [NEUTRAL_SHARE * neutral.a, NEUTRAL_SHARE * neutral.b];
  const weights = new Float64Array(CHROMA_BINS);
  const sums = new Float64Array(CHROMA_BINS);
  let total = 0;
  for (let at = 0; at < cells.length; at += 4) {
    const weight = cells[at]!;
    const tinted = tintedShare(cells[at + 1]!);
    const a = cells[at + 2]! - tinted * originA;
    const b = cells[at + 3]! - tinted * originB;
    const chroma = Math.sqrt(a * a + b * b);
    const bin = Math.min(CHROMA_BINS - 1, Math.floor(chroma / CHROMA_STEP));
    total += weight;
    weights[bin]! += weight;
    sums[bin]! += weight * chroma;
  }
  if (total === 0) return 0;
  const [from, to] = [total / 4, (3 * total) / 4];
  let [below, sum] = [0, 0];
  for (let bin = 0; bin < CHROMA_BINS; bin++) {
    const weight = weights[bin]!;
    if (weight === 0) continue;
    const inside = Math.min(below + weight, to) - Math.max(below, from);
    if (inside > 0) sum += (inside * sums[bin]!) / weight;
    below += weight;
  }
  return sum / (to - from);
}

/** Black and white take no cast: what of it greys of this lightness have. */
function tintedShare(lightness: number): number {
  return Math.max(0, Math.min(1, lightness / ABOVE_BLACK, (100 - lightness) / BELOW_WHITE));
}

function midtone(lightness: number): number {
  const [none, all, still, over] = MIDTONES;
  const rising = (lightness - none) / (all - none);
  const falling = (over - lightness) / (over - still);
  return Math.max(0, Math.min(1, rising, falling));
}
