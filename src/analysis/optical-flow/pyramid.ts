import type { Picture } from '../../footage.ts';
import type { KernelSamples, MotionKernel } from './kernel.ts';

/** Half the side of the box whose mean is taken away, in pixels of the half level (18 of the picture). */
const HIGH_PASS_RADIUS = 9;
const SAMPLE_BYTES = Int16Array.BYTES_PER_ELEMENT;

/** A picture without its slow brightness, so that fades and exposure jumps do not disturb the search, in quarters of a grey level. */
export interface Level {
  readonly width: number;
  readonly height: number;
  readonly data: Int16Array;
  /** In the kernel's memory; 0 where the samples are not there. */
  readonly address: number;
}

/** One picture and its coarse levels, made only when asked for, overwritten in place from frame to frame. */
export class Pyramid {
  /**
   * The picture in sixteenths of a grey level, smoothed by 1-2-1 both ways: what is left is slow enough for bilinear
   * interpolation, whose wrong phase would draw vectors to whole pixels.
   */
  readonly full: KernelSamples;
  readonly #kernel: MotionKernel;
  readonly #half: Level;
  readonly #quarter: Level;
  #halfMade = false;
  #quarterMade = false;

  /** The `number`th (0 or 1) of the two pictures that the kernel holds. */
  constructor(kernel: MotionKernel, number: number) {
    const { width, height } = kernel;
    this.#kernel = kernel;
    this.full = kernel.pictures[number];
    this.#half = { width: width >> 1, height: height >> 1, ...kernel.halves[number] };
    this.#quarter = level(width >> 2, height >> 2);
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
      run.halve(this.full.address, SAMPLE_BYTES * this.#kernel.width, width, height, plainHalf);
      run.highPass(plainHalf, width, height, HIGH_PASS_RADIUS, columnSums, address);
    }
    return this.#half;
  }

  get quarter(): Level {
    if (!this.#quarterMade) {
      this.#quarterMade = true;
      this.#fillQuarter(this.half);
    }
    return this.#quarter;
  }

  #fillQuarter(half: Level): void {
    const quarter = this.#quarter;
    for (let y = 0; y < quarter.height; y++) {
      let from = 2 * y * half.width;
      const row = y * quarter.width;
      for (let x = 0; x < quarter.width; x++, from += 2) {
        const sum =
          half.data[from] +
          half.data[from + 1] +
          half.data[from + half.width] +
          half.data[from + half.width + 1];
        quarter.data[row + x] = sum >> 2;
      }
    }
  }
}

function level(width: number, height: number): Level {
  return { width, height, data: new Int16Array(width * height), address: 0 };
}
