/**
 * Keeps strong colours what they are: a cast tints greys and turns strong colours little, and a paler palette takes less chroma
 * from them than from others. Smooth in (a, b), so that neighbouring colours stay neighbours.
 */
import { smoothstep } from '../../signal/interpolation.ts';
import type { Grade } from '../model/timeline.ts';

type Pair = readonly [number, number];
type StrongGrade = Pick<Grade, 'matrix' | 'centre' | 'paleness' | 'strongChroma' | 'colorGuard'>;

const DEGREES = 180 / Math.PI;
/** Chroma between which colours become strong: skin has 20 to 44, neon, flames and brand colors 50 to 130. */
const STRONG = [15, 45] as const;
/** A cast moves a strong color across its hue by at most this share of its chroma, which is 8.5 degrees. */
const LARGEST_SHARE = 0.15;
/** Chroma from which that share holds. Below, the limit rises with this power: wood and skin of chroma 30 are 17 times as free. */
const FULL_CHROMA = 45;
const FREEDOM = 7;
/**
 * Lines of one hue bend in CIELAB where colors are blue: degrees that a blue turns with all its chroma, at this hue and within about
 * this many degrees of it. Oklab (Ottosson 2020) turns the blue primary by 12 degrees with half of its chroma, and purple by 2.
 */
const BLUE = { turnDegrees: 32, hueDegrees: -62, widthDegrees: 14 } as const;

/** (a, b) through the factor of chroma of `grade`, before any cast. */
export function mappedColour(grade: StrongGrade, a: number, b: number): [number, number] {
  const [ma, mb, mc, md] = grade.matrix;
  const [da, db] = [a - grade.centre[0], b - grade.centre[1]];
  let [x, y] = [grade.centre[0] + ma * da + mb * db, grade.centre[1] + mc * da + md * db];
  const { paleness = 1, strongChroma, colorGuard = 0 } = grade;
  if (strongChroma !== undefined) {
    const strong = smoothstep(...STRONG, paleness * Math.hypot(a, b));
    x += strong * (strongChroma * a - x);
    y += strong * (strongChroma * b - y);
  }
  return colorGuard === 0 ? [x, y] : turned([x, y], blueTurn([x, y], paleness * Math.hypot(a, b)));
}

/**
 * The part of a cast that a color receives: all of it where it is grey or where the cast has its hue, little of it where it is strong.
 * `mapped` is the color without the cast, `chroma` that of the source.
 */
export function castOn(mapped: Pair, chroma: number, [castA, castB]: Pair, guard: number): [number, number] {
  const length = Math.hypot(castA, castB);
  const mappedChroma = Math.hypot(...mapped);
  if (guard === 0 || mappedChroma < 1e-6 || length < 1e-6) return [castA, castB];
  const across = 1 - (mapped[0] * castA + mapped[1] * castB) / (mappedChroma * length);
  const limit = LARGEST_SHARE * mappedChroma * Math.max(1, (FULL_CHROMA / chroma) ** FREEDOM);
  const share = 1 / Math.hypot(1, (guard * across * length) / limit);
  return [share * castA, share * castB];
}

/** Radians by which a blue that was of `chroma` turns in CIELAB as it gets paler, so that it stays blue. */
function blueTurn([a, b]: Pair, chroma: number): number {
  const lost = chroma < 1e-6 ? 0 : Math.max(0, 1 - Math.hypot(a, b) / chroma);
  const away = (Math.atan2(b, a) * DEGREES - BLUE.hueDegrees) / BLUE.widthDegrees;
  return (-BLUE.turnDegrees * lost * Math.exp(-(away ** 2))) / DEGREES;
}

function turned([a, b]: Pair, radians: number): [number, number] {
  const [cosine, sine] = [Math.cos(radians), Math.sin(radians)];
  return [a * cosine - b * sine, a * sine + b * cosine];
}
