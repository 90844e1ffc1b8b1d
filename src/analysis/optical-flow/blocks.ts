import type { PixelBox } from '../bars/picture-area.ts';
import { INLIER_PIXELS, SimilarityFit } from './fit.ts';
import type { MotionKernel } from './kernel.ts';
import type { Pyramid } from './pyramid.ts';

/**
 * Vectors of all 8×8 blocks between two pictures, and the camera's motion fitted to them. The kernel iterates
 * over the blocks.
 */
export class BlockField {
  readonly fit: SimilarityFit;
  readonly #kernel: MotionKernel;

  constructor(kernel: MotionKernel) {
    this.#kernel = kernel;
    this.fit = new SimilarityFit(kernel);
  }

  /** The part inside black bars: a block, or its match, that crosses its border has left the picture. */
  set area({ left, top, width, height }: PixelBox) {
    this.#kernel.run.setArea(left, top, left + width, top + height);
  }

  /** Blocks that lie wholly inside the bars. */
  get countInside(): number {
    return this.#kernel.run.countInside();
  }

  /**
   * Computes the vectors and fits the camera's motion. `plainDifference`: difference of the two pictures without
   * motion; `pace`: length of this step over that of the step before.
   */
  run(earlier: Pyramid, later: Pyramid, plainDifference: number, pace: number): void {
    const { run, columns, rows } = this.#kernel;
    const count = columns * rows;
    if (count === 0) return;
    const lost = run.matchBlocks(earlier.full.address, later.full.address, pace);
    if (lost > 0) {
      // If most blocks have no match, the whole picture may have moved unpredictably. If the pictures are
      // much alike, it did not move by whole pixels of the coarse level.
      if (2 * lost > count && plainDifference > 1)
        run.searchCoarseShift(earlier.quarter.address, later.quarter.address);
      run.searchLost(earlier.half.address, later.half.address);
    }
    run.fitBlocks();
  }

  /** Fits again, to the blocks that disagree with the motion judged last. */
  fitToOutliers(): void {
    this.#kernel.run.fitWithout();
  }

  /** Call once the camera's motion is decided: the next frame starts from it. */
  commit(): void {
    this.#kernel.run.remember(this.fit.largestMotion() > INLIER_PIXELS);
  }
}
