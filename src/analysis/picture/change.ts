import type { Picture } from '../../domain/footage.ts';
import type { Detector } from '../detector.ts';
import { WindowKernel } from './picture-kernel.ts';

const BLOCK = 8;
/** The sums of a window fit in 16 bits. */
const MAX_FRAMES = 255;
/** Squared grey levels per block that rounding alone can cause. */
const ROUNDING = (BLOCK * BLOCK) / 12;
/** Share of the blocks that is evaluated: a small object may be all that moves. */
const BUSIEST_SHARE = 0.05;

/**
 * Detects whether anything in the picture changes beyond noise. The means of two time windows differ by
 * motion and by noise, which averages out. The frames within a window differ by noise and little motion. The
 * ratio is about 1 for a frozen picture with any noise, and large if anything moves.
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

  /** Ends a window and compares it with the previous one; null: there is none. */
  closeWindow(): number | null {
    const kernel = this.#kernel;
    if (kernel === null || this.#frames === 0) return null;
    const { sums } = kernel;
    const mean = new Float32Array(sums.length);
    for (let i = 0; i < sums.length; i++) mean[i] = sums[i] / this.#frames;
    const change = this.#mean === null ? null : this.#compare(this.#mean, mean, kernel);
    this.#mean = mean;
    this.#frames = 0;
    this.#steps = 0;
    kernel.clear();
    return change;
  }

  #compare(earlier: Float32Array, later: Float32Array, { width, height, changes }: WindowKernel): number {
    const columns = Math.floor(width / BLOCK);
    const rows = Math.floor(height / BLOCK);
    const ratios = new Float64Array(columns * rows);
    const perStep = Math.max(1, this.#steps);
    for (let block = 0; block < ratios.length; block++) {
      const left = (block % columns) * BLOCK;
      const top = Math.floor(block / columns) * BLOCK;
      let sum = 0;
      for (let y = top; y < top + BLOCK; y++) {
        for (let x = left; x < left + BLOCK; x++) sum += (later[y * width + x] - earlier[y * width + x]) ** 2;
      }
      ratios[block] = (this.#frames * sum) / (changes[block] / perStep + ROUNDING);
    }
    ratios.sort();
    const busiest = ratios.subarray(-Math.max(1, Math.round(BUSIEST_SHARE * ratios.length)));
    return busiest.reduce((total, ratio) => total + ratio, 0) / Math.max(1, busiest.length);
  }

  finish(): void {}
}
