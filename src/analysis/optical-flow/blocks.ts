import type { PixelBox } from '../bars/picture-area.ts';
import { type BlockVectors, INLIER_PIXELS, MIN_DEVIATION, SimilarityFit } from './fit.ts';
import { BLOCK, type MotionKernel } from './kernel.ts';
import type { Pyramid } from './pyramid.ts';
import { type BlockMatch, BlockRefiner, MAX_COMPARISONS, NOISE } from './refine.ts';
import { BlockSearch, type CoarseShift, searchCoarseShift } from './search.ts';

/** A gradient of 1 in every pixel of a block, in units of the least variance's inverse, noise of variance 1 assumed. */
const INFORMATION = BLOCK * BLOCK * MIN_DEVIATION * MIN_DEVIATION;
/** A block is textured when its vector could be known this well (0..1, see `BlockVectors`) by a perfect match. */
const TEXTURED = 0.7;
/** A match found from the prediction is good when it leaves this share of the block's variance, or only noise. */
const GOOD_SHARE = 0.2;
const GOOD_LEFT = 4 * NOISE * NOISE;
/** Without texture a vector says nothing: only a picture of something else is searched for, and this tells one. */
const PLAIN_LEFT = 9;
/** Share of a block's variance that a match may leave. */
const MATCHED_SHARE = 0.5;
/** Blocks apart in the sample that a prediction is judged by; odd against the rows' length, so that it wanders. */
const SAMPLE_STEP = 7;

/** Vectors of all 8×8 blocks between two pictures, and the camera's motion fitted to them. */
export class BlockField implements BlockVectors {
  readonly columns: number;
  readonly rows: number;
  readonly count: number;
  readonly positionX: Float32Array;
  readonly positionY: Float32Array;
  readonly vectorX: Float32Array;
  readonly vectorY: Float32Array;
  readonly knownXx: Float32Array;
  readonly knownXy: Float32Array;
  readonly knownYy: Float32Array;
  readonly weight: Float32Array;
  readonly textured: Uint8Array;
  /** Mean absolute difference of the block and its match, grey levels. */
  readonly matchError: Float32Array;
  /** 1 where the match lies outside the picture. */
  readonly leaves: Uint8Array;
  /** 1 where the block is nowhere to be found. */
  readonly gone: Uint8Array;
  readonly fit: SimilarityFit;
  /** The blocks that lie wholly inside the bars: from the first row and column to before the end. */
  firstColumn = 0;
  firstRow = 0;
  endColumn: number;
  endRow: number;
  #area: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
  readonly #width: number;
  readonly #height: number;
  readonly #originX: number;
  readonly #originY: number;
  readonly #left: Float32Array;
  readonly #variance: Float32Array;
  readonly #gradientXx: Float32Array;
  readonly #gradientXy: Float32Array;
  readonly #gradientYy: Float32Array;
  readonly #lost: Uint16Array;
  readonly #kernel: MotionKernel;
  readonly #search: BlockSearch;
  readonly #refiner: BlockRefiner;
  readonly #coarse: CoarseShift = { x: 0, y: 0 };
  /** The camera's last motion, and its last that was one: film at 24 frames a second shown at 30 rests between. */
  readonly #lastModel = new Float64Array(4);
  readonly #lastMoving = new Float64Array(4);
  #pace = 1;
  /** Motion of a block beyond the camera's in the frame before. */
  readonly #ownX: Float32Array;
  readonly #ownY: Float32Array;

  constructor(kernel: MotionKernel) {
    const { width, height } = kernel;
    this.#kernel = kernel;
    this.#width = width;
    this.#height = height;
    this.columns = Math.floor(width / BLOCK);
    this.rows = Math.floor(height / BLOCK);
    this.count = this.columns * this.rows;
    this.endColumn = this.columns;
    this.endRow = this.rows;
    this.#area = { left: 0, top: 0, right: width, bottom: height };
    this.#originX = (width - this.columns * BLOCK) >> 1;
    this.#originY = (height - this.rows * BLOCK) >> 1;
    const floats = (): Float32Array => new Float32Array(this.count);
    this.positionX = floats();
    this.positionY = floats();
    for (let i = 0; i < this.count; i++) {
      this.positionX[i] = this.#leftOf(i) + BLOCK / 2 - width / 2;
      this.positionY[i] = this.#topOf(i) + BLOCK / 2 - height / 2;
    }
    this.vectorX = floats();
    this.vectorY = floats();
    this.knownXx = floats();
    this.knownXy = floats();
    this.knownYy = floats();
    this.weight = floats();
    this.textured = new Uint8Array(this.count);
    this.matchError = floats();
    this.leaves = new Uint8Array(this.count);
    this.gone = new Uint8Array(this.count);
    this.#left = floats();
    this.#variance = floats();
    this.#gradientXx = floats();
    this.#gradientXy = floats();
    this.#gradientYy = floats();
    this.#ownX = floats();
    this.#ownY = floats();
    this.#lost = new Uint16Array(this.count);
    this.#search = new BlockSearch(kernel, this.columns, this.rows, this.#originX, this.#originY);
    this.#refiner = new BlockRefiner(kernel);
    this.fit = new SimilarityFit(Math.hypot(width, height) / 4);
  }

  /** What lies inside black bars: a block that reaches out of it, or whose match does, has left the picture. */
  set area({ left, top, width, height }: PixelBox) {
    this.#area = { left, top, right: left + width, bottom: top + height };
    const first = (start: number, origin: number) => Math.ceil((start - origin) / BLOCK);
    const end = (stop: number, origin: number) => Math.floor((stop - origin) / BLOCK);
    this.firstColumn = Math.max(0, first(left, this.#originX));
    this.firstRow = Math.max(0, first(top, this.#originY));
    this.endColumn = Math.min(this.columns, end(left + width, this.#originX));
    this.endRow = Math.min(this.rows, end(top + height, this.#originY));
  }

  /** Blocks that lie wholly inside the bars. */
  get countInside(): number {
    return Math.max(0, this.endColumn - this.firstColumn) * Math.max(0, this.endRow - this.firstRow);
  }

  isInside(i: number): boolean {
    const column = i % this.columns;
    const row = (i - column) / this.columns;
    return column >= this.firstColumn && column < this.endColumn && row >= this.firstRow && row < this.endRow;
  }

  /**
   * Fills in the vectors and fits the camera's motion; `plainDifference` is that of the two pictures as they stand, `pace` how many times
   * as long it is from the one to the other as between the pictures before.
   */
  run(earlier: Pyramid, later: Pyramid, plainDifference: number, pace: number): void {
    if (this.count === 0) return;
    this.#refiner.begin(earlier.full.address, later.full);
    this.#pace = pace;
    const continues = this.#choosePrediction();
    const { fit } = this;
    this.knownXx.fill(0);
    this.knownXy.fill(0);
    this.knownYy.fill(0);
    // A few blocks tell the others where to start.
    let lost = this.#matchFrom(continues, SAMPLE_STEP >> 1, SAMPLE_STEP, 0);
    fit.comeNear(this);
    for (let first = 0; first < SAMPLE_STEP; first++) {
      if (first !== SAMPLE_STEP >> 1) lost = this.#matchFrom(continues, first, SAMPLE_STEP, lost);
    }
    const coarse = this.#coarse;
    coarse.x = 0;
    coarse.y = 0;
    if (lost > 0) {
      // Where most are lost the whole picture may have moved as no prediction says; but not by whole pixels of the coarse level where it is much alike.
      if (2 * lost > this.count && plainDifference > 1)
        searchCoarseShift(this.#kernel, earlier.quarter, later.quarter, coarse);
      this.#searchLost(earlier, later, lost);
    }
    fit.fit(this, 4 * coarse.x, 4 * coarse.y);
  }

  /** Matches every `step`th block from the loaded prediction; appends those without a good match to the lost. */
  #matchFrom(continues: boolean, first: number, step: number, lostBefore: number): number {
    const { fit } = this;
    let lost = lostBefore;
    for (let i = first; i < this.count; i += step) {
      const x =
        fit.modelX(this.positionX[i], this.positionY[i]) + (continues ? this.#pace * this.#ownX[i] : 0);
      const y =
        fit.modelY(this.positionX[i], this.positionY[i]) + (continues ? this.#pace * this.#ownY[i] : 0);
      const texture = this.#refiner.choose(this.#leftOf(i), this.#topOf(i));
      this.#describe(i, texture);
      // Where no vector can be known, only the difference is of interest.
      const plain = this.textured[i] === 0;
      const match = this.#refiner.match(x, y, plain ? 1 : MAX_COMPARISONS);
      this.#keep(i, match);
      if (match.left > (plain ? PLAIN_LEFT : Math.max(GOOD_LEFT, texture.variance * GOOD_SHARE)))
        this.#lost[lost++] = i;
    }
    return lost;
  }

  /** Of the fitted motion, at the picture's corners, pixels. */
  #largestMotion(): number {
    const { fit } = this;
    const x = this.#width / 2;
    const y = this.#height / 2;
    return Math.max(
      Math.hypot(fit.modelX(x, y), fit.modelY(x, y)),
      Math.hypot(fit.modelX(-x, -y), fit.modelY(-x, -y)),
      Math.hypot(fit.modelX(x, -y), fit.modelY(x, -y)),
      Math.hypot(fit.modelX(-x, y), fit.modelY(-x, y)),
    );
  }

  /** Fits again, to the blocks that are not among the given. */
  fitWithout(excluded: Uint8Array): void {
    for (let i = 0; i < this.count; i++) {
      if (excluded[i] === 0) continue;
      this.knownXx[i] = 0;
      this.knownXy[i] = 0;
      this.knownYy[i] = 0;
    }
    this.fit.standStill();
    this.fit.fit(this, 0, 0);
    for (let i = 0; i < this.count; i++) if (excluded[i] === 1) this.#rate(i);
  }

  /** To be told what the camera did, once that is decided: the next frame starts from it. */
  remember(agrees: Uint8Array): void {
    const { fit } = this;
    fit.save(this.#lastModel);
    if (this.#largestMotion() > INLIER_PIXELS) fit.save(this.#lastMoving);
    for (let i = 0; i < this.count; i++) {
      const own = this.weight[i] > 0 && agrees[i] === 0;
      const x = own ? this.vectorX[i] - fit.modelX(this.positionX[i], this.positionY[i]) : 0;
      const y = own ? this.vectorY[i] - fit.modelY(this.positionX[i], this.positionY[i]) : 0;
      this.#ownX[i] = this.knownXx[i] * x + this.knownXy[i] * y;
      this.#ownY[i] = this.knownXy[i] * x + this.knownYy[i] * y;
    }
  }

  /** Loads into the fit the prediction that a sample of blocks likes best; true when that is the last motion. */
  #choosePrediction(): boolean {
    const { fit } = this;
    fit.load(this.#lastMoving, this.#pace);
    let least = this.#misses();
    let best = this.#lastMoving;
    fit.load(this.#lastModel, this.#pace);
    const last = this.#misses();
    if (last <= least) {
      least = last;
      best = this.#lastModel;
    }
    fit.standStill();
    if (this.#misses() < least) return false;
    fit.load(best, this.#pace);
    return best === this.#lastModel;
  }

  /** Sum of absolute differences of the sample under the motion loaded into the fit, to whole pixels. */
  #misses(): number {
    let sum = 0;
    for (let i = SAMPLE_STEP >> 1; i < this.count; i += SAMPLE_STEP) {
      const x = Math.round(this.fit.modelX(this.positionX[i], this.positionY[i]));
      const y = Math.round(this.fit.modelY(this.positionX[i], this.positionY[i]));
      sum += this.#refiner.difference(this.#leftOf(i), this.#topOf(i), x, y);
    }
    return sum;
  }

  #searchLost(earlier: Pyramid, later: Pyramid, lost: number): void {
    const search = this.#search;
    search.begin();
    for (let i = 0; i < this.count; i++) search.set(i, this.vectorX[i], this.vectorY[i]);
    for (let k = 0; k < lost; k++) {
      const i = this.#lost[k];
      search.find(earlier, later, i, this.#coarse);
      this.#describe(i, this.#refiner.choose(this.#leftOf(i), this.#topOf(i)));
      const match = this.#refiner.match(2 * search.x[i], 2 * search.y[i], MAX_COMPARISONS);
      if (match.left < this.#left[i]) this.#keep(i, match);
    }
  }

  #leftOf(i: number): number {
    return this.#originX + (i % this.columns) * BLOCK;
  }

  #topOf(i: number): number {
    return this.#originY + Math.floor(i / this.columns) * BLOCK;
  }

  /** Gradients, less what noise adds to them, and whether they could make a vector known. */
  #describe(i: number, texture: BlockMatch): void {
    // Central differences of noise have half its variance.
    const noise = 0.5 * NOISE * NOISE;
    const xx = Math.max(0, texture.xx - noise);
    const yy = Math.max(0, texture.yy - noise);
    const most = Math.sqrt(xx * yy);
    const xy = Math.max(-most, Math.min(most, texture.xy));
    const strongest = 0.5 * (xx + yy) + Math.sqrt(Math.max(0, (0.5 * (xx - yy)) ** 2 + xy * xy));
    this.#gradientXx[i] = xx;
    this.#gradientXy[i] = xy;
    this.#gradientYy[i] = yy;
    this.#variance[i] = texture.variance;
    const known = (INFORMATION / (NOISE * NOISE)) * strongest;
    this.textured[i] = known / (1 + known) >= TEXTURED ? 1 : 0;
  }

  #keep(i: number, match: BlockMatch): void {
    this.vectorX[i] = match.x;
    this.vectorY[i] = match.y;
    this.matchError[i] = match.error;
    this.#left[i] = match.left;
    this.#rate(i);
  }

  /** `known` matrix and weight of a block from its gradients, its variance and what the match left. */
  #rate(i: number): void {
    const matched = this.#left[i] <= MATCHED_SHARE * this.#variance[i] || this.#left[i] <= GOOD_LEFT;
    this.gone[i] = matched || this.#left[i] <= PLAIN_LEFT || !this.isInside(i) ? 0 : 1;
    const area = this.#area;
    const left = this.#leftOf(i) + this.vectorX[i];
    const top = this.#topOf(i) + this.vectorY[i];
    const leaves =
      !this.isInside(i) ||
      left < area.left ||
      top < area.top ||
      left + BLOCK > area.right ||
      top + BLOCK > area.bottom;
    this.leaves[i] = leaves ? 1 : 0;
    if (leaves) this.textured[i] = 0;
    if (this.textured[i] === 0 || !matched) {
      this.knownXx[i] = 0;
      this.knownXy[i] = 0;
      this.knownYy[i] = 0;
      this.weight[i] = 0;
      return;
    }
    // I(1 + I)⁻¹ with I the information in units of the least variance: caps what one block can say.
    const gain = INFORMATION / (NOISE * NOISE + this.#left[i]);
    const a = gain * this.#gradientXx[i];
    const b = gain * this.#gradientXy[i];
    const d = gain * this.#gradientYy[i];
    const determinant = (1 + a) * (1 + d) - b * b;
    this.knownXx[i] = (a * (1 + d) - b * b) / determinant;
    this.knownXy[i] = b / determinant;
    this.knownYy[i] = (d * (1 + a) - b * b) / determinant;
    this.weight[i] = 0.5 * (this.knownXx[i] + this.knownYy[i]);
  }
}
