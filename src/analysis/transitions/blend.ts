import { clamp } from '../../signal/interpolation.ts';
import type { FrameSketch } from '../frames/sketch.ts';

const BLEND = {
  /** For a square picture; 12 × 7 for 16:9. */
  CELLS: 81,
  RINGS: 10,
  /** Noise gives shares beyond 0 and 1: they are clamped to this much. */
  OVERSHOOT: 0.2,
} as const satisfies Readonly<Record<string, number | readonly number[]>>;

/** Model of the pictures between an old and a new one as mixtures of the two, part by part. */
export interface BlendAnalysis {
  /**
   * Share of the new picture, about 0..1, per sample from `from` to `to`. It covers the whole picture, and
   * the mean over the columns, rows or rings: the position of the edge of a wipe or a circle.
   */
  readonly progress: {
    readonly whole: Float64Array;
    readonly columns: Float64Array;
    readonly rows: Float64Array;
    readonly rings: Float64Array;
  };
  /** Residual of a mixture with one share for the whole picture, relative to the difference old–new. */
  readonly dissolveResidual: number;
  /** The same with one share for each column, row and ring. */
  readonly columnResidual: number;
  readonly rowResidual: number;
  readonly ringResidual: number;
  /** The same for each cell of a 12×7 grid: no mixture of the two pictures explains it. */
  readonly cellResidual: number;
  /**
   * Switch time of each part (0 start .. 1 end), as a plane over x and y, and as a line over the distance from
   * the middle.
   */
  readonly across: SwitchPlane;
  readonly outward: SwitchPlane;
  /** Root mean square difference of the old and the new picture, levels of 255. */
  readonly difference: number;
}

interface SwitchPlane {
  /** Change of the switch time over the whole width and height; for a line, over the whole radius, and 0. */
  readonly slopes: readonly [number, number];
  /** 0..1: explained share of the variance of the switch times. */
  readonly explained: number;
}

interface Banding {
  readonly count: number;
  readonly of: Uint16Array;
  /** Pixels per band. */
  readonly sizes: Float64Array;
}

/** Band of each pixel, for one picture size. */
class Bandings {
  readonly whole: Banding;
  readonly columns: Banding;
  readonly rows: Banding;
  readonly rings: Banding;
  readonly cells: Banding;
  readonly cellsAcross: number;
  readonly cellsDown: number;

  constructor(width: number, height: number) {
    this.cellsAcross = Math.max(1, Math.min(width, Math.round(Math.sqrt((BLEND.CELLS * width) / height))));
    this.cellsDown = Math.max(1, Math.min(height, Math.round((this.cellsAcross * height) / width)));
    const band = (count: number, of: (x: number, y: number) => number): Banding => {
      const map = new Uint16Array(width * height);
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) map[y * width + x] = of((x + 0.5) / width, (y + 0.5) / height);
      }
      const sizes = new Float64Array(count);
      for (const index of map) sizes[index] += 1;
      return { count, of: map, sizes };
    };
    const { cellsAcross, cellsDown } = this;
    const reach = Math.hypot(width, height) / 2;
    this.whole = band(1, () => 0);
    this.columns = band(cellsAcross, (x) => Math.floor(x * cellsAcross));
    this.rows = band(cellsDown, (_, y) => Math.floor(y * cellsDown));
    this.rings = band(BLEND.RINGS, (x, y) => {
      const radius = Math.hypot((x - 0.5) * width, (y - 0.5) * height) / reach;
      return Math.min(BLEND.RINGS - 1, Math.floor(radius * BLEND.RINGS));
    });
    this.cells = band(
      cellsAcross * cellsDown,
      (x, y) => Math.floor(y * cellsDown) * cellsAcross + Math.floor(x * cellsAcross),
    );
  }
}

let known: { width: number; height: number; bandings: Bandings } | null = null;

function bandingsFor(width: number, height: number): Bandings {
  if (known === null || known.width !== width || known.height !== height) {
    known = { width, height, bandings: new Bandings(width, height) };
  }
  return known.bandings;
}

/**
 * Models the samples between `start` and `end` as mixtures F = A + α (B − A) of the first and the last one.
 * Least squares fits α over the whole picture and over its parts. Progress is returned from `from` to `to`,
 * which include `start` and `end`.
 */
export function analyseBlend(
  samples: readonly FrameSketch[],
  start: number,
  end: number,
  from: number,
  to: number,
): BlendAnalysis {
  const a = samples[start];
  const b = samples[end];
  const bandings = bandingsFor(a.smallWidth, a.smallHeight);
  const inside = (i: number): boolean => i > start && i < end;
  const against = new Comparison(a, b);
  const mixtures = [bandings.whole, bandings.columns, bandings.rows, bandings.rings].map((banding) => ({
    mixture: new Mixture(against, banding),
    progress: new Float64Array(to - from + 1),
  }));
  const cells = new Mixture(against, bandings.cells);
  for (let i = from; i <= to; i++) {
    against.compare(samples[i]);
    for (const { mixture, progress } of mixtures) {
      mixture.add(against, inside(i));
      progress[i - from] = mixture.meanShare();
    }
    if (inside(i)) cells.add(against, true);
  }
  const [whole, columns, rows, rings] = mixtures as [Banded, Banded, Banded, Banded];
  const { cellsAcross, cellsDown } = bandings;
  const reach = Math.hypot(a.width, a.height) / 2;
  const x = (cell: number): number => ((cell % cellsAcross) + 0.5) / cellsAcross;
  const y = (cell: number): number => (Math.floor(cell / cellsAcross) + 0.5) / cellsDown;
  return {
    progress: {
      whole: whole.progress,
      columns: columns.progress,
      rows: rows.progress,
      rings: rings.progress,
    },
    dissolveResidual: whole.mixture.residual,
    columnResidual: columns.mixture.residual,
    rowResidual: rows.mixture.residual,
    ringResidual: rings.mixture.residual,
    cellResidual: cells.residual,
    across: switchPlane(cells, (cell) => [x(cell), y(cell)]),
    outward: switchPlane(cells, (cell) => [
      Math.hypot((x(cell) - 0.5) * a.width, (y(cell) - 0.5) * a.height) / reach,
      0,
    ]),
    difference: whole.mixture.difference,
  };
}

interface Banded {
  readonly mixture: Mixture;
  readonly progress: Float64Array;
}

/** Per pixel, summed over colors: (B − A)², and for the last F, (F − A)(B − A) and (F − A)². */
class Comparison {
  readonly energy: Float64Array;
  readonly dot: Float64Array;
  readonly own: Float64Array;
  readonly #a: Float32Array;
  readonly #b: Float32Array;

  constructor(a: FrameSketch, b: FrameSketch) {
    this.#a = a.small;
    this.#b = b.small;
    const pixels = a.small.length / 3;
    this.energy = new Float64Array(pixels);
    this.dot = new Float64Array(pixels);
    this.own = new Float64Array(pixels);
    for (let i = 0; i < a.small.length; i++) this.energy[Math.floor(i / 3)] += (b.small[i] - a.small[i]) ** 2;
  }

  compare({ small: f }: FrameSketch): void {
    const [a, b, dot, own] = [this.#a, this.#b, this.dot, this.own];
    for (let p = 0, i = 0; i < a.length; p++, i += 3) {
      const x = f[i] - a[i];
      const y = f[i + 1] - a[i + 1];
      const z = f[i + 2] - a[i + 2];
      dot[p] = x * (b[i] - a[i]) + y * (b[i + 1] - a[i + 1]) + z * (b[i + 2] - a[i + 2]);
      own[p] = x * x + y * y + z * z;
    }
  }
}

/** Least-squares shares of the new picture in samples, one share per band. */
class Mixture {
  readonly shares: Float64Array;
  /** Energy of B − A per band. */
  readonly energies: Float64Array;
  readonly #banding: Banding;
  readonly #dot: Float64Array;
  readonly #own: Float64Array;
  readonly #sumOfShares: Float64Array;
  readonly #energy: number;
  #left = 0;
  #count = 0;

  constructor({ energy }: Comparison, banding: Banding) {
    this.#banding = banding;
    this.shares = new Float64Array(banding.count);
    this.energies = new Float64Array(banding.count);
    this.#dot = new Float64Array(banding.count);
    this.#own = new Float64Array(banding.count);
    this.#sumOfShares = new Float64Array(banding.count);
    let all = 0;
    for (let p = 0; p < energy.length; p++) {
      this.energies[banding.of[p]] += energy[p];
      all += energy[p];
    }
    this.#energy = all;
  }

  /** Sets `shares` for this picture; `counted` ones enter the residual and the switch times. */
  add({ dot, own }: Comparison, counted: boolean): void {
    const { energies, shares } = this;
    const [dots, owns, sumOfShares] = [this.#dot.fill(0), this.#own.fill(0), this.#sumOfShares];
    addByBand(dot, own, this.#banding.of, dots, owns);
    let left = this.#left;
    for (let band = 0; band < shares.length; band++) {
      const energy = energies[band];
      const share = energy > 0 ? clamp(dots[band] / energy, -BLEND.OVERSHOOT, 1 + BLEND.OVERSHOOT) : 0;
      shares[band] = share;
      if (!counted) continue;
      left += owns[band] - 2 * share * dots[band] + share * share * energy;
      sumOfShares[band] += clamp(share, 0, 1);
    }
    this.#left = left;
    if (counted) this.#count += 1;
  }

  /** Mean of the last picture's shares over the bands in which the two pictures differ. */
  meanShare(): number {
    const floor = (0.1 * this.#energy) / this.#banding.of.length;
    let sum = 0;
    let count = 0;
    for (let band = 0; band < this.shares.length; band++) {
      if (this.energies[band] <= floor * this.#banding.sizes[band]) continue;
      sum += this.shares[band];
      count += 1;
    }
    return count === 0 ? 0 : sum / count;
  }

  /** Root of the residual energy over that of B − A, per counted picture. */
  get residual(): number {
    if (this.#energy === 0 || this.#count === 0) return 0;
    return Math.sqrt(Math.max(0, this.#left) / (this.#energy * this.#count));
  }

  get difference(): number {
    return Math.sqrt(this.#energy / (3 * this.#banding.of.length));
  }

  /** Mean switch time of a band, 0..1 of the counted span. */
  switchTime(band: number): number {
    return 1 - this.#sumOfShares[band] / Math.max(1, this.#count);
  }
}

/** Sums two values of each pixel over the bands. */
function addByBand(
  dot: Float64Array,
  own: Float64Array,
  bands: Uint16Array,
  dots: Float64Array,
  owns: Float64Array,
): void {
  for (let p = 0; p < dot.length; p++) {
    const band = bands[p];
    dots[band] += dot[p];
    owns[band] += own[p];
  }
}

/** Weighted least-squares plane through the cells' switch times; weights are the energies of their change. */
function switchPlane(cells: Mixture, position: (cell: number) => readonly [number, number]): SwitchPlane {
  const points = Array.from(cells.energies, (energy, cell) => ({
    weight: Math.sqrt(energy),
    place: position(cell),
    time: cells.switchTime(cell),
  }));
  let [w, sx, sy, st] = [0, 0, 0, 0];
  for (const { weight, place, time } of points) {
    w += weight;
    sx += weight * place[0];
    sy += weight * place[1];
    st += weight * time;
  }
  let [xx, xy, yy, xt, yt, tt] = [0, 0, 0, 0, 0, 0];
  for (const { weight, place, time } of points) {
    const x = place[0] - sx / w;
    const y = place[1] - sy / w;
    const t = time - st / w;
    xx += weight * x * x;
    xy += weight * x * y;
    yy += weight * y * y;
    xt += weight * x * t;
    yt += weight * y * t;
    tt += weight * t * t;
  }
  if (w === 0 || xx === 0 || tt === 0) return { slopes: [0, 0], explained: 0 };
  const determinant = xx * yy - xy * xy;
  const slopes: [number, number] =
    determinant > 0 ? [(xt * yy - yt * xy) / determinant, (yt * xx - xt * xy) / determinant] : [xt / xx, 0];
  return { slopes, explained: (slopes[0] * xt + slopes[1] * yt) / tt };
}
