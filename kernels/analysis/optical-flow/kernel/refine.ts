/**
 * Sub-pixel vectors of blocks: Lucas & Kanade (1981) in the inverse-compositional form of Baker & Matthews (2004), with the block's
 * mean brightness free. `begin` with two pictures, `choose` a block, `match` it from one start or more.
 */
import { blockDifference, compareBetween, compareWhole, describe } from './compare';
import { BLOCK, height, stride, width } from './planes';
import { gradients } from './pyramid';
import { SAMPLE_BYTES, SUM_BYTES, sampleAt } from './samples';

/** Standard deviation of a smoothed pixel's noise, grey levels: sensor, compression, rounding. */
export const NOISE: f64 = 0.6;
/** Most comparisons with the later picture for one vector. */
export const MAX_COMPARISONS = 4;
/** Iteration ends with a step shorter than this, pixels. */
const CONVERGED: f64 = 0.06;
/** A result further from the start than this, pixels, is no match: the search's grid is finer. */
const REACH: f64 = 2.5;
const PIXELS: f64 = 64;
/** Samples are in sixteenths of a grey level, gradients are differences over two samples. */
const LEVEL_STEPS: f64 = 16;
const GRADIENT_STEPS: f64 = 2 * LEVEL_STEPS;
/** Side of the copy of samples for a block that crosses the picture's edge: one more than the block. */
const PATCH_SIDE: i32 = 9;
const PATCH_STRIDE: usize = 18;

/** Variance of the chosen block, and the covariances of its gradients. */
export let chosenVariance: f64 = 0;
export let chosenXx: f64 = 0;
export let chosenXy: f64 = 0;
export let chosenYy: f64 = 0;
/**
 * The block's match: the vector; the mean absolute difference, grey levels; and the variance of that
 * difference, without a change of brightness.
 */
export let foundX: f64 = 0;
export let foundY: f64 = 0;
export let foundError: f64 = 0;
export let foundLeft: f64 = 0;

/** Working memory: gradients of the earlier picture, the samples around a block, and sums over it. */
let gradientX: usize = 0;
let gradientY: usize = 0;
let patch: usize = 0;
let sums: usize = 0;

let earlier: usize = 0;
let later: usize = 0;
let blockLeft: i32 = 0;
let blockTop: i32 = 0;
/** Bytes from a picture's beginning to the block's. */
let offset: usize = 0;
let meanGx: f64 = 0;
let meanGy: f64 = 0;
let sum: f64 = 0;
let sumGx: f64 = 0;
let sumGy: f64 = 0;
let absolute: f64 = 0;
let squares: f64 = 0;

/** Sets the addresses: two pictures of gradients, 9×9 samples, and eight sums. */
export function placeRefiner(slopesX: usize, slopesY: usize, patchAt: usize, sumsAt: usize): void {
  gradientX = slopesX;
  gradientY = slopesY;
  patch = patchAt;
  sums = sumsAt;
}

/** Sets the pictures, of the size that is set, at least one block. */
export function begin(earlierPicture: usize, laterPicture: usize): void {
  earlier = earlierPicture;
  later = laterPicture;
  gradients(earlier, width, height, gradientX, gradientY);
}

/** Chooses the block with this corner for `match`. */
export function choose(left: i32, top: i32): void {
  blockLeft = left;
  blockTop = top;
  offset = SAMPLE_BYTES * <usize>(top * width + left);
  describe(earlier + offset, gradientX + offset, gradientY + offset, stride, sums);
  meanGx = wholeSum(0) / GRADIENT_STEPS / PIXELS;
  meanGy = wholeSum(1) / GRADIENT_STEPS / PIXELS;
  chosenXx = wholeSum(2) / (GRADIENT_STEPS * GRADIENT_STEPS) / PIXELS - meanGx * meanGx;
  chosenXy = wholeSum(3) / (GRADIENT_STEPS * GRADIENT_STEPS) / PIXELS - meanGx * meanGy;
  chosenYy = wholeSum(4) / (GRADIENT_STEPS * GRADIENT_STEPS) / PIXELS - meanGy * meanGy;
  const mean = wholeSum(5) / LEVEL_STEPS / PIXELS;
  chosenVariance = wholeSum(6) / (LEVEL_STEPS * LEVEL_STEPS) / PIXELS - mean * mean;
}

/** Starts from a vector in pixels, which need not be whole. */
export function match(startX: f64, startY: f64, comparisons: i32): void {
  let vx = startX;
  let vy = startY;
  // Keeps a block with one gradient direction from drifting along it.
  const ridge = NOISE * NOISE;
  const xx = chosenXx + ridge;
  const yy = chosenYy + ridge;
  const determinant = xx * yy - chosenXy * chosenXy;
  compare(vx, vy);
  for (let step = 1; ; step++) {
    const bx = (sumGx - meanGx * sum) / PIXELS;
    const by = (sumGy - meanGy * sum) / PIXELS;
    const dx = (yy * bx - chosenXy * by) / determinant;
    const dy = (xx * by - chosenXy * bx) / determinant;
    if (abs(vx - dx - startX) > REACH || abs(vy - dy - startY) > REACH) break;
    vx -= dx;
    vy -= dy;
    if (step >= comparisons || dx * dx + dy * dy < CONVERGED * CONVERGED) break;
    compare(vx, vy);
  }
  foundX = vx;
  foundY = vy;
  foundError = absolute / PIXELS;
  foundLeft = max<f64>(0, squares / PIXELS - (sum / PIXELS) * (sum / PIXELS));
}

/** Sum of absolute differences of a block and the later picture, moved by whole pixels, clamped to the picture. */
export function difference(left: i32, top: i32, x: f64, y: f64): i32 {
  const toX = <i32>max<f64>(0, min<f64>(width - BLOCK, <f64>left + x));
  const toY = <i32>max<f64>(0, min<f64>(height - BLOCK, <f64>top + y));
  const from = earlier + SAMPLE_BYTES * <usize>(top * width + left);
  return blockDifference(from, later + SAMPLE_BYTES * <usize>(toY * width + toX), stride);
}

/** Sums over the block of (later at the moved position − earlier), bilinear, with edges repeated. */
function compare(vx: f64, vy: f64): void {
  const baseX = Math.floor(vx);
  const baseY = Math.floor(vy);
  const x0 = <f64>blockLeft + baseX;
  const y0 = <f64>blockTop + baseY;
  let b = patch;
  let bStride = PATCH_STRIDE;
  if (x0 >= 0 && y0 >= 0 && x0 + BLOCK < <f64>width && y0 + BLOCK < <f64>height) {
    b = later + SAMPLE_BYTES * <usize>(<i32>y0 * width + <i32>x0);
    bStride = stride;
  } else {
    cut(x0, y0);
  }
  const a = earlier + offset;
  const gx = gradientX + offset;
  const gy = gradientY + offset;
  // Many blocks do not move, so a loop without interpolation pays off.
  if (vx === baseX && vy === baseY) {
    compareWhole(a, gx, gy, stride, b, bStride, sums);
    takeSums(wholeSum(0), wholeSum(1), wholeSum(2), wholeSum(3), wholeSum(4));
  } else {
    compareBetween(a, gx, gy, stride, b, bStride, <f32>(vx - baseX), <f32>(vy - baseY), sums);
    takeSums(floatSum(0), floatSum(1), floatSum(2), floatSum(3), floatSum(4));
  }
}

function takeSums(d: f64, dGx: f64, dGy: f64, dAbsolute: f64, dSquared: f64): void {
  sum = d / LEVEL_STEPS;
  sumGx = dGx / (LEVEL_STEPS * GRADIENT_STEPS);
  sumGy = dGy / (LEVEL_STEPS * GRADIENT_STEPS);
  absolute = dAbsolute / LEVEL_STEPS;
  squares = dSquared / (LEVEL_STEPS * LEVEL_STEPS);
}

/** Copies the later picture's samples for a block into the patch, with edges repeated. */
function cut(left: f64, top: f64): void {
  // Positions outside the picture are clamped to its edge.
  const fromX = <i32>max<f64>(-PATCH_SIDE, min<f64>(width, left));
  const fromY = <i32>max<f64>(-PATCH_SIDE, min<f64>(height, top));
  let to = patch;
  for (let y = fromY; y < fromY + PATCH_SIDE; y++) {
    const row = later + stride * <usize>clamp(y, height);
    for (let x = fromX; x < fromX + PATCH_SIDE; x++) {
      store<i16>(to, sampleAt(row + SAMPLE_BYTES * <usize>clamp(x, width)));
      to += SAMPLE_BYTES;
    }
  }
}

function clamp(value: i32, size: i32): i32 {
  return max(0, min(size - 1, value));
}

function wholeSum(place: usize): f64 {
  return <f64>load<i32>(sums + SUM_BYTES * place);
}

function floatSum(place: usize): f64 {
  return <f64>load<f32>(sums + SUM_BYTES * place);
}
