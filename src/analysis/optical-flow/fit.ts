/**
 * Motion of the whole picture: the content of the earlier frame moves by (shiftX, shiftY) pixels, is scaled by
 * exp(logScale) and turned by `rotation` radians (clockwise on the screen) about the picture's middle.
 */
export interface Similarity {
  readonly shiftX: number;
  readonly shiftY: number;
  readonly logScale: number;
  readonly rotation: number;
}

/** What the fit reads of each block; arrays of one length. */
export interface BlockVectors {
  readonly count: number;
  /** Middle of the block relative to the picture's, pixels. */
  readonly positionX: Float32Array;
  readonly positionY: Float32Array;
  readonly vectorX: Float32Array;
  readonly vectorY: Float32Array;
  /**
   * How well the vector is known: the inverse of its covariance, times the least variance considered, so that
   * its eigenvalues are 0 (unknown along that direction: no texture, or an edge) to 1.
   */
  readonly knownXx: Float32Array;
  readonly knownXy: Float32Array;
  readonly knownYy: Float32Array;
}

/** Scale of the Geman–McClure weight over the passes, pixels: from catching to what a well known block is sure of. */
const PASSES = [1.5, 0.8, 0.4, 0.2, 0.12, 0.1];
/** Residual up to which a block agrees, pixels; motion below it needs no prediction. */
export const INLIER_PIXELS = 0.5;
/** Least standard deviation of a vector, pixels: below it a better texture counts no more, and residuals that differ by less decide nothing. */
export const MIN_DEVIATION = 0.1;

/** Of as many normal equations each has as many factors, and its right side. */
const PARAMETERS = ['shiftX', 'shiftY', 'scale', 'turn'] as const;
const SIZE = PARAMETERS.length;

/** Distance of a vector from the model, squared, along the directions in which the vector is known. */
function distance(blocks: BlockVectors, i: number, dx: number, dy: number): number {
  return blocks.knownXx[i] * dx * dx + 2 * blocks.knownXy[i] * dx * dy + blocks.knownYy[i] * dy * dy;
}

/**
 * Robust 4-parameter similarity: the best of some hypotheses (standing still, the prediction, the coarse
 * shift), then reweighted least squares with Geman–McClure weights. Deterministic. `radius` scales positions to about 1.
 */
export class SimilarityFit {
  readonly #radius: number;
  /** (tx, ty, a, b): v = t + (aX − bY, bX + aY) with X, Y in units of the radius. */
  readonly #model = new Float64Array(SIZE);
  readonly #trial = new Float64Array(SIZE);
  readonly #normal = new Float64Array(SIZE * (SIZE + 1));
  #bestCost = 0;

  constructor(radius: number) {
    this.#radius = Math.max(1, radius);
  }

  /** Fits, from the model that is loaded among others; read `similarity`, `modelX`, `modelY` afterwards. */
  fit(blocks: BlockVectors, coarseX: number, coarseY: number): void {
    this.#bestCost = this.#cost(blocks, this.#model, Number.POSITIVE_INFINITY);
    this.#trial.fill(0);
    this.#tryTrial(blocks);
    if (coarseX !== 0 || coarseY !== 0) {
      this.#trial[0] = coarseX;
      this.#trial[1] = coarseY;
      this.#tryTrial(blocks);
    }
    for (const scale of PASSES) this.#refine(blocks, scale);
  }

  /** The first two passes alone, from the model that is loaded. */
  comeNear(blocks: BlockVectors): void {
    for (const scale of PASSES.slice(0, 2)) this.#refine(blocks, scale);
  }

  /** No motion. */
  standStill(): void {
    this.#model.fill(0);
  }

  /** `pace`: how many times as far it goes. */
  load(model: Float64Array, pace: number): void {
    for (let i = 0; i < model.length; i++) this.#model[i] = pace * model[i];
  }

  save(model: Float64Array): void {
    model.set(this.#model);
  }

  similarity(): Similarity {
    const [shiftX, shiftY, a, b] = this.#model;
    const scaled = 1 + a / this.#radius;
    const turned = b / this.#radius;
    return {
      shiftX,
      shiftY,
      logScale: 0.5 * Math.log(Math.max(1e-6, scaled * scaled + turned * turned)),
      rotation: Math.atan2(turned, scaled),
    };
  }

  modelX(x: number, y: number): number {
    const m = this.#model;
    return m[0] + (m[2] * x - m[3] * y) / this.#radius;
  }

  modelY(x: number, y: number): number {
    const m = this.#model;
    return m[1] + (m[3] * x + m[2] * y) / this.#radius;
  }

  /** Residual of a block in pixels, along the directions in which its vector is known. */
  residual(blocks: BlockVectors, i: number): number {
    const x = blocks.positionX[i];
    const y = blocks.positionY[i];
    const dx = blocks.vectorX[i] - this.modelX(x, y);
    const dy = blocks.vectorY[i] - this.modelY(x, y);
    return Math.sqrt(Math.max(0, distance(blocks, i, dx, dy)));
  }

  /** Whether a block with this residual moves with the model. */
  agrees(residual: number): boolean {
    return residual <= INLIER_PIXELS;
  }

  /** Whether a block that agrees would not rather stand still: slow motion is near to both. */
  votes(blocks: BlockVectors, i: number, residual: number): boolean {
    const still = Math.sqrt(Math.max(0, distance(blocks, i, blocks.vectorX[i], blocks.vectorY[i])));
    return residual <= still + MIN_DEVIATION;
  }

  #tryTrial(blocks: BlockVectors): void {
    const cost = this.#cost(blocks, this.#trial, this.#bestCost);
    if (cost < this.#bestCost) {
      this.#bestCost = cost;
      this.#model.set(this.#trial);
    }
  }

  /** Stops where it passes `limit`. */
  #cost(blocks: BlockVectors, model: Float64Array, limit: number): number {
    let sum = 0;
    for (let i = 0; i < blocks.count && sum < limit; i++) {
      const weight = blocks.knownXx[i] + blocks.knownYy[i];
      if (weight === 0) continue;
      const x = blocks.positionX[i] / this.#radius;
      const y = blocks.positionY[i] / this.#radius;
      const dx = blocks.vectorX[i] - model[0] - model[2] * x + model[3] * y;
      const dy = blocks.vectorY[i] - model[1] - model[3] * x - model[2] * y;
      const squared = distance(blocks, i, dx, dy) / weight;
      sum += (weight * squared) / (squared + 1);
    }
    return sum;
  }

  /** One pass of reweighted least squares; leaves the model alone when too little is known. */
  #refine(blocks: BlockVectors, scale: number): void {
    const n = this.#normal.fill(0);
    const m = this.#model;
    for (let i = 0; i < blocks.count; i++) {
      const xx = blocks.knownXx[i];
      const xy = blocks.knownXy[i];
      const yy = blocks.knownYy[i];
      if (xx + yy === 0) continue;
      const x = blocks.positionX[i] / this.#radius;
      const y = blocks.positionY[i] / this.#radius;
      const vx = blocks.vectorX[i];
      const vy = blocks.vectorY[i];
      const dx = vx - m[0] - m[2] * x + m[3] * y;
      const dy = vy - m[1] - m[3] * x - m[2] * y;
      const ratio = 1 / (1 + distance(blocks, i, dx, dy) / (scale * scale));
      const w = ratio * ratio;
      accumulate(n, w * xx, w * xy, w * yy, x, y, vx, vy);
    }
    // With texture in one spot only, scale and turn are unknown: then there is none.
    for (let p = 0; p < SIZE; p++) n[p * (SIZE + 1) + p] += 1e-6;
    solve(n, m);
  }
}

/** Adds one block to the 4×5 augmented normal equations (rows of 5). */
function accumulate(
  n: Float64Array,
  xx: number,
  xy: number,
  yy: number,
  x: number,
  y: number,
  vx: number,
  vy: number,
): void {
  // Rows of the design: (1, 0, x, −y) for the horizontal part, (0, 1, y, x) for the vertical.
  const kx2 = xx * x + xy * y;
  const kx3 = xy * x - xx * y;
  const ky2 = xy * x + yy * y;
  const ky3 = yy * x - xy * y;
  const fx = xx * vx + xy * vy;
  const fy = xy * vx + yy * vy;
  n[0] += xx;
  n[1] += xy;
  n[2] += kx2;
  n[3] += kx3;
  n[4] += fx;
  n[6] += yy;
  n[7] += ky2;
  n[8] += ky3;
  n[9] += fy;
  n[12] += x * kx2 + y * ky2;
  n[13] += x * kx3 + y * ky3;
  n[14] += x * fx + y * fy;
  n[18] += -y * kx3 + x * ky3;
  n[19] += -y * fx + x * fy;
}

/** Gauss elimination of the symmetric system, given by its upper triangle. Leaves `out` alone when singular. */
function solve(n: Float64Array, out: Float64Array): void {
  for (let r = 1; r < SIZE; r++) for (let c = 0; c < r; c++) n[r * 5 + c] = n[c * 5 + r];
  for (let p = 0; p < SIZE; p++) {
    const pivot = n[p * 5 + p];
    if (!(pivot > 0)) return;
    for (let r = p + 1; r < SIZE; r++) {
      const factor = n[r * 5 + p] / pivot;
      for (let c = p; c < SIZE + 1; c++) n[r * 5 + c] -= factor * n[p * 5 + c];
    }
  }
  for (let r = 3; r >= 0; r--) {
    let value = n[r * 5 + 4];
    for (let c = r + 1; c < SIZE; c++) value -= n[r * 5 + c] * out[c];
    out[r] = value / n[r * 5 + r];
  }
}
