import type { Picture } from '../../domain/footage.ts';
import { pixelsWithin } from '../bars/picture-area.ts';
import { type Box, WHOLE_PICTURE } from '../facts.ts';
import { BlockField } from './blocks.ts';
import { INLIER_PIXELS, type Similarity } from './fit.ts';
import { findScaleJump, type ScaleJump } from './jump.ts';
import { LEVEL_STEPS, MotionKernel } from './kernel.ts';
import { Pyramid } from './pyramid.ts';

/** Less of the picture that goes with the camera is another picture. */
export const LOST_SUPPORT = 0.6;
/**
 * Motion that hardly touches the picture's edge (see `reach`) is an object's before a plain ground, not the
 * camera's: the camera is taken to stand still. No edge is needed where the motion carries this share of all blocks.
 */
const MIN_REACH = 0.1;
const ANCHORED_SHARE = 0.3;

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
  /** How far the block's content moves. */
  readonly vectorX: Float32Array;
  readonly vectorY: Float32Array;
  /** 0..1: how well that is known; 0 without texture or match. */
  readonly weight: Float32Array;
  /** Motion left after the camera's, as a vector, as far as it is known; (0, 0) where nothing is. */
  readonly residualX: Float32Array;
  readonly residualY: Float32Array;
  /** Length of it along the directions in which the vector is known. */
  readonly residual: Float32Array;
  /** 1 where the block is nowhere to be found: it was covered, or moves or changes faster than can be followed. */
  readonly gone: Uint8Array;
  /** Motion of the camera. */
  readonly similarity: Similarity;
  /** 0..1: share of the textured blocks that found their match and move with the camera; 0 with no texture. */
  readonly support: number;
  /**
   * Share of the blocks at the second best of the picture's four sides that move with the camera: low where the
   * ground is too plain to tell the camera's motion from an object's.
   */
  readonly reach: number;
  /** Share of the blocks with texture enough for a vector, whether or not a match was found. */
  readonly texture: number;
  /** Share of those that are nowhere to be found. */
  readonly goneShare: number;
  /** Mean absolute difference of the two pictures as they stand, grey levels. */
  readonly plainDifference: number;
  /** The same after every block has been moved to its match. */
  readonly compensatedDifference: number;
  /** The two pictures hardly belong together: a cut, a flash, or motion past every search. */
  readonly broken: boolean;
  /** The picture changed scale at once, as a punch-in does; looked for where it is broken. */
  readonly scaleJump: ScaleJump | null;
}

/**
 * Block motion with sub-pixel refinement and a robust fit of the camera's. Pictures of any size; a change of
 * size starts anew. Below 8×8 pixels there are no blocks: no motion, support 0.
 */
export class MotionFieldEstimator {
  #state: Estimation | null = null;

  /**
   * Null for the first picture (and the first of another size). `area`: what lies inside black bars; `frames`: how many frames after the
   * picture before, which says how far motion that goes on has come.
   */
  push(grey: Picture, area: Box = WHOLE_PICTURE, frames = 1): MotionField | null {
    const state = this.#state;
    if (state !== null && state.width === grey.width && state.height === grey.height)
      return state.advance(grey, area, frames);
    this.#state = new Estimation(grey);
    return null;
  }
}

interface Judgement {
  readonly support: number;
  readonly texture: number;
  readonly goneShare: number;
  readonly reach: number;
  /** Whether the fitted motion reaches the picture's edge enough to be the camera's. */
  readonly anchored: boolean;
}

class Estimation {
  readonly width: number;
  readonly height: number;
  readonly #kernel: MotionKernel;
  readonly #blocks: BlockField;
  readonly #vectorX: Float32Array;
  readonly #vectorY: Float32Array;
  readonly #residualX: Float32Array;
  readonly #residualY: Float32Array;
  readonly #residual: Float32Array;
  readonly #weight: Float32Array;
  readonly #gone: Uint8Array;
  #lastDifference = 0;
  #lastFrames = 1;
  #earlier: Pyramid;
  #later: Pyramid;

  constructor(grey: Picture) {
    this.width = grey.width;
    this.height = grey.height;
    this.#kernel = new MotionKernel(grey.width, grey.height);
    this.#blocks = new BlockField(this.#kernel);
    this.#vectorX = this.#kernel.floats('vectorX');
    this.#vectorY = this.#kernel.floats('vectorY');
    this.#residualX = this.#kernel.floats('residualX');
    this.#residualY = this.#kernel.floats('residualY');
    this.#residual = this.#kernel.floats('residual');
    this.#weight = this.#kernel.floats('weight');
    this.#gone = this.#kernel.marks('gone');
    this.#earlier = new Pyramid(this.#kernel, 0);
    this.#later = new Pyramid(this.#kernel, 1);
    this.#later.load(grey);
  }

  advance(grey: Picture, area: Box, frames: number): MotionField {
    const pace = frames / this.#lastFrames;
    this.#lastFrames = frames;
    const spent = this.#earlier;
    this.#earlier = this.#later;
    this.#later = spent;
    this.#later.load(grey);
    const blocks = this.#blocks;
    const inside = pixelsWithin(area, this) ?? { left: 0, top: 0, width: this.width, height: this.height };
    blocks.area = inside;
    // Bars do not change: all that does lies between them.
    const plainDifference =
      (this.#plainDifference() * this.width * this.height) / (inside.width * inside.height);
    blocks.run(this.#earlier, this.#later, plainDifference, pace);
    let judged = this.#judge();
    if (!judged.anchored) {
      // An object may have the better texture: the ground behind it is asked alone.
      blocks.fitWithoutAgreeing();
      judged = this.#judge();
    }
    if (!judged.anchored) {
      blocks.fit.standStill();
      judged = this.#judge();
    }
    blocks.remember();
    const { support, texture, goneShare, reach } = judged;
    const compensatedDifference = blocks.countInside === 0 ? plainDifference : this.#kernel.run.meanError();
    const usual = Math.max(1, pace) * this.#lastDifference;
    const broken = support < LOST_SUPPORT && compensatedDifference > 2 * usual + 2;
    this.#lastDifference = compensatedDifference;
    return {
      width: this.width,
      height: this.height,
      columns: this.#kernel.columns,
      rows: this.#kernel.rows,
      vectorX: this.#vectorX,
      vectorY: this.#vectorY,
      weight: this.#weight,
      residualX: this.#residualX,
      residualY: this.#residualY,
      residual: this.#residual,
      gone: this.#gone,
      similarity: blocks.fit.similarity(),
      support,
      reach,
      texture,
      goneShare,
      plainDifference,
      compensatedDifference,
      broken,
      scaleJump: broken ? findScaleJump(this.#kernel, this.#earlier, this.#later) : null,
    };
  }

  #plainDifference(): number {
    const pixels = this.width * this.height;
    if (pixels === 0) return 0;
    const { address } = this.#earlier.full;
    return this.#kernel.run.totalDifference(address, this.#later.full.address, pixels) / LEVEL_STEPS / pixels;
  }

  /** Residuals of all blocks, and how far the camera's motion explains the picture. */
  #judge(): Judgement {
    const { run, judged } = this.#kernel;
    run.judge(INLIER_PIXELS, judged.byteOffset);
    const [textured, gone, agreeing, voting, ...sides] = judged;
    const [support, goneShare] = textured === 0 ? [0, 0] : [agreeing / textured, gone / textured];
    const inside = this.#blocks.countInside;
    const texture = inside === 0 ? 0 : textured / inside;
    // An object touches a side or two, the camera moves them all.
    const [, second, third] = sides.sort((p, q) => q - p);
    const atEdges = second >= MIN_REACH && third >= MIN_REACH / 2;
    const anchored = atEdges || voting >= ANCHORED_SHARE * inside;
    return { support, texture, goneShare, reach: second, anchored };
  }
}
