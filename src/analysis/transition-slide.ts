import type { Direction } from './facts.ts';
import type { FrameSketch } from './shot-sketch.ts';

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
}

/** Samples looked at when choosing direction and kind. */
const PROBES = 8;

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

/** Explains the samples between `start` and `end` as the one picture moving out and the other moving in. */
export function analyseSlide(
  samples: readonly FrameSketch[],
  start: number,
  end: number,
  from: number,
  to: number,
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
  const axis = axes[way.vertical ? 1 : 0];
  const progress = new Float64Array(to - from + 1);
  for (let i = from; i <= to; i++) {
    progress[i - from] = axis.bestShift(axis.compare(samples[i]), way, variant).shift / axis.lines;
  }
  const residual = Math.sqrt(left / (energy * probes.length));
  return { direction: way.direction, variant, residual, progress };
}

/** Up to `PROBES` indices between the two, spread evenly. */
export function probeIndices(start: number, end: number): number[] {
  const count = Math.min(PROBES, end - start - 1);
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

  /** Lines of RGB, smoothed by 1-2-1 along the movement so that parts of a pixel matter less. */
  #cut(sketch: FrameSketch): Float32Array {
    const { width, height, pixels } = sketch;
    const across = this.#vertical ? width : height;
    const out = new Float32Array(width * height * 3);
    const step = this.#vertical ? width * 3 : 3;
    for (let line = 0; line < this.lines; line++) {
      const before = line === 0 ? 0 : -step;
      const after = line === this.lines - 1 ? 0 : step;
      for (let i = 0; i < across; i++) {
        const p = this.#vertical ? (line * width + i) * 3 : (i * width + line) * 3;
        const q = (line * across + i) * 3;
        for (let c = 0; c < 3; c++) {
          out[q + c] = (pixels[p + c + before] + 2 * pixels[p + c] + pixels[p + c + after]) / 4;
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
