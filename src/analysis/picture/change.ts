import type { Picture } from '../../domain/footage.ts';
import type { PixelBox } from '../bars/picture-area.ts';
import type { Detector } from '../detector.ts';
import { WindowKernel } from './picture-kernel.ts';

const BLOCK = 8;
const WHITE = 255;
/** The sums of a window fit in 16 bits. */
const MAX_FRAMES = 255;
/** Squared grey levels per block that rounding alone can cause. */
const ROUNDING = (BLOCK * BLOCK) / 12;
/** Share of the blocks that is evaluated: a small object may be all that moves. */
const BUSIEST_SHARE = 0.05;

const NO_CHANGE = { change: null, difference: null } as const;
/** Quantile of the blocks by their change from frame to frame that counts as noise: others move. */
const CALM = 0.25;

export interface Change {
  /** Of the busiest blocks, relative to the noise within the windows; null: there is no window before. */
  readonly change: number | null;
  /** Root mean square difference of the busiest blocks, share of the range of grey levels. Null: as above. */
  readonly difference: number | null;
  /** Standard deviation of the change of calm blocks from frame to frame, for one picture, grey levels. */
  readonly noise: number;
}

/**
 * Detects whether anything in the picture changes beyond noise. The means of two time windows differ by
 * motion and by noise, which averages out. The frames within a window differ by noise and little motion. The
 * ratio is about 1 for a frozen picture with any white noise, and large if anything moves. Codecs keep noise from frame to frame,
 * so that it does not average out, but little of it: the difference itself is small.
 */
export class ChangeMeter implements Detector<[Picture], void> {
  #kernel: WindowKernel | null = null;
  #mean: Float32Array | null = null;
  #frames = 0;
  #steps = 0;
  #hasLast = false;

  push(grey: Picture): void {
    const { width, height } = grey;
    if (this.#kernel?.width !== width || this.#kernel.height !== height) this.#reset(width, height);
    if (this.#frames === MAX_FRAMES) return;
    this.#kernel!.add(grey, !this.#hasLast);
    if (this.#hasLast) this.#steps += 1;
    this.#hasLast = true;
    this.#frames += 1;
  }

  #reset(width: number, height: number): void {
    this.#kernel = new WindowKernel(width, height);
    this.#mean = null;
    this.#hasLast = false;
    this.#frames = 0;
    this.#steps = 0;
  }

  /** Ends a window and compares it with the previous one, within `box`. */
  closeWindow(box: PixelBox): Change {
    const kernel = this.#kernel;
    if (kernel === null || this.#frames === 0) return { change: null, difference: null, noise: 0 };
    const { sums } = kernel;
    const mean = new Float32Array(sums.length);
    for (let i = 0; i < sums.length; i++) mean[i] = sums[i] / this.#frames;
    const blocks = blocksWithin(kernel, box);
    const result = {
      ...(this.#mean === null ? NO_CHANGE : this.#compare(this.#mean, mean, kernel, blocks)),
      noise: this.#noise(kernel, blocks),
    };
    this.#mean = mean;
    this.#frames = 0;
    this.#steps = 0;
    kernel.clear();
    return result;
  }

  #compare(
    earlier: Float32Array,
    later: Float32Array,
    { width, changes }: WindowKernel,
    blocks: readonly Block[],
  ): Omit<Change, 'noise'> {
    const differences = new Float64Array(blocks.length);
    const ratios = new Float64Array(blocks.length);
    const perStep = Math.max(1, this.#steps);
    blocks.forEach(({ number, left, top }, at) => {
      let sum = 0;
      for (let y = top; y < top + BLOCK; y++) {
        for (let x = left; x < left + BLOCK; x++) sum += (later[y * width + x] - earlier[y * width + x]) ** 2;
      }
      differences[at] = sum;
      ratios[at] = (this.#frames * sum) / (changes[number] / perStep + ROUNDING);
    });
    const squares = meanOfBusiest(differences.sort()) / BLOCK ** 2;
    return { change: meanOfBusiest(ratios.sort()), difference: Math.sqrt(squares) / WHITE };
  }

  #noise({ changes }: WindowKernel, blocks: readonly Block[]): number {
    if (this.#steps === 0) return 0;
    const sorted = Float64Array.from(blocks, ({ number }) => changes[number]).sort();
    // The difference of two frames has the noise of both.
    return Math.sqrt(sorted[Math.floor(CALM * sorted.length)] / this.#steps / BLOCK ** 2 / 2);
  }

  finish(): void {}
}

interface Block {
  readonly number: number;
  readonly left: number;
  readonly top: number;
}

/** Blocks that are completely inside; all, if none is. */
function blocksWithin({ width, height }: WindowKernel, box: PixelBox): Block[] {
  const columns = Math.floor(width / BLOCK);
  const all = Array.from({ length: columns * Math.floor(height / BLOCK) }, (_, number) => ({
    number,
    left: (number % columns) * BLOCK,
    top: Math.floor(number / columns) * BLOCK,
  }));
  const inside = all.filter(
    ({ left, top }) =>
      left >= box.left &&
      top >= box.top &&
      left + BLOCK <= box.left + box.width &&
      top + BLOCK <= box.top + box.height,
  );
  return inside.length === 0 ? all : inside;
}

function meanOfBusiest(ascending: Float64Array): number {
  const busiest = ascending.subarray(-Math.max(1, Math.round(BUSIEST_SHARE * ascending.length)));
  return busiest.reduce((total, value) => total + value, 0) / Math.max(1, busiest.length);
}
