import type { Picture } from '../../footage.ts';
import type { KernelSamples, MotionKernel } from './kernel.ts';

/** Half the side of the box whose mean is taken away, in pixels of the half level (18 of the picture). */
const HIGH_PASS_RADIUS = 9;

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
  readonly #columnSums: Int32Array;
  readonly #scratch: Int16Array;

  /** The `number`th (0 or 1) of the two pictures that the kernel holds. */
  constructor(kernel: MotionKernel, number: number) {
    const { width, height } = kernel;
    this.#kernel = kernel;
    this.full = kernel.pictures[number];
    this.#half = { width: width >> 1, height: height >> 1, ...kernel.halves[number] };
    this.#quarter = level(width >> 2, height >> 2);
    this.#columnSums = new Int32Array(width >> 1);
    this.#scratch = new Int16Array(this.#half.data.length);
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
      this.#fillHalf();
      this.#highPass();
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

  /** Box means of 2×2: four samples of sixteenths add up to 64 times their mean, of which 4 times are wanted. */
  #fillHalf(): void {
    const full = this.full.data;
    const { width } = this.#kernel;
    const half = this.#half;
    for (let y = 0; y < half.height; y++) {
      let from = 2 * y * width;
      const row = y * half.width;
      for (let x = 0; x < half.width; x++, from += 2) {
        const sum = full[from] + full[from + 1] + full[from + width] + full[from + width + 1];
        half.data[row + x] = sum >> 4;
      }
    }
  }

  /** Takes the box mean away, by running sums over columns, then over rows. */
  #highPass(): void {
    const { width, height, data } = this.#half;
    if (width === 0 || height === 0) return;
    const original = this.#scratch;
    original.set(data);
    const columns = this.#columnSums;
    columns.fill(0);
    let rows = Math.min(HIGH_PASS_RADIUS, height);
    for (let y = 0; y < rows; y++) addRow(columns, original, y * width, 1);
    for (let y = 0; y < height; y++) {
      if (y + HIGH_PASS_RADIUS < height) {
        addRow(columns, original, (y + HIGH_PASS_RADIUS) * width, 1);
        rows++;
      }
      if (y - HIGH_PASS_RADIUS - 1 >= 0) {
        addRow(columns, original, (y - HIGH_PASS_RADIUS - 1) * width, -1);
        rows--;
      }
      let count = Math.min(HIGH_PASS_RADIUS, width);
      let sum = 0;
      for (let x = 0; x < count; x++) sum += columns[x];
      const row = y * width;
      for (let x = 0; x < width; x++) {
        const enters = x + HIGH_PASS_RADIUS;
        if (enters < width) {
          sum += columns[enters];
          count++;
        }
        const goes = enters - 2 * HIGH_PASS_RADIUS - 1;
        if (goes >= 0) {
          sum -= columns[goes];
          count--;
        }
        data[row + x] = original[row + x] - ((sum / (count * rows) + 0.5) | 0);
      }
    }
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

function addRow(sums: Int32Array, data: Int16Array, offset: number, sign: number): void {
  for (let x = 0; x < sums.length; x++) sums[x] += sign * data[offset + x];
}
