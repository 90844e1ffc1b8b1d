import { readFileSync } from 'node:fs';
import { type Picture, RGB, type Size } from '../../footage.ts';
import { luma709 } from '../../signal/colour-space.ts';
import { clamp } from '../../signal/interpolation.ts';
import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from '../../signal/kernel.ts';
import { BOTTLENECKS, FIRST_CHANNELS, HEAD_CHANNELS, LINEAR, RECTIFIED, WEIGHTS } from './figure-weights.ts';
import { networkSize } from './network-size.ts';

/** All but counts, sizes and curves are addresses: `kernels/analysis/subjects/figure-kernel.ts` says what lies there. */
interface FigureExports extends KernelExports {
  stem(from: number, width: number, height: number, weights: number, out: number): void;
  depthwise(
    from: number,
    width: number,
    height: number,
    channels: number,
    side: number,
    step: number,
    weights: number,
    curve: number,
    out: number,
  ): void;
  mix(
    from: number,
    pixels: number,
    ins: number,
    outs: number,
    weights: number,
    curve: number,
    out: number,
  ): void;
}

/** Each pixel's probability of being a figure's: rows from top to bottom. */
export interface FigureMap extends Size {
  readonly probabilities: Float32Array;
}

/** A picture of features in the kernel's memory. */
interface Features extends Size {
  readonly channels: number;
  readonly address: number;
}

/** Pixels that the network was trained on: 256×144. */
const PIXELS = 256 * 144;
/** What comes before the bottlenecks halves the picture, and so does each with a step of 2. */
const CELL_PIXELS = 2 ** (1 + BOTTLENECKS.filter(({ step }) => step === 2).length);
const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;
/** Results of `mix` are made by so many. */
const LANES = 8;
/** Of twice as many pixels: how much of the one that a new pixel lies in it takes; the rest it takes of the one beside. */
const NEAR_SHARE = 0.75;
/**
 * Figures in small pictures: people, and what else stands before its ground as they do. The network is the selfie segmentation of
 * MediaPipe (Google, 2021; Apache-2.0), its model for wide pictures: a MobileNetV3 (A. Howard et al., "Searching for MobileNetV3", 2019)
 * that grows wide again, 106,401 weights of half precision. `figure-weights.bin` has them in the order in which they are used, packed as
 * the kernel reads them; results differ from the published layers' by rounding (0.00001 at most).
 */
export class FigureNetwork {
  readonly #run: FigureExports;
  readonly #size: Size;
  readonly #layout = new KernelLayout();
  readonly #colours: number;
  readonly #firstWeights: number;
  /** Where the features of each step lie: taken when the first picture comes. */
  readonly #places: number[] = [];
  /** All of the kernel's memory. */
  #floats: Float32Array;
  #place = 0;
  #weights = 0;

  /** `picture`: the size of those that will come. */
  constructor(picture: Size) {
    this.#size = networkSize(picture, PIXELS, CELL_PIXELS);
    const { width, height } = this.#size;
    this.#firstWeights = this.#layout.take(FLOAT_BYTES * WEIGHTS);
    this.#colours = this.#layout.take(FLOAT_BYTES * RGB * width * height);
    this.#run = instantiateKernel<FigureExports>(new URL('figure-kernel.wasm', import.meta.url));
    reserveBytes(this.#run.memory, this.#layout.bytes);
    this.#floats = new Float32Array(this.#run.memory.buffer);
    const bytes = readFileSync(new URL('figure-weights.bin', import.meta.url));
    const halves = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const first = this.#firstWeights / FLOAT_BYTES;
    for (let at = 0; at < WEIGHTS; at++) this.#floats[first + at] = halves.getFloat16(2 * at, true);
  }

  /** `grey` has what is sharp, `colour` (RGB) what it lacks. */
  find(grey: Picture, colour: Picture): FigureMap {
    const { width, height } = this.#size;
    const first = this.#colours / FLOAT_BYTES;
    coloursInto(this.#floats.subarray(first, first + RGB * width * height), this.#size, grey, colour);
    [this.#place, this.#weights] = [0, this.#firstWeights];
    const skipped: Features[] = [];
    let at = this.#stem();
    for (const bottleneck of BOTTLENECKS) {
      if (bottleneck.step === 2) skipped.push(at);
      at = this.#bottleneck(at, bottleneck);
    }
    at = this.#head(at);
    for (const skip of skipped.reverse()) at = this.#wider(at, skip);
    return { width, height, probabilities: this.#last(at) };
  }

  #stem(): Features {
    const { width, height } = this.#size;
    const out = this.#features({ width: width / 2, height: height / 2 }, FIRST_CHANNELS);
    const weights = this.#taken((RGB * 9 + 1) * FIRST_CHANNELS);
    this.#run.stem(this.#colours, width, height, weights, out.address);
    return out;
  }

  #bottleneck(
    from: Features,
    { wide, side, step, curve, gate, outs }: (typeof BOTTLENECKS)[number],
  ): Features {
    const widened = this.#mixed(from, wide, curve);
    const spread = this.#spread(widened, side, step, curve);
    if (gate > 0) this.#scaled(spread, spread, this.#gateOf(this.#mean(spread), gate, wide));
    const out = this.#mixed(spread, outs, LINEAR);
    // What keeps its size keeps its channels as well.
    if (step === 1) this.#add(out, from);
    return out;
  }

  #head(from: Features): Features {
    const out = this.#mixed(from, HEAD_CHANNELS, RECTIFIED);
    this.#scaled(out, out, this.#logistic(this.#mixed(this.#mean(from), HEAD_CHANNELS, LINEAR)));
    return out;
  }

  /** Twice as wide and high, with what `skip` had of that size. */
  #wider(from: Features, skip: Features): Features {
    const { channels } = skip;
    // Mixing and enlarging may change places: each pixel's shares of its neighbours add up to 1.
    const enlarged = this.#enlarged(this.#mixed(from, channels, LINEAR));
    const sum = this.#features(skip, channels);
    this.#values(sum).set(this.#values(skip));
    this.#add(sum, enlarged);
    this.#scaled(sum, skip, this.#gateOf(this.#mean(sum), channels, channels));
    this.#add(sum, enlarged);
    const mixed = this.#mixed(sum, channels, RECTIFIED);
    const spread = this.#spread(mixed, 3, 1, RECTIFIED);
    this.#add(spread, mixed);
    return spread;
  }

  /** Each pixel becomes four, each by its own weights. */
  #last({ width, height, channels, address }: Features): Float32Array {
    const out = new Float32Array(4 * width * height);
    const weights = this.#taken(4 * channels + 1) / FLOAT_BYTES;
    const floats = this.#floats;
    const bias = floats[weights + 4 * channels]!;
    for (let pixel = 0; pixel < width * height; pixel++) {
      const from = address / FLOAT_BYTES + pixel * channels;
      const [x, y] = [2 * (pixel % width), 2 * Math.floor(pixel / width)];
      for (let part = 0; part < 4; part++) {
        let sum = bias;
        for (let channel = 0; channel < channels; channel++)
          sum += floats[from + channel]! * floats[weights + part * channels + channel]!;
        out[(y + (part >> 1)) * 2 * width + x + (part & 1)] = 1 / (1 + Math.exp(-sum));
      }
    }
    return out;
  }

  #features({ width, height }: Size, channels: number): Features {
    const at = this.#place++;
    this.#places[at] ??= this.#layout.take(FLOAT_BYTES * width * height * channels);
    reserveBytes(this.#run.memory, this.#layout.bytes);
    const { buffer } = this.#run.memory;
    if (this.#floats.buffer !== buffer) this.#floats = new Float32Array(buffer);
    return { width, height, channels, address: this.#places[at] };
  }

  /** Address of the next so many weights. */
  #taken(count: number): number {
    const start = this.#weights;
    this.#weights += FLOAT_BYTES * count;
    return start;
  }

  #mixed(from: Features, outs: number, curve: number): Features {
    const out = this.#features(from, outs);
    const { width, height, channels: ins, address } = from;
    const weights = this.#taken((ins + 1) * LANES * (outs / LANES));
    this.#run.mix(address, width * height, ins, outs, weights, curve, out.address);
    return out;
  }

  #spread(from: Features, side: number, step: number, curve: number): Features {
    const { width, height, channels, address } = from;
    const out = this.#features({ width: width / step, height: height / step }, channels);
    const weights = this.#taken((side * side + 1) * channels);
    this.#run.depthwise(address, width, height, channels, side, step, weights, curve, out.address);
    return out;
  }

  /** How much of each channel passes (J. Hu et al., "Squeeze-and-Excitation Networks", 2018). */
  #gateOf(mean: Features, within: number, outs: number): Features {
    return this.#logistic(this.#mixed(this.#mixed(mean, within, RECTIFIED), outs, LINEAR));
  }

  #values({ width, height, channels, address }: Features): Float32Array {
    const start = address / FLOAT_BYTES;
    return this.#floats.subarray(start, start + width * height * channels);
  }

  #mean(from: Features): Features {
    const out = this.#features({ width: 1, height: 1 }, from.channels);
    const [sums, values] = [this.#values(out).fill(0), this.#values(from)];
    const pixels = from.width * from.height;
    for (let at = 0; at < values.length; at += sums.length)
      for (let channel = 0; channel < sums.length; channel++)
        sums[channel]! += values[at + channel]! / pixels;
    return out;
  }

  #logistic(features: Features): Features {
    const values = this.#values(features);
    for (let at = 0; at < values.length; at++) values[at] = 1 / (1 + Math.exp(-values[at]!));
    return features;
  }

  #scaled(to: Features, from: Features, factors: Features): void {
    const [out, values, shares] = [this.#values(to), this.#values(from), this.#values(factors)];
    for (let at = 0; at < out.length; at += shares.length)
      for (let channel = 0; channel < shares.length; channel++)
        out[at + channel] = values[at + channel]! * shares[channel]!;
  }

  #add(to: Features, other: Features): void {
    const [out, values] = [this.#values(to), this.#values(other)];
    for (let at = 0; at < out.length; at++) out[at]! += values[at]!;
  }

  /** Twice as wide and high: bilinear between the middles of pixels. */
  #enlarged(from: Features): Features {
    const { width, height, channels } = from;
    const out = this.#features({ width: 2 * width, height: 2 * height }, channels);
    const [values, results] = [this.#values(from), this.#values(out)];
    for (let y = 0, at = 0; y < out.height; y++) {
      const [near, far] = neighbours(y, height);
      for (let x = 0; x < out.width; x++) {
        const [here, beside] = neighbours(x, width);
        const upper = [(near * width + here) * channels, (near * width + beside) * channels] as const;
        const lower = [(far * width + here) * channels, (far * width + beside) * channels] as const;
        for (let channel = 0; channel < channels; channel++, at++) {
          const close = between(values[upper[0] + channel]!, values[upper[1] + channel]!);
          const distant = between(values[lower[0] + channel]!, values[lower[1] + channel]!);
          results[at] = between(close, distant);
        }
      }
    }
    return out;
  }
}

function between(near: number, far: number): number {
  return NEAR_SHARE * near + (1 - NEAR_SHARE) * far;
}

/** Of a pixel of a line twice as long: the one that it lies in, and the next one at its side. */
function neighbours(at: number, pixels: number): [number, number] {
  const here = at >> 1;
  return [here, clamp((at & 1) === 0 ? here - 1 : here + 1, 0, pixels - 1)];
}

/**
 * The mean of the grey pixels under each pixel, with the hue of the colour that lies there: the small picture tells skin from walls, the
 * large one where they end. Red, green and blue one after the other, in 0..1.
 */
function coloursInto(out: Float32Array, { width, height }: Size, grey: Picture, colour: Picture): void {
  const [columns, rows] = [edges(grey.width, width), edges(grey.height, height)];
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.floor((y * colour.height) / height) * colour.width;
    for (let x = 0; x < width; x++, at += RGB) {
      const luma = meanOf(grey, columns[x]!, columns[x + 1]!, rows[y]!, rows[y + 1]!);
      const from = RGB * (row + Math.floor((x * colour.width) / width));
      const own = luma709(colour.data[from]!, colour.data[from + 1]!, colour.data[from + 2]!);
      for (let one = 0; one < RGB; one++)
        out[at + one] = clamp(luma + colour.data[from + one]! - own, 0, 255) / 255;
    }
  }
}

/** Where each of `count` parts of so many pixels begins and the last one ends; a part has at least one of its own. */
function edges(pixels: number, count: number): Int32Array {
  return Int32Array.from({ length: count + 1 }, (_, at) => Math.floor((at * pixels) / count));
}

function meanOf({ data, width }: Picture, left: number, right: number, top: number, bottom: number): number {
  const [columns, rows] = [Math.max(1, right - left), Math.max(1, bottom - top)];
  let sum = 0;
  for (let y = top; y < top + rows; y++)
    for (let x = left; x < left + columns; x++) sum += data[y * width + x]!;
  return sum / (columns * rows);
}
