import type { Picture } from '../../domain/footage.ts';
import type { KernelSamples, MotionKernel } from './kernel.ts';

/** Half the side of the box whose mean is subtracted, in pixels of the half level (18 of the picture). */
const HIGH_PASS_RADIUS = 9;
const SAMPLE_BYTES = Int16Array.BYTES_PER_ELEMENT;
/** Right shifts: the mean of four samples; of four sixteenths of a level, their mean in quarters. */
const MEAN_SHIFT = 2;
const QUARTERS_SHIFT = 4;

/**
 * A picture without low spatial frequencies, so that fades and exposure changes do not disturb the search, in
 * quarters of a grey level.
 */
export interface Level extends KernelSamples {
  readonly width: number;
  readonly height: number;
}

/** One picture and its coarse levels, computed on demand, overwritten in place from frame to frame. */
export class Pyramid {
  /**
   * The picture in sixteenths of a grey level, smoothed by 1-2-1 both ways. Bilinear interpolation of sharper
   * pictures has a phase error that pulls vectors to whole pixels.
   */
  readonly full: KernelSamples;
  readonly #kernel: MotionKernel;
  readonly #half: Level;
  readonly #quarter: Level;
  #halfMade = false;
  #quarterMade = false;

  /** `number`: which (0 or 1) of the two pictures in the kernel. */
  constructor(kernel: MotionKernel, number: number) {
    const { width, height } = kernel;
    this.#kernel = kernel;
    this.full = kernel.pictures[number];
    this.#half = { width: width >> 1, height: height >> 1, ...kernel.halves[number] };
    this.#quarter = { width: width >> 2, height: height >> 2, ...kernel.quarters[number] };
  }

  load(grey: Picture): void {
    const { run, greyAddress, width, height, line } = this.#kernel;
    this.#kernel.grey.set(grey.data);
    run.smooth(greyAddress, width, height, line, this.full.address);
    this.#halfMade = false;
    this.#quarterMade = false;
  }

  get half(): Level {
    if (!this.#halfMade) {
      this.#halfMade = true;
      const { run, plainHalf, columnSums } = this.#kernel;
      const { width, height, address } = this.#half;
      run.halve(
        this.full.address,
        SAMPLE_BYTES * this.#kernel.width,
        width,
        height,
        QUARTERS_SHIFT,
        plainHalf,
      );
      run.highPass(plainHalf, width, height, HIGH_PASS_RADIUS, columnSums, address);
    }
    return this.#half;
  }

  get quarter(): Level {
    if (!this.#quarterMade) {
      this.#quarterMade = true;
      const { width, address } = this.half;
      const quarter = this.#quarter;
      this.#kernel.run.halve(
        address,
        SAMPLE_BYTES * width,
        quarter.width,
        quarter.height,
        MEAN_SHIFT,
        quarter.address,
      );
    }
    return this.#quarter;
  }
}
