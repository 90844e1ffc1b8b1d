import { RGB } from '../../footage.ts';
import { median } from '../../signal/statistics.ts';
import type { Direction } from '../facts.ts';
import type { FrameSketch } from '../frames/sketch.ts';

export const SLIDE = {
  /** Samples looked at when choosing direction and kind. */
  PROBES: 6,
  /** Pixels across the movement that are taken together; of a zoom one in so many is compared. */
  THINNING: 3,
  /** Lines on each side of an edge; nearer ones are smoothed together. */
  SEAM_REACH: 2,
} as const satisfies Readonly<Record<string, number | readonly number[]>>;

/** `push`: both pictures move; `cover`: the new one comes over the old; `reveal`: the old one leaves the new. */
const VARIANTS = ['push', 'cover', 'reveal'] as const;
type Variant = (typeof VARIANTS)[number];

export interface SlideAnalysis {
  readonly direction: Direction;
  readonly variant: Variant;
  /** What the best slide leaves, relative to the difference of the two pictures. */
  readonly residual: number;
  /** Progress 0..1 of every sample from `from` to `to`. */
  readonly progress: Float64Array;
  /**
   * How much more the lines on both sides of the edge between the pictures differ than lines so far apart do
   * elsewhere: about 1 where there is no edge, as in a pan.
   */
  readonly seam: number;
}

interface Way {
  readonly direction: Direction;
  readonly vertical: boolean;
  /** The new picture enters at the last line, not the first. */
  readonly fromEnd: boolean;
}

const WAYS: readonly Way[] = [
  { direction: 'left', vertical: false, fromEnd: true },
  { direction: 'right', vertical: false, fromEnd: false },
  { direction: 'up', vertical: true, fromEnd: true },
  { direction: 'down', vertical: true, fromEnd: false },
];

/**
 * Explains the samples between `start` and `end` as the one picture moving out and the other moving in. Null where
 * that leaves more than `limit`.
 */
export function analyseSlide(
  samples: readonly FrameSketch[],
  start: number,
  end: number,
  from: number,
  to: number,
  limit = Number.POSITIVE_INFINITY,
): SlideAnalysis | null {
  const probes = probeIndices(start, end);
  if (probes.length === 0) return null;
  const axes = [false, true].map((vertical) => new SlideAxis(samples[start], samples[end], vertical));
  const energy = axes[0].energy;
  if (energy === 0) return null;
  const tables = axes.map((axis) => probes.map((probe) => axis.compare(samples[probe])));
  let best: { way: Way; variant: Variant; left: number } | null = null;
  for (const way of WAYS) {
    const axis = axes[way.vertical ? 1 : 0];
    for (const variant of VARIANTS) {
      let left = 0;
      for (const table of tables[way.vertical ? 1 : 0]) left += axis.bestShift(table, way, variant).left;
      if (best === null || left < best.left) best = { way, variant, left };
    }
  }
  if (best === null) return null;
  const { way, variant, left } = best;
  const residual = Math.sqrt(left / (energy * probes.length));
  if (residual > limit) return null;
  const axis = axes[way.vertical ? 1 : 0];
  const progress = new Float64Array(to - from + 1);
  for (let i = from; i <= to; i++) {
    progress[i - from] = axis.bestShift(axis.compare(samples[i]), way, variant).shift / axis.lines;
  }
  const seams = probes
    .map((probe) => axis.seam(samples[probe], way, Math.round(progress[probe - from] * axis.lines)))
    .filter((seam) => seam !== null);
  return {
    direction: way.direction,
    variant,
    residual,
    progress,
    seam: seams.length === 0 ? 1 : median(seams),
  };
}

/** Up to `SLIDE.PROBES` indices between the two, spread evenly. */
export function probeIndices(start: number, end: number): number[] {
  const count = Math.min(SLIDE.PROBES, end - start - 1);
  return Array.from({ length: Math.max(0, count) }, (_, i) =>
    Math.round(start + ((i + 1) * (end - start)) / (count + 1)),
  );
}

interface LineTable {
  /** Squared difference of line `d` of the picture and line `e` of the old and the new one: [d × lines + e]. */
  readonly old: Float64Array;
  readonly fresh: Float64Array;
}

/** The two pictures cut into lines across one direction of movement. */
class SlideAxis {
  readonly lines: number;
  readonly energy: number;
  readonly #vertical: boolean;
  readonly #old: Float32Array;
  readonly #fresh: Float32Array;

  constructor(a: FrameSketch, b: FrameSketch, vertical: boolean) {
    this.#vertical = vertical;
    this.lines = vertical ? a.height : a.width;
    this.#old = this.#cut(a);
    this.#fresh = this.#cut(b);
    let energy = 0;
    for (let i = 0; i < this.#old.length; i++) energy += (this.#old[i] - this.#fresh[i]) ** 2;
    this.energy = energy;
  }

  /**
   * Lines of RGB, smoothed by 1-2-1 along the movement so that parts of a pixel matter less, and thinned across
   * it, where nothing moves.
   */
  #cut(sketch: FrameSketch): Float32Array {
    const { width, height, pixels } = sketch;
    const across = Math.floor((this.#vertical ? width : height) / SLIDE.THINNING);
    const out = new Float32Array(this.lines * across * 3);
    const along = this.#vertical ? width * 3 : 3;
    const aside = this.#vertical ? 3 : width * 3;
    for (let line = 0, q = 0; line < this.lines; line++) {
      const before = line === 0 ? 0 : -along;
      const after = line === this.lines - 1 ? 0 : along;
      for (let i = 0; i < across; i++, q += 3) {
        for (let c = 0; c < RGB; c++) {
          let sum = 0;
          let p = line * along + i * SLIDE.THINNING * aside + c;
          for (let k = 0; k < SLIDE.THINNING; k++, p += aside)
            sum += pixels[p + before] + 2 * pixels[p] + pixels[p + after];
          out[q + c] = sum / (4 * SLIDE.THINNING);
        }
      }
    }
    return out;
  }

  compare(sketch: FrameSketch): LineTable {
    const picture = this.#cut(sketch);
    const n = this.lines;
    const m = picture.length / n;
    const old = new Float64Array(n * n);
    const fresh = new Float64Array(n * n);
    for (let d = 0; d < n; d++) {
      for (let e = 0; e < n; e++) {
        let x = 0;
        let y = 0;
        for (let i = d * m, j = e * m; i < d * m + m; i++, j++) {
          const value = picture[i];
          const u = value - this.#old[j];
          const v = value - this.#fresh[j];
          x += u * u;
          y += v * v;
        }
        old[d * n + e] = x;
        fresh[d * n + e] = y;
      }
    }
    return { old, fresh };
  }

  /** See `SlideAnalysis.seam`; null where the edge is too near to that of the picture. */
  seam(sketch: FrameSketch, way: Way, shift: number): number | null {
    const n = this.lines;
    const edge = way.fromEnd ? n - shift : shift;
    if (edge < SLIDE.SEAM_REACH || edge > n - SLIDE.SEAM_REACH) return null;
    const picture = this.#cut(sketch);
    const m = picture.length / n;
    const differences: number[] = [];
    let atEdge = 0;
    for (let line = SLIDE.SEAM_REACH; line <= n - SLIDE.SEAM_REACH; line++) {
      let sum = 0;
      const before = (line - SLIDE.SEAM_REACH) * m;
      const after = (line + SLIDE.SEAM_REACH - 1) * m;
      for (let i = 0; i < m; i++) sum += Math.abs(picture[before + i] - picture[after + i]);
      if (line === edge) atEdge = sum;
      else differences.push(sum);
    }
    return differences.length === 0 ? null : (atEdge + m) / (median(differences) + m);
  }

  /** The number of lines that the new picture has come in by, and the squared difference left. */
  bestShift(table: LineTable, way: Way, variant: Variant): { shift: number; left: number } {
    const n = this.lines;
    const at = (line: number): number => (way.fromEnd ? n - 1 - line : line);
    let best = { shift: 0, left: Number.POSITIVE_INFINITY };
    for (let shift = 0; shift <= n; shift++) {
      let left = 0;
      for (let d = 0; d < n && left < best.left; d++) {
        const row = at(d) * n;
        left +=
          d < shift
            ? table.fresh[row + at(variant === 'reveal' ? d : d + n - shift)]
            : table.old[row + at(variant === 'cover' ? d : d - shift)];
      }
      if (left < best.left) best = { shift, left };
    }
    return best;
  }
}
