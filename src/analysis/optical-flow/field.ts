import type { Picture } from '../../domain/footage.ts';
import { pixelsWithin } from '../bars/picture-area.ts';
import { type Box, WHOLE_PICTURE } from '../facts.ts';
import { BlockField } from './blocks.ts';
import { INLIER_PIXELS, type Similarity } from './fit.ts';
import { findScaleJump, type ScaleJump } from './jump.ts';
import { LEVEL_STEPS, MotionKernel } from './kernel.ts';
import { Pyramid } from './pyramid.ts';

/** Least share of the picture that moves with the camera within one shot. */
export const MIN_SUPPORT = 0.6;
/**
 * Motion that hardly reaches the picture's edge (see `reach`) belongs to an object before a plain background: the
 * camera then counts as still. The edge is not needed if the motion carries this share of all blocks.
 */
const MIN_REACH = 0.1;
const ANCHORED_SHARE = 0.3;

/**
 * A picture that differs from the last distinct one by less than this share of the usual change, or by less than this many grey levels, is
 * a repeat. Encoded repeats of six clips differ by .002 to .2, distinct pictures by .5 to 18. With .08 small motions of generated clips were lost.
 */
const REPEAT_SHARE = 0.05;
const REPEAT_LEVELS = 0.1;
/** The usual change follows a decrease by a third in three pictures. */
const USUAL_DECAY = 0.87;
const NO_MOTION: Similarity = { shiftX: 0, shiftY: 0, logScale: 0, rotation: 0 };
/** A picture that stays longer is a stop, not a repeat. Animation of 8 pictures a second repeats for .125 s. */
const MAX_REPEAT_SECONDS = 0.2;

/**
 * Motion from the previous frame to this one, in pixels of the grey picture, in the direction in which the
 * content moves. The arrays, one entry per 8×8 block in rows, belong to the estimator: the next `push` overwrites
 * them.
 */
export interface MotionField {
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly rows: number;
  /** Displacement of the block's content. */
  readonly vectorX: Float32Array;
  readonly vectorY: Float32Array;
  /** 0..1: certainty of it; 0 without texture or match. */
  readonly weight: Float32Array;
  /** Known part of the motion relative to the camera's, as a vector; (0, 0) if unknown. */
  readonly residualX: Float32Array;
  readonly residualY: Float32Array;
  /** Length of the residual along the directions in which the vector is known. */
  readonly residual: Float32Array;
  /** 1 for a block without a match: it was covered, or moves or changes too fast. */
  readonly unmatched: Uint8Array;
  /** Motion of the camera. */
  readonly similarity: Similarity;
  /** 0..1: share of the textured blocks that found a match and move with the camera; 0 without texture. */
  readonly support: number;
  /**
   * Share of the blocks at the second best of the picture's four sides that move with the camera. It is low
   * if the background is too plain to separate the camera's motion from an object's.
   */
  readonly reach: number;
  /** Share of the blocks with enough texture for a vector, with or without a match. */
  readonly texture: number;
  /** Share of those without a match. */
  readonly unmatchedShare: number;
  /** Mean absolute difference of the two pictures without motion compensation, grey levels. */
  readonly plainDifference: number;
  /** The same after moving every block to its match. */
  readonly compensatedDifference: number;
  /** The two pictures are hardly related: a cut, a flash, or motion beyond the search range. */
  readonly broken: boolean;
  /** The picture changed scale in one step, as in a punch-in; searched only if broken. */
  readonly scaleJump: ScaleJump | null;
  /** The picture is the previous one again, as where 24 frames a second are stored as 60: the next motion belongs to its time too. */
  readonly isRepeat: boolean;
}

/**
 * Block motion with sub-pixel refinement and a robust fit of the camera's motion. Pictures of any size; a change
 * of size resets it. Below 8×8 pixels there are no blocks: no motion, support 0.
 */
export class MotionFieldEstimator {
  #state: Estimation | null = null;

  /**
   * Null for the first picture (and the first of another size). `area`: the part inside black bars; `frames`:
   * number of frames since the previous picture, which scales the predicted motion; `seconds`: time since then, to find repeats; left out:
   * none is one. A picture after repeats is compared with the first of them.
   */
  push(
    grey: Picture,
    area: Box = WHOLE_PICTURE,
    frames = 1,
    seconds = Number.POSITIVE_INFINITY,
  ): MotionField | null {
    const state = this.#state;
    if (state !== null && state.width === grey.width && state.height === grey.height)
      return state.advance(grey, area, frames, seconds);
    this.#state = new Estimation(grey);
    return null;
  }
}

interface Judgement {
  readonly support: number;
  readonly texture: number;
  readonly unmatchedShare: number;
  readonly reach: number;
  /** Whether the fitted motion reaches enough of the picture's edge to be the camera's. */
  readonly isAnchored: boolean;
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
  readonly #unmatched: Uint8Array;
  readonly #zeros: Float32Array;
  readonly #noMarks: Uint8Array;
  #judged: Pick<Judgement, 'texture' | 'reach'> = { texture: 0, reach: 0 };
  #lastDifference = 0;
  /** Difference of two distinct pictures, of the last second or so. */
  #usualChange = 0;
  #lastFrames = 1;
  /** Since the last distinct picture. */
  #stepFrames = 0;
  #stepSeconds = 0;
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
    this.#unmatched = this.#kernel.marks('unmatched');
    this.#zeros = new Float32Array(this.#vectorX.length);
    this.#noMarks = new Uint8Array(this.#vectorX.length);
    this.#earlier = new Pyramid(this.#kernel, 0);
    this.#later = new Pyramid(this.#kernel, 1);
    this.#later.load(grey);
  }

  advance(grey: Picture, area: Box, frames: number, seconds: number): MotionField {
    const next = this.#earlier;
    next.load(grey);
    const inside = pixelsWithin(area, this) ?? { left: 0, top: 0, width: this.width, height: this.height };
    // Bars do not change: all change lies between them.
    const plainDifference =
      (this.#difference(this.#later, next) * this.width * this.height) / (inside.width * inside.height);
    this.#stepFrames += frames;
    this.#stepSeconds += seconds;
    if (this.#isRepeat(plainDifference)) return this.#still(plainDifference);
    this.#earlier = this.#later;
    this.#later = next;
    const pace = this.#stepFrames / this.#lastFrames;
    this.#lastFrames = this.#stepFrames;
    [this.#stepFrames, this.#stepSeconds] = [0, 0];
    const blocks = this.#blocks;
    blocks.area = inside;
    blocks.run(this.#earlier, this.#later, plainDifference, pace);
    let judged = this.#judge();
    if (!judged.isAnchored) {
      // An object may have more texture than its background: fit the background alone.
      blocks.fitToOutliers();
      judged = this.#judge();
    }
    if (!judged.isAnchored) {
      blocks.fit.reset();
      judged = this.#judge();
    }
    blocks.commit();
    const { support, texture, unmatchedShare, reach } = judged;
    const compensatedDifference = blocks.countInside === 0 ? plainDifference : this.#kernel.run.meanError();
    const usual = Math.max(1, pace) * this.#lastDifference;
    const broken = support < MIN_SUPPORT && compensatedDifference > 2 * usual + 2;
    // The change at a cut says nothing about the pictures after it.
    this.#usualChange = Math.max(broken ? 0 : plainDifference, USUAL_DECAY * this.#usualChange);
    this.#lastDifference = compensatedDifference;
    this.#judged = judged;
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
      unmatched: this.#unmatched,
      similarity: blocks.fit.similarity(),
      support,
      reach,
      texture,
      unmatchedShare,
      plainDifference,
      compensatedDifference,
      broken,
      scaleJump: broken ? findScaleJump(this.#kernel, this.#earlier, this.#later) : null,
      isRepeat: false,
    };
  }

  /** Mean absolute difference, grey levels. */
  #difference({ full: { address } }: Pyramid, other: Pyramid): number {
    const pixels = this.width * this.height;
    if (pixels === 0) return 0;
    return this.#kernel.run.totalDifference(address, other.full.address, pixels) / LEVEL_STEPS / pixels;
  }

  #isRepeat(difference: number): boolean {
    const limit = Math.max(REPEAT_LEVELS, REPEAT_SHARE * this.#usualChange);
    return this.#stepSeconds <= MAX_REPEAT_SECONDS && difference <= limit;
  }

  /** No motion; texture, reach and weights are those of the last distinct picture. */
  #still(difference: number): MotionField {
    const zeros = this.#zeros;
    const { texture, reach } = this.#judged;
    return {
      ...{ width: this.width, height: this.height },
      ...{ columns: this.#kernel.columns, rows: this.#kernel.rows },
      ...{ vectorX: zeros, vectorY: zeros, weight: this.#weight },
      ...{ residualX: zeros, residualY: zeros, residual: zeros, unmatched: this.#noMarks },
      similarity: NO_MOTION,
      ...{ support: texture > 0 ? 1 : 0, reach, texture, unmatchedShare: 0 },
      ...{ plainDifference: difference, compensatedDifference: difference },
      ...{ broken: false, scaleJump: null, isRepeat: true },
    };
  }

  /** Residuals of all blocks, and the share of the picture that the camera's motion explains. */
  #judge(): Judgement {
    const { run, judged } = this.#kernel;
    run.judge(INLIER_PIXELS, judged.byteOffset);
    const [textured, unmatched, agreeing, voting, ...sides] = judged;
    const [support, unmatchedShare] = textured === 0 ? [0, 0] : [agreeing / textured, unmatched / textured];
    const inside = this.#blocks.countInside;
    const texture = inside === 0 ? 0 : textured / inside;
    // An object touches one or two sides, the camera moves them all.
    const [, second, third] = sides.sort((p, q) => q - p);
    const atEdges = second >= MIN_REACH && third >= MIN_REACH / 2;
    const isAnchored = atEdges || voting >= ANCHORED_SHARE * inside;
    return { support, texture, unmatchedShare, reach: second, isAnchored };
  }
}
