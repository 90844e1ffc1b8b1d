/** Half width, in CIELAB units, of the colors that count as near-neutral: the deviation of a Gaussian. */
const NEUTRAL_DEVIATION = 35;
/** Weight of mid-tones by lightness: 0 at the first, 1 from the second to the third, 0 at the fourth. */
const MIDTONES = [16, 24, 81, 89] as const;

interface Cast {
  readonly a: number;
  readonly b: number;
  /** Share of near-neutral pixels, 0..1. */
  readonly share: number;
}

/**
 * The neutral of the mid-tones, from cells of weight, L, a, b: the mean under a wide Gaussian about the true
 * neutral. Mode seeking drifts to a blue sky, and a warmer grade then measures colder. A narrower Gaussian
 * also loses the sea of a single shot. No better: grey world, shades of grey, grey edge (van de Weijer 2007),
 * medians, the least colored fifth, values relative to lightness.
 */
export function castOf(cells: Float64Array): Cast {
  let [sum, sumA, sumB, total] = [0, 0, 0, 0];
  for (let at = 0; at < cells.length; at += 4) {
    const [count, lightness, a, b] = [cells[at], cells[at + 1], cells[at + 2], cells[at + 3]];
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
 * The typical chroma, cells as above: the mean of its middle half. It is as robust as the median, but does
 * not jump in a picture that is half grey, half colored. The origin is half-way to the neutral. A cast
 * colors every grey without saturating anything, and a shifted neutral comes half from the grade, half from
 * the content.
 */
export function chromaAbout(cells: Float64Array, neutral: Cast): number {
  const chromas: { readonly weight: number; readonly chroma: number }[] = [];
  let total = 0;
  for (let at = 0; at < cells.length; at += 4) {
    const [weight, a, b] = [cells[at], cells[at + 2] - neutral.a / 2, cells[at + 3] - neutral.b / 2];
    chromas.push({ weight, chroma: Math.sqrt(a * a + b * b) });
    total += weight;
  }
  if (total === 0) return 0;
  chromas.sort((one, other) => one.chroma - other.chroma);
  const [from, to] = [total / 4, (3 * total) / 4];
  let [below, sum] = [0, 0];
  for (const { weight, chroma } of chromas) {
    sum += Math.max(0, Math.min(below + weight, to) - Math.max(below, from)) * chroma;
    below += weight;
  }
  return sum / (to - from);
}

function midtone(lightness: number): number {
  const [none, all, still, over] = MIDTONES;
  const rising = (lightness - none) / (all - none);
  const falling = (over - lightness) / (over - still);
  return Math.max(0, Math.min(1, rising, falling));
}
