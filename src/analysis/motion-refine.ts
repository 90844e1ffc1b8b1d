/** Side of a block in pixels of the grey picture. */
export const BLOCK = 8;
/** Standard deviation of a pixel's noise, grey levels: sensor, compression, rounding. */
export const NOISE = 1.5;
const REFINEMENTS = 3;
/** A step this short, in pixels, is the last. */
const CONVERGED = 0.03;
/** Further from the start than the search's grid explains, pixels: the block has no such match. */
const REACH = 2.5;

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
 * (2004), with the block's mean brightness free.
 */
export class BlockRefiner {
  readonly #width: number;
  readonly #height: number;
  readonly #gradientX = new Float64Array(BLOCK * BLOCK);
  readonly #gradientY = new Float64Array(BLOCK * BLOCK);
  readonly #match: BlockMatch = { x: 0, y: 0, error: 0, left: 0, mean: 0, variance: 0, xx: 0, xy: 0, yy: 0 };
  #earlier: Uint8Array = new Uint8Array(0);
  #later: Uint8Array = this.#earlier;

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
  }

  /** Starts from (startX, startY), whole pixels. */
  run(
    earlier: Uint8Array,
    later: Uint8Array,
    left: number,
    top: number,
    startX: number,
    startY: number,
  ): Readonly<BlockMatch> {
    this.#earlier = earlier;
    this.#later = later;
    this.#gradients(left, top);
    const { xx, xy, yy } = this.#match;
    const n = BLOCK * BLOCK;
    let vx = startX;
    let vy = startY;
    // Keeps a block of one direction from running along it.
    const ridge = NOISE * NOISE;
    const determinant = (xx + ridge) * (yy + ridge) - xy * xy;
    this.#compare(left, top, vx, vy);
    for (let step = 0; step < REFINEMENTS; step++) {
      const bx = this.#sumGx / n;
      const by = this.#sumGy / n;
      const dx = ((yy + ridge) * bx - xy * by) / determinant;
      const dy = ((xx + ridge) * by - xy * bx) / determinant;
      if (Math.abs(vx - dx - startX) > REACH || Math.abs(vy - dy - startY) > REACH) break;
      vx -= dx;
      vy -= dy;
      if (dx * dx + dy * dy < CONVERGED * CONVERGED) break;
      this.#compare(left, top, vx, vy);
    }
    const out = this.#match;
    out.x = vx;
    out.y = vy;
    out.error = this.#absolute / n;
    out.left = Math.max(0, this.#squares / n - (this.#sum / n) ** 2);
    return out;
  }

  /** Gradients of the earlier block without their mean; sets their mean products and the block's variance. */
  #gradients(left: number, top: number): void {
    const width = this.#width;
    const height = this.#height;
    const data = this.#earlier;
    const gx = this.#gradientX;
    const gy = this.#gradientY;
    const n = BLOCK * BLOCK;
    let sumX = 0;
    let sumY = 0;
    let sum = 0;
    let squares = 0;
    let k = 0;
    for (let y = top; y < top + BLOCK; y++) {
      const up = y > 0 ? -width : 0;
      const down = y + 1 < height ? width : 0;
      for (let x = left; x < left + BLOCK; x++, k++) {
        const at = y * width + x;
        const value = data[at];
        gx[k] = (data[x + 1 < width ? at + 1 : at] - data[x > 0 ? at - 1 : at]) / 2;
        gy[k] = (data[at + down] - data[at + up]) / 2;
        sumX += gx[k];
        sumY += gy[k];
        sum += value;
        squares += value * value;
      }
    }
    let xx = 0;
    let xy = 0;
    let yy = 0;
    for (k = 0; k < n; k++) {
      const x = gx[k] - sumX / n;
      const y = gy[k] - sumY / n;
      gx[k] = x;
      gy[k] = y;
      xx += x * x;
      xy += x * y;
      yy += y * y;
    }
    const out = this.#match;
    out.xx = xx / n;
    out.xy = xy / n;
    out.yy = yy / n;
    out.mean = sum / n;
    out.variance = squares / n - (sum / n) ** 2;
  }

  #sum = 0;
  #sumGx = 0;
  #sumGy = 0;
  #absolute = 0;
  #squares = 0;

  /** Sums over a block of (later at the moved place − earlier), bilinear, the picture continued at its border. */
  #compare(left: number, top: number, vx: number, vy: number): void {
    const baseX = Math.floor(vx);
    const baseY = Math.floor(vy);
    const x0 = left + baseX;
    const y0 = top + baseY;
    const patch = this.#patch;
    const inside = x0 >= 0 && y0 >= 0 && x0 + BLOCK < this.#width && y0 + BLOCK < this.#height;
    const b = inside ? this.#later : patch;
    const stride = inside ? this.#width : BLOCK + 1;
    if (!inside) this.#cut(x0, y0);
    const upper = inside ? y0 * stride + x0 : 0;
    const from = top * this.#width + left;
    if (vx === baseX && vy === baseY) this.#sumWhole(b, upper, stride, from);
    else this.#sumBetween(b, upper, stride, from, vx - baseX, vy - baseY);
  }

  /** The first comparison of every block is at whole pixels: worth a loop without interpolation. */
  #sumWhole(b: Uint8Array, start: number, stride: number, block: number): void {
    const a = this.#earlier;
    const gx = this.#gradientX;
    const gy = this.#gradientY;
    let sum = 0;
    let sumGx = 0;
    let sumGy = 0;
    let absolute = 0;
    let squares = 0;
    let k = 0;
    let to = start;
    let from = block;
    for (let y = 0; y < BLOCK; y++, to += stride, from += this.#width) {
      for (let x = 0; x < BLOCK; x++, k++) {
        const d = b[to + x] - a[from + x];
        sum += d;
        sumGx += d * gx[k];
        sumGy += d * gy[k];
        absolute += Math.abs(d);
        squares += d * d;
      }
    }
    this.#sum = sum;
    this.#sumGx = sumGx;
    this.#sumGy = sumGy;
    this.#absolute = absolute;
    this.#squares = squares;
  }

  #sumBetween(b: Uint8Array, start: number, stride: number, block: number, fx: number, fy: number): void {
    const a = this.#earlier;
    const gx = this.#gradientX;
    const gy = this.#gradientY;
    let sum = 0;
    let sumGx = 0;
    let sumGy = 0;
    let absolute = 0;
    let squares = 0;
    let k = 0;
    let upper = start;
    let from = block;
    for (let y = 0; y < BLOCK; y++, upper += stride, from += this.#width) {
      const lower = upper + stride;
      let edge = b[upper] + fy * (b[lower] - b[upper]);
      for (let x = 1; x <= BLOCK; x++, k++) {
        const next = b[upper + x] + fy * (b[lower + x] - b[upper + x]);
        const d = edge + fx * (next - edge) - a[from + x - 1];
        edge = next;
        sum += d;
        sumGx += d * gx[k];
        sumGy += d * gy[k];
        absolute += Math.abs(d);
        squares += d * d;
      }
    }
    this.#sum = sum;
    this.#sumGx = sumGx;
    this.#sumGy = sumGy;
    this.#absolute = absolute;
    this.#squares = squares;
  }

  readonly #patch = new Uint8Array((BLOCK + 1) * (BLOCK + 1));

  /** Copies what a block needs of the later picture, continued at its border, into `#patch`. */
  #cut(left: number, top: number): void {
    const width = this.#width;
    const height = this.#height;
    let k = 0;
    for (let y = top; y <= top + BLOCK; y++) {
      const row = clamp(y, height) * width;
      for (let x = left; x <= left + BLOCK; x++) this.#patch[k++] = this.#later[row + clamp(x, width)];
    }
  }
}

function clamp(value: number, size: number): number {
  return value < 0 ? 0 : value >= size ? size - 1 : value;
}
