/**
 * Layers of the network that finds faces. Memory layout and order of layers:
 * `src/analysis/subjects/face-network.ts`. Feature maps are rows of pixels; a pixel has its channels one
 * after the other, each f32. The number of channels is a multiple of 4, and of 16 for results of `pointwise`.
 * Floating-point sums depend on their order, which is therefore fixed for each layer.
 */

import { addProduct } from '../../lanes';

const FLOAT_BYTES: usize = 4;
const VECTOR_BYTES: usize = 16;
/** Sixteen channels, in four vectors: the output of `first`, and one batch of `pointwise`. */
const BATCH_BYTES: usize = 64;
const BATCH_RESULTS: usize = 16;
/** One row of the taps of `first`; the bias follows after three rows. */
const TAP_ROW_BYTES: usize = 3 * BATCH_BYTES;
const BIAS: usize = 3 * TAP_ROW_BYTES;

/**
 * The first layer: 3×3 convolution of a picture of bytes, without padding, to sixteen channels; 2×2 maximum pooling;
 * PReLU. Weights: nine taps of sixteen channels, then the bias. Width and height are even and at least 4; `stride` is
 * in bytes, between rows of the result.
 */
export function first(
  grey: usize,
  width: usize,
  height: usize,
  weights: usize,
  slope: f32,
  out: usize,
  stride: usize,
): void {
  for (let y: usize = 0; y < height - 2; y += 2) {
    let pixel = out;
    for (let x: usize = 0; x < width - 2; x += 2) {
      firstPixel(grey + x, width, weights, f32x4.splat(slope), pixel);
      pixel += BATCH_BYTES;
    }
    grey += 2 * width;
    out += stride;
  }
}

/** One pixel of the first layer's result: `grey` is the upper left of its 4×4 input samples. */
function firstPixel(grey: usize, width: usize, weights: usize, slope: v128, out: usize): void {
  let max0 = f32x4.splat(0);
  let max1 = f32x4.splat(0);
  let max2 = f32x4.splat(0);
  let max3 = f32x4.splat(0);
  for (let part: usize = 0; part < 4; part++) {
    let sum0 = v128.load(weights, BIAS);
    let sum1 = v128.load(weights, BIAS + 16);
    let sum2 = v128.load(weights, BIAS + 32);
    let sum3 = v128.load(weights, BIAS + 48);
    let samples = grey + (part & 1) + (part >> 1) * width;
    let taps = weights;
    const tapsEnd = weights + BIAS;
    do {
      const left = floatOfByte(load<u8>(samples, 0));
      sum0 = addProduct(sum0, left, v128.load(taps, 0));
      sum1 = addProduct(sum1, left, v128.load(taps, 16));
      sum2 = addProduct(sum2, left, v128.load(taps, 32));
      sum3 = addProduct(sum3, left, v128.load(taps, 48));
      const middle = floatOfByte(load<u8>(samples, 1));
      sum0 = addProduct(sum0, middle, v128.load(taps, 64));
      sum1 = addProduct(sum1, middle, v128.load(taps, 80));
      sum2 = addProduct(sum2, middle, v128.load(taps, 96));
      sum3 = addProduct(sum3, middle, v128.load(taps, 112));
      const right = floatOfByte(load<u8>(samples, 2));
      sum0 = addProduct(sum0, right, v128.load(taps, 128));
      sum1 = addProduct(sum1, right, v128.load(taps, 144));
      sum2 = addProduct(sum2, right, v128.load(taps, 160));
      sum3 = addProduct(sum3, right, v128.load(taps, 176));
      samples += width;
      taps += TAP_ROW_BYTES;
    } while (taps < tapsEnd);
    if (part === 0) {
      max0 = sum0;
      max1 = sum1;
      max2 = sum2;
      max3 = sum3;
    } else {
      max0 = f32x4.max(max0, sum0);
      max1 = f32x4.max(max1, sum1);
      max2 = f32x4.max(max2, sum2);
      max3 = f32x4.max(max3, sum3);
    }
  }
  v128.store(out, activated(max0, slope), 0);
  v128.store(out, activated(max1, slope), 16);
  v128.store(out, activated(max2, slope), 32);
  v128.store(out, activated(max3, slope), 48);
}

/**
 * Depthwise 3×3 convolution of a picture that is padded by one pixel: `width` and `height` are the result's. Weights:
 * nine taps of all channels.
 */
export function depthwise(
  from: usize,
  width: usize,
  height: usize,
  channels: usize,
  weights: usize,
  out: usize,
): void {
  const pixel = FLOAT_BYTES * channels;
  const stride = pixel * (width + 2);
  for (let y: usize = 0; y < height; y++) {
    for (let x: usize = 0; x < width; x++) {
      depthwisePixel(from + x * pixel, stride, pixel, weights, out);
      out += pixel;
    }
    from += stride;
  }
}

/**
 * One pixel of the result: `row0` is the upper left of its nine input pixels. `pixel`: bytes of a pixel, and of a tap.
 */
function depthwisePixel(row0: usize, stride: usize, pixel: usize, weights: usize, out: usize): void {
  const second = pixel;
  const third = 2 * pixel;
  const tapRow = 3 * pixel;
  const end = row0 + pixel;
  let row1 = row0 + stride;
  let row2 = row1 + stride;
  let taps0 = weights;
  do {
    const taps1 = taps0 + tapRow;
    const taps2 = taps1 + tapRow;
    const sum01 = f32x4.add(product(row0, taps0), product(row0 + second, taps0 + second));
    const sum23 = f32x4.add(product(row0 + third, taps0 + third), product(row1, taps1));
    const sum45 = f32x4.add(product(row1 + second, taps1 + second), product(row1 + third, taps1 + third));
    const sum78 = f32x4.add(product(row2 + second, taps2 + second), product(row2 + third, taps2 + third));
    const sum678 = f32x4.add(product(row2, taps2), sum78);
    v128.store(out, f32x4.add(f32x4.add(sum01, sum23), f32x4.add(sum45, sum678)));
    out += VECTOR_BYTES;
    taps0 += VECTOR_BYTES;
    row0 += VECTOR_BYTES;
    row1 += VECTOR_BYTES;
    row2 += VECTOR_BYTES;
  } while (row0 < end);
}

/**
 * Pointwise convolution of each pixel from `ins` to `outs` channels, and PReLU. Weights: for each sixteen results, the
 * bias, then sixteen for each input channel. At least two pixels.
 */
export function pointwise(
  from: usize,
  pixels: usize,
  ins: usize,
  outs: usize,
  weights: usize,
  slope: f32,
  out: usize,
): void {
  const inBytes = FLOAT_BYTES * ins;
  const outBytes = FLOAT_BYTES * outs;
  const batchWeights = BATCH_BYTES * (ins + 1);
  const slopes = f32x4.splat(slope);
  for (let pixel: usize = 0; pixel < pixels; pixel += 2) {
    // Two pixels at a time share the loads of the weights; the last of an odd number is computed twice.
    const first = min(pixel, pixels - 2);
    const pair = from + first * inBytes;
    const results = out + first * outBytes;
    let batch = weights;
    for (let done: usize = 0; done < outBytes; done += BATCH_BYTES) {
      mixPair(pair, inBytes, batch, slopes, results + done, outBytes);
      batch += batchWeights;
    }
  }
}

/** Sixteen results for each of two adjacent pixels. */
function mixPair(
  pair: usize,
  inBytes: usize,
  weights: usize,
  slope: v128,
  out: usize,
  outBytes: usize,
): void {
  let one = pair;
  let other = pair + inBytes;
  const end = other;
  let one0 = v128.load(weights, 0);
  let one1 = v128.load(weights, 16);
  let one2 = v128.load(weights, 32);
  let one3 = v128.load(weights, 48);
  let other0 = one0;
  let other1 = one1;
  let other2 = one2;
  let other3 = one3;
  weights += BATCH_BYTES;
  do {
    const a = v128.load32_splat(one);
    const b = v128.load32_splat(other);
    const weights0 = v128.load(weights, 0);
    one0 = addProduct(one0, a, weights0);
    other0 = addProduct(other0, b, weights0);
    const weights1 = v128.load(weights, 16);
    one1 = addProduct(one1, a, weights1);
    other1 = addProduct(other1, b, weights1);
    const weights2 = v128.load(weights, 32);
    one2 = addProduct(one2, a, weights2);
    other2 = addProduct(other2, b, weights2);
    const weights3 = v128.load(weights, 48);
    one3 = addProduct(one3, a, weights3);
    other3 = addProduct(other3, b, weights3);
    weights += BATCH_BYTES;
    other += FLOAT_BYTES;
    one += FLOAT_BYTES;
  } while (one < end);
  v128.store(out, activated(one0, slope), 0);
  v128.store(out, activated(one1, slope), 16);
  v128.store(out, activated(one2, slope), 32);
  v128.store(out, activated(one3, slope), 48);
  out += outBytes;
  v128.store(out, activated(other0, slope), 0);
  v128.store(out, activated(other1, slope), 16);
  v128.store(out, activated(other2, slope), 32);
  v128.store(out, activated(other3, slope), 48);
}

/**
 * 2×2 maximum pooling, `step` pixels apart; positions outside the picture are ignored. `stride` is in bytes, between
 * rows of the result.
 */
export function pool(
  from: usize,
  width: usize,
  height: usize,
  channels: usize,
  step: usize,
  out: usize,
  stride: usize,
): void {
  const pixel = FLOAT_BYTES * channels;
  const row = pixel * width;
  for (let y: usize = 0; y < height; y += step) {
    // Pixels at the edge are repeated outside the picture.
    const down = y + 1 < height ? row : 0;
    let result = out;
    for (let x: usize = 0; x < width; x += step) {
      const right = x + 1 < width ? pixel : 0;
      poolPixel(from + y * row + x * pixel, right, down, pixel, result);
      result += pixel;
    }
    out += stride;
  }
}

/** `right` and `down`: offsets of the neighbours, in bytes. */
function poolPixel(here: usize, right: usize, down: usize, pixel: usize, out: usize): void {
  const end = here + pixel;
  do {
    const below = here + down;
    const upper = f32x4.max(v128.load(here), v128.load(here + right));
    const lower = f32x4.max(v128.load(below), v128.load(below + right));
    v128.store(out, f32x4.max(upper, lower));
    out += VECTOR_BYTES;
    here += VECTOR_BYTES;
  } while (here < end);
}

/** PReLU: negative values times the slope. */
function activated(sum: v128, slope: v128): v128 {
  return f32x4.max(sum, f32x4.mul(sum, slope));
}

/** Product of the vectors at two addresses. */
function product(a: usize, b: usize): v128 {
  return f32x4.mul(v128.load(a), v128.load(b));
}

/** The byte as a float in all four lanes. */
function floatOfByte(byte: u8): v128 {
  return f32x4.splat(byte as f32);
}

/** Converts bytes to floats: `least` plus `step` times the byte. */
export function unpack(from: usize, count: usize, least: f64, step: f64, out: usize): void {
  for (let at: usize = 0; at < count; at++) {
    store<f32>(out, <f32>(least + step * <f64>load<u8>(from + at)));
    out += FLOAT_BYTES;
  }
}

/**
 * Reorders weights for `pointwise`, from a row of `outs` results (floats) for each of the `ins` input channels, and a
 * row of biases. Padding results keep the 0 that `out` already contains.
 */
export function interleave(from: usize, bias: usize, ins: usize, outs: usize, out: usize): void {
  for (let block: usize = 0; block < outs; block += BATCH_RESULTS) {
    const bytes = FLOAT_BYTES * min(BATCH_RESULTS, outs - block);
    memory.copy(out, bias + FLOAT_BYTES * block, bytes);
    out += BATCH_BYTES;
    for (let row: usize = 0; row < ins; row++) {
      memory.copy(out, from + FLOAT_BYTES * (row * outs + block), bytes);
      out += BATCH_BYTES;
    }
  }
}

/**
 * Scales a picture of bytes, bilinear between the middles of pixels; edges are repeated. Interpolation weights are f32.
 */
export function resize(
  from: usize,
  fromWidth: i32,
  fromHeight: i32,
  width: i32,
  height: i32,
  out: usize,
): void {
  for (let y = 0; y < height; y++) {
    const down = placeIn(fromHeight, height, y);
    const above = from + <usize>(<i32>down * fromWidth);
    const below = from + <usize>(min(<i32>down + 1, fromHeight - 1) * fromWidth);
    const downShare = shareOf(down);
    for (let x = 0; x < width; x++) {
      const across = placeIn(fromWidth, width, x);
      const left = <usize>(<i32>across);
      const right = <usize>min(<i32>across + 1, fromWidth - 1);
      const share = shareOf(across);
      const upper = between(above + left, above + right, share);
      const lower = between(below + left, below + right, share);
      store<u8>(out, <u8>(upper + downShare * (lower - upper) + 0.5));
      out++;
    }
  }
}

/** Middle of part number `at` of `count` equal parts, in pixels from the middle of the first pixel. */
function placeIn(pixels: i32, count: i32, at: i32): f64 {
  const place = ((<f64>at + 0.5) * <f64>pixels) / <f64>count - 0.5;
  return max<f64>(0, min<f64>(<f64>(pixels - 1), place));
}

function shareOf(place: f64): f64 {
  return <f64>(<f32>(place - Math.floor(place)));
}

function between(left: usize, right: usize, share: f64): f64 {
  const level = <f64>load<u8>(left);
  return level + share * (<f64>load<u8>(right) - level);
}
