/** Side of a block in pixels of the grey picture. */
export const BLOCK = 8;
/** Standard deviation of a smoothed pixel's noise, grey levels: sensor, compression, rounding. */
export const NOISE = 0.6;
/** Comparisons with the later picture that a vector may take. */
export const MOST_COMPARISONS = 4;
/** A step this short, in pixels, is the last. */
const CONVERGED = 0.06;
/** Further from the start than the search's grid explains, pixels: the block has no such match. */
const REACH = 2.5;
const PIXELS = BLOCK * BLOCK;

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
  readonly #width: number;
  readonly #height: number;
  /** Twice the gradients of the earlier picture. */
  readonly #gradientX: Float64Array;
  readonly #gradientY: Float64Array;
  readonly #match: BlockMatch = { x: 0, y: 0, error: 0, left: 0, mean: 0, variance: 0, xx: 0, xy: 0, yy: 0 };
  readonly #patch = new Float64Array((BLOCK + 1) * (BLOCK + 1));
  #earlier: Float64Array = new Float64Array(0);
  #later: Float64Array = this.#earlier;
  #left = 0;
  #top = 0;
  #meanGx = 0;
  #meanGy = 0;
  #sum = 0;
  #sumGx = 0;
  #sumGy = 0;
  #absolute = 0;
  #squares = 0;

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
    this.#gradientX = new Float64Array(width * height);
    this.#gradientY = new Float64Array(width * height);
  }

  /** Both of the size given, at least a block. */
  begin(earlier: Float64Array, later: Float64Array): void {
    this.#earlier = earlier;
    this.#later = later;
    const width = this.#width;
    const height = this.#height;
    const gx = this.#gradientX;
    const gy = this.#gradientY;
    for (let y = 0; y < height; y++) {
      const row = y * width;
      const up = y > 0 ? -width : 0;
      const down = y + 1 < height ? width : 0;
      for (let at = row + 1; at < row + width - 1; at++) {
        gx[at] = earlier[at + 1] - earlier[at - 1];
        gy[at] = earlier[at + down] - earlier[at + up];
      }
      const end = row + width - 1;
      gx[row] = earlier[row + 1] - earlier[row];
      gy[row] = earlier[row + down] - earlier[row + up];
      gx[end] = earlier[end] - earlier[end - 1];
      gy[end] = earlier[end + down] - earlier[end + up];
    }
  }

  /** The block whose corner is given is the one that is matched from here on; says what it looks like. */
  choose(left: number, top: number): Readonly<BlockMatch> {
    this.#left = left;
    this.#top = top;
    const data = this.#earlier;
    const gx = this.#gradientX;
    const gy = this.#gradientY;
    let sumX = 0;
    let sumY = 0;
    let xx = 0;
    let xy = 0;
    let yy = 0;
    let sum = 0;
    let squares = 0;
    for (let y = 0, row = top * this.#width + left; y < BLOCK; y++, row += this.#width) {
      for (let at = row; at < row + BLOCK; at++) {
        const dx = gx[at];
        const dy = gy[at];
        const value = data[at];
        sumX += dx;
        sumY += dy;
        xx += dx * dx;
        xy += dx * dy;
        yy += dy * dy;
        sum += value;
        squares += value * value;
      }
    }
    this.#meanGx = sumX / PIXELS / 2;
    this.#meanGy = sumY / PIXELS / 2;
    const out = this.#match;
    out.xx = xx / PIXELS / 4 - this.#meanGx * this.#meanGx;
    out.xy = xy / PIXELS / 4 - this.#meanGx * this.#meanGy;
    out.yy = yy / PIXELS / 4 - this.#meanGy * this.#meanGy;
    out.mean = sum / PIXELS;
    out.variance = squares / PIXELS - out.mean * out.mean;
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
      const bx = (0.5 * this.#sumGx - this.#meanGx * this.#sum) / PIXELS;
      const by = (0.5 * this.#sumGy - this.#meanGy * this.#sum) / PIXELS;
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
    const width = this.#width;
    const toX = Math.max(0, Math.min(width - BLOCK, left + x));
    const toY = Math.max(0, Math.min(this.#height - BLOCK, top + y));
    const a = this.#earlier;
    const b = this.#later;
    let sum = 0;
    let from = top * width + left;
    let to = toY * width + toX;
    for (let row = 0; row < BLOCK; row++, from += width, to += width) {
      for (let k = 0; k < BLOCK; k++) sum += Math.abs(a[from + k] - b[to + k]);
    }
    return sum;
  }

  /** Sums over a block of (later at the moved place − earlier), bilinear, the picture continued at its border. */
  #compare(vx: number, vy: number): void {
    const baseX = Math.floor(vx);
    const baseY = Math.floor(vy);
    const x0 = this.#left + baseX;
    const y0 = this.#top + baseY;
    const inside = x0 >= 0 && y0 >= 0 && x0 + BLOCK < this.#width && y0 + BLOCK < this.#height;
    if (!inside) this.#cut(x0, y0);
    const b = inside ? this.#later : this.#patch;
    const stride = inside ? this.#width : BLOCK + 1;
    const start = inside ? y0 * stride + x0 : 0;
    if (vx === baseX && vy === baseY) this.#sumWhole(b, start, stride);
    else this.#sumBetween(b, start, stride, vx - baseX, vy - baseY);
  }

  /** Much of many pictures stands still: worth a loop without interpolation. */
  #sumWhole(b: Float64Array, start: number, stride: number): void {
    const a = this.#earlier;
    const gx = this.#gradientX;
    const gy = this.#gradientY;
    let sum = 0;
    let sumGx = 0;
    let sumGy = 0;
    let absolute = 0;
    let squares = 0;
    let to = start;
    let from = this.#top * this.#width + this.#left;
    for (let y = 0; y < BLOCK; y++, to += stride, from += this.#width) {
      for (let x = 0; x < BLOCK; x++) {
        const d = b[to + x] - a[from + x];
        sum += d;
        sumGx += d * gx[from + x];
        sumGy += d * gy[from + x];
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

  #sumBetween(b: Float64Array, start: number, stride: number, fx: number, fy: number): void {
    const a = this.#earlier;
    const gx = this.#gradientX;
    const gy = this.#gradientY;
    let sum = 0;
    let sumGx = 0;
    let sumGy = 0;
    let absolute = 0;
    let squares = 0;
    let upper = start;
    let from = this.#top * this.#width + this.#left;
    for (let y = 0; y < BLOCK; y++, upper += stride, from += this.#width) {
      const lower = upper + stride;
      let edge = b[upper] + fy * (b[lower] - b[upper]);
      for (let x = 0; x < BLOCK; x++) {
        const next = b[upper + x + 1] + fy * (b[lower + x + 1] - b[upper + x + 1]);
        const d = edge + fx * (next - edge) - a[from + x];
        edge = next;
        sum += d;
        sumGx += d * gx[from + x];
        sumGy += d * gy[from + x];
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
