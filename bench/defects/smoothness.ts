/** Blocks and bands of an output where its source is smooth: skies, walls, gradients. */
import type { ComparedMoment } from './compared.ts';

type Compared = Pick<ComparedMoment, 'before' | 'after'> & {
  readonly output: Pick<ComparedMoment['output'], 'width' | 'height'>;
};

/** Side of a window in points of a small picture of 400 × 225: three blocks of a 480-line output. */
const SIDE = 24;
/**
 * In lightness, deviation from the surface of second order through a window. Seas and skies have .1 to .3 before and after x264 at 19 to 28; bands of
 * six levels have .5, blocks of four 1.
 */
const LIMITS = { smooth: 0.35, rough: 0.4 } as const;
/** The output deviates by so many times more than its contrast explains. */
const MIN_TIMES = 1.7;
/** Contrast of a grade: its curve is no steeper. */
const LARGEST_SLOPE = 2.2;

/** Share of the picture that is smooth in the source and not in the output; 0 for padded pictures. */
export function roughShare({ before, after, output: { width, height } }: Compared): number {
  if (before.length !== 3 * width * height) return 0;
  let [rough, all] = [0, 0];
  for (let y = 0; y + SIDE <= height; y += SIDE) {
    for (let x = 0; x + SIDE <= width; x += SIDE) {
      all++;
      const own = surfaceOf(before, width, x, y);
      if (own.deviation > LIMITS.smooth) continue;
      const { contrast, deviation } = surfaceOf(after, width, x, y);
      const slope = Math.min(LARGEST_SLOPE, Math.max(1, contrast / Math.max(1, own.contrast)));
      if (deviation > Math.max(LIMITS.rough, MIN_TIMES * slope * own.deviation)) rough++;
    }
  }
  return rough / Math.max(1, all);
}

/** A window's range along its surface, and the median distance of its points from that surface: single letters do not count. */
interface Surface {
  readonly contrast: number;
  readonly deviation: number;
}

/** Orthogonal on a square grid about its middle: constant, slopes, curvatures. */
const BASIS = basisOf(SIDE);

function surfaceOf(lab: Float32Array, width: number, left: number, top: number): Surface {
  const points = Float64Array.from(
    { length: SIDE * SIDE },
    (_, at) => lab[3 * ((top + Math.floor(at / SIDE)) * width + left + (at % SIDE))]!,
  );
  const sums = BASIS.map((weights) => weights.reduce((sum, weight, at) => sum + weight * points[at]!, 0));
  const varied = sums.slice(1).reduce((sum, value) => sum + value * value, 0);
  const distances = points.map((value, at) =>
    Math.abs(value - BASIS.reduce((sum, weights, term) => sum + weights[at]! * sums[term]!, 0)),
  );
  return {
    contrast: Math.sqrt((12 * varied) / points.length),
    deviation: distances.sort()[points.length >> 1]!,
  };
}

/** Terms of length 1. */
function basisOf(side: number): Float64Array[] {
  const places = Array.from({ length: side }, (_, at) => at - (side - 1) / 2);
  const spread = places.reduce((sum, place) => sum + place * place, 0) / side;
  const terms = [
    () => 1,
    (x: number) => x,
    (_: number, y: number) => y,
    (x: number) => x * x - spread,
    (_: number, y: number) => y * y - spread,
    (x: number, y: number) => x * y,
  ];
  return terms.map((term) => {
    const values = places.flatMap((y) => places.map((x) => term(x, y)));
    const length = Math.hypot(...values);
    return Float64Array.from(values, (value) => value / length);
  });
}
