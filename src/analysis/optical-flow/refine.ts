import { BLOCK, type KernelSamples, LEVEL_STEPS, type MotionKernel } from './kernel.ts';

/** Standard deviation of a smoothed pixel's noise, grey levels: sensor, compression, rounding. */
export const NOISE = 0.6;
/** Comparisons with the later picture that a vector may take. */
export const MAX_COMPARISONS = 4;
/** A step this short, in pixels, is the last. */
const CONVERGED = 0.06;
/** Further from the start than the search's grid explains, pixels: the block has no such match. */
const REACH = 2.5;
const PIXELS = BLOCK * BLOCK;
/** The kernel's gradients are differences over two pixels. */
const GRADIENT_STEPS = 2 * LEVEL_STEPS;

/** What is known of one block; overwritten by the next. */
export interface BlockMatch {
  x: number;
  y: number;
  /** Mean absolute difference of the block and its match, grey levels. */
  error: number;
  /** Variance of that difference: what a change of brightness does not explain. */
  left: number;
  /** Mean and variance of the block itself. */
  mean: number;
  variance: number;
  /** Mean products of its gradients, their means taken away. */
  xx: number;
  xy: number;
  yy: number;
}

/**
 * Sub-pixel vectors of blocks: Lucas & Kanade (1981) in the inverse-compositional form of Baker & Matthews
 * (2004), with the block's mean brightness free. `begin` with two pictures, `choose` a block, `match` it from one
 * start or more.
 */
export class BlockRefiner {
  readonly #kernel: MotionKernel;
  readonly #match: BlockMatch = { x: 0, y: 0, error: 0, left: 0, mean: 0, variance: 0, xx: 0, xy: 0, yy: 0 };
  #earlier = 0;
  #later: KernelSamples;
  #left = 0;
  #top = 0;
  /** Bytes from a picture's beginning to the block's. */
  #offset = 0;
  #meanGx = 0;
  #meanGy = 0;
  #sum = 0;
  #sumGx = 0;
  #sumGy = 0;
  #absolute = 0;
  #squares = 0;

  constructor(kernel: MotionKernel) {
    this.#kernel = kernel;
    this.#later = kernel.patch;
  }

  /** The address of the earlier picture, and the later one; at least a block in size. */
  begin(earlier: number, later: KernelSamples): void {
    this.#earlier = earlier;
    this.#later = later;
    const { run, width, height, gradientX, gradientY } = this.#kernel;
    run.gradients(earlier, width, height, gradientX, gradientY);
  }

  /** The block whose corner is given is the one that is matched from here on; says what it looks like. */
  choose(left: number, top: number): Readonly<BlockMatch> {
    const { run, width, gradientX, gradientY, sums, wholeSums } = this.#kernel;
    this.#left = left;
    this.#top = top;
    const offset = 2 * (top * width + left);
    this.#offset = offset;
    run.describe(this.#earlier + offset, gradientX + offset, gradientY + offset, 2 * width, sums);
    this.#meanGx = wholeSums[0] / GRADIENT_STEPS / PIXELS;
    this.#meanGy = wholeSums[1] / GRADIENT_STEPS / PIXELS;
    const out = this.#match;
    out.xx = wholeSums[2] / GRADIENT_STEPS ** 2 / PIXELS - this.#meanGx * this.#meanGx;
    out.xy = wholeSums[3] / GRADIENT_STEPS ** 2 / PIXELS - this.#meanGx * this.#meanGy;
    out.yy = wholeSums[4] / GRADIENT_STEPS ** 2 / PIXELS - this.#meanGy * this.#meanGy;
    out.mean = wholeSums[5] / LEVEL_STEPS / PIXELS;
    out.variance = wholeSums[6] / LEVEL_STEPS ** 2 / PIXELS - out.mean * out.mean;
    return out;
  }

  /** Starts from a vector in pixels, which need not be whole. */
  match(startX: number, startY: number, comparisons: number): Readonly<BlockMatch> {
    const { xx, xy, yy } = this.#match;
    let vx = startX;
    let vy = startY;
    // Keeps a block of one direction from running along it.
    const ridge = NOISE * NOISE;
    const determinant = (xx + ridge) * (yy + ridge) - xy * xy;
    this.#compare(vx, vy);
    for (let step = 1; ; step++) {
      const bx = (this.#sumGx - this.#meanGx * this.#sum) / PIXELS;
      const by = (this.#sumGy - this.#meanGy * this.#sum) / PIXELS;
      const dx = ((yy + ridge) * bx - xy * by) / determinant;
      const dy = ((xx + ridge) * by - xy * bx) / determinant;
      if (Math.abs(vx - dx - startX) > REACH || Math.abs(vy - dy - startY) > REACH) break;
      vx -= dx;
      vy -= dy;
      if (step >= comparisons || dx * dx + dy * dy < CONVERGED * CONVERGED) break;
      this.#compare(vx, vy);
    }
    const out = this.#match;
    out.x = vx;
    out.y = vy;
    out.error = this.#absolute / PIXELS;
    out.left = Math.max(0, this.#squares / PIXELS - (this.#sum / PIXELS) ** 2);
    return out;
  }

  /** Sum of absolute differences of a block and the later picture, moved by whole pixels as far as the picture goes. */
  difference(left: number, top: number, x: number, y: number): number {
    const { run, width, height } = this.#kernel;
    const toX = Math.max(0, Math.min(width - BLOCK, left + x));
    const toY = Math.max(0, Math.min(height - BLOCK, top + y));
    const from = this.#earlier + 2 * (top * width + left);
    const to = this.#later.address + 2 * (toY * width + toX);
    return run.blockDifference(from, to, 2 * width);
  }

  /** Sums over a block of (later at the moved place − earlier), bilinear, the picture continued at its border. */
  #compare(vx: number, vy: number): void {
    const { run, width, height, gradientX, gradientY, patch, sums } = this.#kernel;
    const baseX = Math.floor(vx);
    const baseY = Math.floor(vy);
    const x0 = this.#left + baseX;
    const y0 = this.#top + baseY;
    const inside = x0 >= 0 && y0 >= 0 && x0 + BLOCK < width && y0 + BLOCK < height;
    if (!inside) this.#cut(x0, y0);
    const b = inside ? this.#later.address + 2 * (y0 * width + x0) : patch.address;
    const bStride = inside ? 2 * width : 2 * (BLOCK + 1);
    const a = this.#earlier + this.#offset;
    const gx = gradientX + this.#offset;
    const gy = gradientY + this.#offset;
    // Much of many pictures stands still: worth a loop without interpolation.
    const isWhole = vx === baseX && vy === baseY;
    if (isWhole) run.compareWhole(a, gx, gy, 2 * width, b, bStride, sums);
    else run.compareBetween(a, gx, gy, 2 * width, b, bStride, vx - baseX, vy - baseY, sums);
    const found = isWhole ? this.#kernel.wholeSums : this.#kernel.floatSums;
    this.#sum = found[0] / LEVEL_STEPS;
    this.#sumGx = found[1] / (LEVEL_STEPS * GRADIENT_STEPS);
    this.#sumGy = found[2] / (LEVEL_STEPS * GRADIENT_STEPS);
    this.#absolute = found[3] / LEVEL_STEPS;
    this.#squares = found[4] / LEVEL_STEPS ** 2;
  }

  /** Copies what a block needs of the later picture, continued at its border, into the patch. */
  #cut(left: number, top: number): void {
    const { width, height, patch } = this.#kernel;
    let k = 0;
    for (let y = top; y <= top + BLOCK; y++) {
      const row = clamp(y, height) * width;
      for (let x = left; x <= left + BLOCK; x++) patch.data[k++] = this.#later.data[row + clamp(x, width)];
    }
  }
}

function clamp(value: number, size: number): number {
  return value < 0 ? 0 : value >= size ? size - 1 : value;
}
