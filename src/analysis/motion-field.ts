import type { Picture } from '../footage.ts';
import { type BlockVectors, type Similarity, SimilarityFit } from './motion-fit.ts';
import { findScaleJump, type ScaleJump } from './motion-jump.ts';
import { Pyramid } from './motion-pyramid.ts';
import { BLOCK, type BlockMatch, BlockRefiner, NOISE } from './motion-refine.ts';
import { BlockSearch, type CoarseShift, searchCoarseShift } from './motion-search.ts';

/** Least standard deviation of a vector, pixels: below this a better texture counts no more. */
const LEAST_DEVIATION = 0.1;
/** A block is textured when its vector could be known this well (0..1, see `BlockVectors`) by a perfect match. */
const TEXTURED = 0.7;
/**
 * Motion that hardly touches the picture's edge (see `reach`) is an object's before a plain ground, not the
 * camera's: the camera is taken to stand still. Two sides are enough where next to nothing moves otherwise, and
 * none is needed where the motion carries this share of all blocks.
 */
const LEAST_REACH = 0.1;
const SURE_SUPPORT = 0.9;
const ANCHORED_SHARE = 0.3;
/** A block that leaves the picture by more than this, pixels, has no match to speak of. */
const LEAVING = 0.15;
/** Mean grey level up to which a block may belong to the black bars of a letterbox. */
const DARK = 24;

/**
 * Motion from the frame before to this one. Everything is in pixels of the grey picture and points the way the
 * content moves. The arrays, one entry per 8×8 block in rows, belong to the estimator: the next `push`
 * overwrites them.
 */
export interface MotionField {
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly rows: number;
  readonly vectorX: Float32Array;
  readonly vectorY: Float32Array;
  /** 0..1: how well the block's vector is known; 0 without texture or match. */
  readonly weight: Float32Array;
  /** 1 when the block has texture enough for a vector, whether or not a match was found. */
  readonly textured: Uint8Array;
  /** Motion left after the camera's, as a vector; (0, 0) where nothing is known. */
  readonly residualX: Float32Array;
  readonly residualY: Float32Array;
  /** Length of it along the directions in which the vector is known. */
  readonly residual: Float32Array;
  /** Mean absolute difference of the block and its match, grey levels. */
  readonly matchError: Float32Array;
  /** Motion of the camera. */
  readonly similarity: Similarity;
  /** 0..1: share of the textured blocks that found their match and move with the camera; 0 with no texture. */
  readonly support: number;
  /**
   * Share of the blocks at the second best of the picture's four sides that move with the camera: low where the
   * ground is too plain to tell the camera's motion from an object's.
   */
  readonly reach: number;
  /** Share of the blocks with texture. */
  readonly texture: number;
  /** Mean absolute difference of the two pictures as they stand, grey levels. */
  readonly plainDifference: number;
  /** The same after every block has been moved to its match. */
  readonly compensatedDifference: number;
  /** The two pictures hardly belong together: a cut, a flash, or motion past every search. */
  readonly broken: boolean;
  /** The picture changed scale at once, as a punch-in does; looked for where motion explains little. */
  readonly scaleJump: ScaleJump | null;
}

/**
 * Block motion with sub-pixel refinement and a robust fit of the camera's. Pictures of any size; a change of
 * size starts anew. Below 8×8 pixels there are no blocks: no motion, support 0.
 */
export class MotionFieldEstimator {
  #state: Estimation | null = null;

  /** Null for the first picture (and the first of another size). */
  push(grey: Picture): MotionField | null {
    const state = this.#state;
    if (state !== null && state.width === grey.width && state.height === grey.height)
      return state.advance(grey);
    this.#state = new Estimation(grey);
    return null;
  }
}

interface Judgement {
  readonly support: number;
  readonly texture: number;
  readonly reach: number;
  /** Whether the fitted motion reaches the picture's edge enough to be the camera's. */
  readonly anchored: boolean;
}

class Estimation implements BlockVectors {
  readonly width: number;
  readonly height: number;
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
  readonly residualX: Float32Array;
  readonly residualY: Float32Array;
  readonly residual: Float32Array;
  readonly matchError: Float32Array;
  readonly #agrees: Uint8Array;
  readonly #leaves: Uint8Array;
  readonly #brightness: Float32Array;
  readonly #originX: number;
  readonly #originY: number;
  readonly #search: BlockSearch;
  readonly #fit: SimilarityFit;
  readonly #coarse: CoarseShift = { x: 0, y: 0 };
  readonly #refiner: BlockRefiner;
  #lastDifference = 0;
  #earlier: Pyramid;
  #later: Pyramid;

  constructor(grey: Picture) {
    this.width = grey.width;
    this.height = grey.height;
    this.columns = Math.floor(grey.width / BLOCK);
    this.rows = Math.floor(grey.height / BLOCK);
    this.count = this.columns * this.rows;
    this.#originX = (grey.width - this.columns * BLOCK) >> 1;
    this.#originY = (grey.height - this.rows * BLOCK) >> 1;
    const floats = (): Float32Array => new Float32Array(this.count);
    this.positionX = floats();
    this.positionY = floats();
    for (let i = 0; i < this.count; i++) {
      this.positionX[i] = this.#originX + (i % this.columns) * BLOCK + BLOCK / 2 - grey.width / 2;
      this.positionY[i] = this.#originY + Math.floor(i / this.columns) * BLOCK + BLOCK / 2 - grey.height / 2;
    }
    this.vectorX = floats();
    this.vectorY = floats();
    this.knownXx = floats();
    this.knownXy = floats();
    this.knownYy = floats();
    this.weight = floats();
    this.textured = new Uint8Array(this.count);
    this.#agrees = new Uint8Array(this.count);
    this.#leaves = new Uint8Array(this.count);
    this.#brightness = floats();
    this.residualX = floats();
    this.residualY = floats();
    this.residual = floats();
    this.matchError = floats();
    this.#refiner = new BlockRefiner(grey.width, grey.height);
    this.#earlier = new Pyramid(grey.width, grey.height);
    this.#later = new Pyramid(grey.width, grey.height);
    this.#later.load(grey);
    this.#search = new BlockSearch(this.columns, this.rows, this.#originX, this.#originY, this.#later.half);
    this.#fit = new SimilarityFit(Math.hypot(grey.width, grey.height) / 4);
  }

  advance(grey: Picture): MotionField {
    const spent = this.#earlier;
    this.#earlier = this.#later;
    this.#later = spent;
    this.#later.load(grey);
    const plainDifference = meanDifference(this.#earlier.full, this.#later.full);
    // Pictures this much alike have not moved by whole pixels of the coarse level.
    if (plainDifference > 1 && this.count > 0) {
      searchCoarseShift(this.#earlier.quarter, this.#later.quarter, this.#coarse);
    } else {
      this.#coarse.x = 0;
      this.#coarse.y = 0;
    }
    this.#search.run(this.#earlier, this.#later, this.#coarse);
    let compensated = 0;
    for (let i = 0; i < this.count; i++) {
      this.#refine(i);
      compensated += this.matchError[i];
    }
    if (this.count > 0) this.#fit.fit(this, 4 * this.#coarse.x, 4 * this.#coarse.y);
    let judged = this.#judge();
    if (!judged.anchored) {
      this.#fit.standStill();
      judged = this.#judge();
    }
    const { support, texture, reach } = judged;
    const compensatedDifference = this.count === 0 ? plainDifference : compensated / this.count;
    const broken = support < 0.6 && compensatedDifference > 2 * this.#lastDifference + 2;
    this.#lastDifference = compensatedDifference;
    return {
      width: this.width,
      height: this.height,
      columns: this.columns,
      rows: this.rows,
      vectorX: this.vectorX,
      vectorY: this.vectorY,
      weight: this.weight,
      textured: this.textured,
      residualX: this.residualX,
      residualY: this.residualY,
      residual: this.residual,
      matchError: this.matchError,
      similarity: this.#fit.similarity(),
      support,
      reach,
      texture,
      plainDifference,
      compensatedDifference,
      broken,
      scaleJump: broken ? findScaleJump(this.#earlier, this.#later) : null,
    };
  }

  #refine(i: number): void {
    const left = this.#originX + (i % this.columns) * BLOCK;
    const top = this.#originY + Math.floor(i / this.columns) * BLOCK;
    const match = this.#refiner.run(
      this.#earlier.full,
      this.#later.full,
      left,
      top,
      2 * this.#search.x[i],
      2 * this.#search.y[i],
    );
    this.vectorX[i] = match.x;
    this.vectorY[i] = match.y;
    this.matchError[i] = match.error;
    this.#brightness[i] = match.mean;
    this.#rate(i, match, left, top);
  }

  /** `known` matrix and weight of a block from its gradients, its variance and what the match left. */
  #rate(i: number, match: BlockMatch, left: number, top: number): void {
    // Noise has gradients too: central differences of it have half its variance.
    const noise = 0.5 * NOISE * NOISE;
    const xx = Math.max(0, match.xx - noise);
    const yy = Math.max(0, match.yy - noise);
    const most = Math.sqrt(xx * yy);
    const xy = Math.max(-most, Math.min(most, match.xy));
    const n = BLOCK * BLOCK;
    const floor = LEAST_DEVIATION * LEAST_DEVIATION;
    const ideal = (n * floor) / (NOISE * NOISE);
    const half = 0.5 * (xx + yy);
    const strongest = half + Math.sqrt(Math.max(0, (0.5 * (xx - yy)) ** 2 + xy * xy));
    const couldBe = (ideal * strongest) / (1 + ideal * strongest);
    this.textured[i] = couldBe >= TEXTURED ? 1 : 0;
    const matched = match.left <= 0.5 * match.variance || match.left <= 4 * NOISE * NOISE;
    const leaves =
      left + match.x < -LEAVING ||
      top + match.y < -LEAVING ||
      left + match.x + BLOCK > this.width + LEAVING ||
      top + match.y + BLOCK > this.height + LEAVING;
    this.#leaves[i] = leaves ? 1 : 0;
    if (leaves) this.textured[i] = 0;
    if (couldBe < TEXTURED || leaves || !matched) {
      this.knownXx[i] = 0;
      this.knownXy[i] = 0;
      this.knownYy[i] = 0;
      this.weight[i] = 0;
      return;
    }
    // I(1 + I)⁻¹ with I the information in units of the least variance: caps what one block can say.
    const gain = (n * floor) / (NOISE * NOISE + match.left);
    const a = gain * xx;
    const b = gain * xy;
    const d = gain * yy;
    const determinant = (1 + a) * (1 + d) - b * b;
    this.knownXx[i] = (a * (1 + d) - b * b) / determinant;
    this.knownXy[i] = b / determinant;
    this.knownYy[i] = (d * (1 + a) - b * b) / determinant;
    this.weight[i] = 0.5 * (this.knownXx[i] + this.knownYy[i]);
  }

  /** Residuals of all blocks, and how far the camera's motion explains the picture. */
  #judge(): Judgement {
    let textured = 0;
    let agreeing = 0;
    for (let i = 0; i < this.count; i++) {
      textured += this.textured[i];
      this.#agrees[i] = 0;
      if (this.weight[i] === 0) {
        this.residualX[i] = 0;
        this.residualY[i] = 0;
        this.residual[i] = 0;
        continue;
      }
      this.residualX[i] = this.vectorX[i] - this.#fit.modelX(this.positionX[i], this.positionY[i]);
      this.residualY[i] = this.vectorY[i] - this.#fit.modelY(this.positionX[i], this.positionY[i]);
      this.residual[i] = this.#fit.residual(this, i);
      if (!this.#fit.agrees(this, i, this.residual[i])) continue;
      this.#agrees[i] = 1;
      agreeing++;
    }
    const support = textured === 0 ? 0 : agreeing / textured;
    const texture = this.count === 0 ? 0 : textured / this.count;
    const { second, third } = this.#edgeShare();
    const atEdges = second >= LEAST_REACH && (third >= LEAST_REACH / 2 || support >= SURE_SUPPORT);
    return { support, texture, reach: second, anchored: atEdges || support * texture >= ANCHORED_SHARE };
  }

  /**
   * The second and third largest of the four sides' shares of agreeing blocks, two blocks deep, corners and the bars of a
   * letterbox left out: an object touches a side or two, the camera moves them all.
   */
  #edgeShare(): { second: number; third: number } {
    const { columns, rows } = this;
    let left = 0;
    let right = columns - 1;
    let top = 0;
    let bottom = rows - 1;
    while (top < bottom && this.#dark(0, columns - 1, top, top)) top++;
    while (bottom > top && this.#dark(0, columns - 1, bottom, bottom)) bottom--;
    while (left < right && this.#dark(left, left, top, bottom)) left++;
    while (right > left && this.#dark(right, right, top, bottom)) right--;
    const sides = [
      this.#agreeingShare(left, left + 1, top + 2, bottom - 2),
      this.#agreeingShare(right - 1, right, top + 2, bottom - 2),
      this.#agreeingShare(left + 2, right - 2, top, top + 1),
      this.#agreeingShare(left + 2, right - 2, bottom - 1, bottom),
    ].sort((p, q) => q - p);
    return { second: sides[1], third: sides[2] };
  }

  /** Among the blocks that stay in the picture; 0 when fewer than a quarter of the side do. */
  #agreeingShare(left: number, right: number, top: number, bottom: number): number {
    let agreeing = 0;
    let staying = 0;
    for (let r = Math.max(0, top); r <= bottom; r++) {
      for (let c = Math.max(0, left); c <= right; c++) {
        agreeing += this.#agrees[r * this.columns + c];
        staying += 1 - this.#leaves[r * this.columns + c];
      }
    }
    const blocks = (right - left + 1) * (bottom - top + 1);
    return right < left || bottom < top || staying < blocks / 4 ? 0 : agreeing / staying;
  }

  #dark(left: number, right: number, top: number, bottom: number): boolean {
    for (let r = top; r <= bottom; r++) {
      for (let c = left; c <= right; c++) if (this.#brightness[r * this.columns + c] > DARK) return false;
    }
    return true;
  }
}

function meanDifference(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) {
    const d = a[i] - b[i];
    sum += Math.abs(d);
  }
  return a.length === 0 ? 0 : sum / a.length;
}
