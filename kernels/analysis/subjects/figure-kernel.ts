/**
 * Layers of the network that finds figures. Memory layout and order of layers:
 * `src/analysis/subjects/figure-network.ts`.
 *
 * Feature maps are rows of pixels; a pixel has its channels one after the other, each f32. The number of
 * channels is a multiple of 8, except for the input colors. Positions outside the picture are 0. The
 * activation of a layer is 0: none, 1: ReLU, 2: hard swish (x·min(6, max(0, x + 3)) / 6). Floating-point sums
 * depend on their order, which is therefore fixed for each layer.
 */

import { addProduct, sumOfFloats } from '../../lanes';

const FLOAT_BYTES: usize = 4;
const VECTOR_BYTES: usize = 16;
/** Eight channels, in two vectors: one batch of `mix`. */
const BATCH_BYTES: usize = 32;
const COLORS: usize = 3;
const STEM_BYTES: usize = 64;
/** Weight of the nearest input pixel in bilinear upsampling by two; the other pixel has the rest. */
const NEAR_SHARE: f32 = 0.75;

/**
 * The first layer: 3×3 convolution of three colors to sixteen channels with stride 2; hard swish. The window begins at
 * the result's own pixel. Width and height are those of the input, and even. Weights: nine taps of three colors of
 * sixteen channels, then the bias.
 */
export function stem(from: usize, width: usize, height: usize, weights: usize, out: usize): void {
  for (let y: usize = 0; y < height; y += 2) {
    for (let x: usize = 0; x < width; x += 2) {
      stemPixel(from, width, height, x, y, weights, out);
      out += STEM_BYTES;
    }
  }
}

function stemPixel(
  from: usize,
  width: usize,
  height: usize,
  x: usize,
  y: usize,
  weights: usize,
  out: usize,
): void {
  const bias = weights + 27 * STEM_BYTES;
  let sum0 = v128.load(bias, 0);
  let sum1 = v128.load(bias, 16);
  let sum2 = v128.load(bias, 32);
  let sum3 = v128.load(bias, 48);
  // The picture is even: only the third row and the third column can be outside.
  const rows = min<usize>(3, height - y);
  const columns = COLORS * min<usize>(3, width - x);
  for (let row: usize = 0; row < rows; row++) {
    let taps = weights + 9 * row * STEM_BYTES;
    let sample = from + FLOAT_BYTES * COLORS * ((y + row) * width + x);
    const end = sample + FLOAT_BYTES * columns;
    while (sample < end) {
      const value = v128.load32_splat(sample);
      sum0 = addProduct(sum0, value, v128.load(taps, 0));
      sum1 = addProduct(sum1, value, v128.load(taps, 16));
      sum2 = addProduct(sum2, value, v128.load(taps, 32));
      sum3 = addProduct(sum3, value, v128.load(taps, 48));
      taps += STEM_BYTES;
      sample += FLOAT_BYTES;
    }
  }
  v128.store(out, softened(sum0), 0);
  v128.store(out, softened(sum1), 16);
  v128.store(out, softened(sum2), 32);
  v128.store(out, softened(sum3), 48);
}

/**
 * Depthwise `side`×`side` convolution (3 or 5) with stride `step` (1 or 2). Width and height are those of the input,
 * and multiples of the step. Weights: the taps of all channels, then the bias.
 */
export function depthwise(
  from: usize,
  width: i32,
  height: i32,
  channels: usize,
  side: i32,
  step: i32,
  weights: usize,
  curve: i32,
  out: usize,
): void {
  const pixel = FLOAT_BYTES * channels;
  const before = (side - step) >> 1;
  const bias = weights + <usize>(side * side) * pixel;
  for (let y = -before; y < height - before; y += step) {
    const firstRow = max(0, -y);
    const rows = min(side, height - y);
    for (let x = -before; x < width - before; x += step) {
      const firstColumn = max(0, -x);
      const columns = min(side, width - x);
      for (let channel: usize = 0; channel < pixel; channel += VECTOR_BYTES) {
        let sum = v128.load(bias + channel);
        for (let row = firstRow; row < rows; row++) {
          let sample = from + <usize>((y + row) * width + x + firstColumn) * pixel + channel;
          let tap = weights + <usize>(row * side + firstColumn) * pixel + channel;
          const end = weights + <usize>(row * side + columns) * pixel;
          while (tap < end) {
            sum = addProduct(sum, v128.load(sample), v128.load(tap));
            sample += pixel;
            tap += pixel;
          }
        }
        v128.store(out, curved(sum, curve));
        out += VECTOR_BYTES;
      }
    }
  }
}

/**
 * Pointwise convolution of each pixel from `ins` to `outs` channels. Weights: for each eight results, the bias, then
 * eight for each input channel.
 */
export function mix(
  from: usize,
  pixels: usize,
  ins: usize,
  outs: usize,
  weights: usize,
  curve: i32,
  out: usize,
): void {
  const inBytes = FLOAT_BYTES * ins;
  const outBytes = FLOAT_BYTES * outs;
  const batchWeights = BATCH_BYTES * (ins + 1);
  let pixel: usize = 0;
  for (; pixel + 4 <= pixels; pixel += 4) {
    let batch = weights;
    for (let done: usize = 0; done < outBytes; done += BATCH_BYTES) {
      mixFour(from, inBytes, batch, curve, out + done, outBytes);
      batch += batchWeights;
    }
    from += 4 * inBytes;
    out += 4 * outBytes;
  }
  for (; pixel < pixels; pixel++) {
    let batch = weights;
    for (let done: usize = 0; done < outBytes; done += BATCH_BYTES) {
      mixOne(from, inBytes, batch, curve, out + done);
      batch += batchWeights;
    }
    from += inBytes;
    out += outBytes;
  }
}

/** Eight results for each of four adjacent pixels, which share the loads of the weights. */
function mixFour(from: usize, inBytes: usize, weights: usize, curve: i32, out: usize, outBytes: usize): void {
  let a0 = v128.load(weights, 0);
  let a1 = v128.load(weights, 16);
  let b0 = a0;
  let b1 = a1;
  let c0 = a0;
  let c1 = a1;
  let d0 = a0;
  let d1 = a1;
  const end = from + inBytes;
  let second = end;
  let third = end + inBytes;
  let fourth = third + inBytes;
  do {
    weights += BATCH_BYTES;
    const low = v128.load(weights, 0);
    const high = v128.load(weights, 16);
    const a = v128.load32_splat(from);
    a0 = addProduct(a0, a, low);
    a1 = addProduct(a1, a, high);
    const b = v128.load32_splat(second);
    b0 = addProduct(b0, b, low);
    b1 = addProduct(b1, b, high);
    const c = v128.load32_splat(third);
    c0 = addProduct(c0, c, low);
    c1 = addProduct(c1, c, high);
    const d = v128.load32_splat(fourth);
    d0 = addProduct(d0, d, low);
    d1 = addProduct(d1, d, high);
    from += FLOAT_BYTES;
    second += FLOAT_BYTES;
    third += FLOAT_BYTES;
    fourth += FLOAT_BYTES;
  } while (from < end);
  storePair(out, a0, a1, curve);
  storePair(out + outBytes, b0, b1, curve);
  storePair(out + 2 * outBytes, c0, c1, curve);
  storePair(out + 3 * outBytes, d0, d1, curve);
}

function mixOne(from: usize, inBytes: usize, weights: usize, curve: i32, out: usize): void {
  let low = v128.load(weights, 0);
  let high = v128.load(weights, 16);
  const end = from + inBytes;
  do {
    weights += BATCH_BYTES;
    const value = v128.load32_splat(from);
    low = addProduct(low, value, v128.load(weights, 0));
    high = addProduct(high, value, v128.load(weights, 16));
    from += FLOAT_BYTES;
  } while (from < end);
  storePair(out, low, high, curve);
}

function storePair(out: usize, low: v128, high: v128, curve: i32): void {
  v128.store(out, curved(low, curve), 0);
  v128.store(out, curved(high, curve), 16);
}

function curved(sum: v128, curve: i32): v128 {
  if (curve === 0) return sum;
  return curve === 1 ? f32x4.max(sum, f32x4.splat(0)) : softened(sum);
}

function softened(sum: v128): v128 {
  const gate = f32x4.min(f32x4.splat(6), f32x4.max(f32x4.splat(0), f32x4.add(sum, f32x4.splat(3))));
  return f32x4.mul(f32x4.mul(sum, gate), f32x4.splat(1 / 6));
}

/** `out` = `one` + `other`; `out` may be one of them. `bytes`: of whole pixels. */
export function add(one: usize, other: usize, bytes: usize, out: usize): void {
  for (let at: usize = 0; at < bytes; at += VECTOR_BYTES)
    v128.store(out + at, f32x4.add(v128.load(one + at), v128.load(other + at)));
}

/** Multiplies each channel by its own factor. `out` may be the input. */
export function scale(from: usize, pixels: usize, channels: usize, factors: usize, out: usize): void {
  const pixel = FLOAT_BYTES * channels;
  const end = from + pixels * pixel;
  for (; from < end; from += pixel, out += pixel) {
    for (let channel: usize = 0; channel < pixel; channel += VECTOR_BYTES)
      v128.store(out + channel, f32x4.mul(v128.load(from + channel), v128.load(factors + channel)));
  }
}

/** Mean of each channel: the sum from the first pixel to the last, divided by their number. */
export function mean(from: usize, pixels: usize, channels: usize, out: usize): void {
  const pixel = FLOAT_BYTES * channels;
  const count = f32x4.splat(<f32>pixels);
  for (let channel: usize = 0; channel < pixel; channel += VECTOR_BYTES) {
    let sum = f32x4.splat(0);
    const end = from + pixels * pixel;
    for (let at = from; at < end; at += pixel) sum = f32x4.add(sum, v128.load(at + channel));
    v128.store(out + channel, f32x4.div(sum, count));
  }
}

/** Bilinear upsampling by two: first across, then down; edges are repeated. Width and height are those of the input. */
export function enlarge(from: usize, width: i32, height: i32, channels: usize, out: usize): void {
  const pixel = FLOAT_BYTES * channels;
  const row = <usize>width * pixel;
  for (let y = 0; y < 2 * height; y++) {
    const near = from + <usize>(y >> 1) * row;
    const far = from + <usize>beside(y, height) * row;
    for (let x = 0; x < 2 * width; x++) {
      const here = <usize>(x >> 1) * pixel;
      const next = <usize>beside(x, width) * pixel;
      for (let channel: usize = 0; channel < pixel; channel += VECTOR_BYTES) {
        const close = between(v128.load(near + here + channel), v128.load(near + next + channel));
        const distant = between(v128.load(far + here + channel), v128.load(far + next + channel));
        v128.store(out, between(close, distant));
        out += VECTOR_BYTES;
      }
    }
  }
}

/** The second input pixel that contributes to a pixel of the upsampled line. */
function beside(at: i32, pixels: i32): i32 {
  const here = at >> 1;
  return (at & 1) === 0 ? max(0, here - 1) : min(pixels - 1, here + 1);
}

function between(near: v128, far: v128): v128 {
  return f32x4.add(f32x4.mul(f32x4.splat(NEAR_SHARE), near), f32x4.mul(f32x4.splat(1 - NEAR_SHARE), far));
}

/**
 * The last layer: transposed 2×2 convolution to one channel: upper left, upper right, lower left and lower right, each
 * with its own weights. Width and height are those of the input. Weights: those of all channels for each of the four,
 * then one bias.
 */
export function last(
  from: usize,
  width: usize,
  height: usize,
  channels: usize,
  weights: usize,
  out: usize,
): void {
  const pixel = FLOAT_BYTES * channels;
  const bias = load<f32>(weights + 4 * pixel);
  const row = 2 * FLOAT_BYTES * width;
  for (let y: usize = 0; y < height; y++) {
    for (let x: usize = 0; x < width; x++) {
      store<f32>(out, bias + product(from, weights, pixel));
      store<f32>(out + FLOAT_BYTES, bias + product(from, weights + pixel, pixel));
      store<f32>(out + row, bias + product(from, weights + 2 * pixel, pixel));
      store<f32>(out + row + FLOAT_BYTES, bias + product(from, weights + 3 * pixel, pixel));
      from += pixel;
      out += 2 * FLOAT_BYTES;
    }
    out += row;
  }
}

/** Dot product of `bytes` of values and weights. */
function product(from: usize, weights: usize, bytes: usize): f32 {
  let sum = f32x4.splat(0);
  for (let at: usize = 0; at < bytes; at += VECTOR_BYTES)
    sum = addProduct(sum, v128.load(from + at), v128.load(weights + at));
  return sumOfFloats(sum);
}

/**
 * Writes for each RGB pixel (three bytes) its difference from its luma (Rec. 709, without linearization), three floats.
 */
export function hues(pixels: usize, count: usize, out: usize): void {
  const end = pixels + COLORS * count;
  for (; pixels < end; pixels += COLORS, out += COLORS * FLOAT_BYTES) {
    const red = <f64>load<u8>(pixels);
    const green = <f64>load<u8>(pixels, 1);
    const blue = <f64>load<u8>(pixels, 2);
    const luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    store<f32>(out, <f32>(red - luma));
    store<f32>(out, <f32>(green - luma), FLOAT_BYTES);
    store<f32>(out, <f32>(blue - luma), 2 * FLOAT_BYTES);
  }
}

/**
 * The network's input, 0..1. For each pixel it is the mean of the grey pixels (a byte each) below it, plus
 * the color differences (three floats a pixel) of a coarser picture. If there are fewer grey pixels than the
 * network has, the nearest one is used.
 */
export function colors(
  grey: usize,
  greyWidth: u32,
  greyHeight: u32,
  hues: usize,
  hueWidth: u32,
  hueHeight: u32,
  width: u32,
  height: u32,
  out: usize,
): void {
  for (let y: u32 = 0; y < height; y++) {
    const top = (y * greyHeight) / height;
    const rows = max<u32>(1, ((y + 1) * greyHeight) / height - top);
    const hueRow = ((y * hueHeight) / height) * hueWidth;
    for (let x: u32 = 0; x < width; x++) {
      const left = (x * greyWidth) / width;
      const columns = max<u32>(1, ((x + 1) * greyWidth) / width - left);
      const sum = sumOfBytes(grey + top * greyWidth + left, greyWidth, columns, rows);
      const luma = f32x4.splat(<f32>sum / <f32>(columns * rows));
      const hue = v128.load(hues + COLORS * FLOAT_BYTES * (hueRow + (x * hueWidth) / width));
      const color = f32x4.min(f32x4.splat(255), f32x4.max(f32x4.splat(0), f32x4.add(luma, hue)));
      // The next pixel overwrites the fourth lane.
      v128.store(out, f32x4.div(color, f32x4.splat(255)));
      out += COLORS * FLOAT_BYTES;
    }
  }
}

function sumOfBytes(from: usize, width: usize, columns: usize, rows: usize): u32 {
  let sum: u32 = 0;
  for (let row: usize = 0; row < rows; row++, from += width) {
    for (let column: usize = 0; column < columns; column++) sum += load<u8>(from + column);
  }
  return sum;
}
