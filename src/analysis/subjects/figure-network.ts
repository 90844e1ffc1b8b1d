import { readFileSync } from 'node:fs';
import { type Picture, RGB, type Size } from '../../domain/footage.ts';
import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from '../../signal/kernel.ts';
import { BOTTLENECKS, FIRST_CHANNELS, HEAD_CHANNELS, LINEAR, RECTIFIED, WEIGHTS } from './figure-weights.ts';
import { networkSize } from './network-size.ts';

/** All but counts, sizes and curves are addresses; `kernels/analysis/subjects/figure-kernel.ts` describes the memory. */
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
  add(one: number, other: number, bytes: number, out: number): void;
  scale(from: number, pixels: number, channels: number, factors: number, out: number): void;
  mean(from: number, pixels: number, channels: number, out: number): void;
  enlarge(from: number, width: number, height: number, channels: number, out: number): void;
  last(from: number, width: number, height: number, channels: number, weights: number, out: number): void;
  hues(pixels: number, count: number, out: number): void;
  colors(
    grey: number,
    greyWidth: number,
    greyHeight: number,
    hues: number,
    hueWidth: number,
    hueHeight: number,
    width: number,
    height: number,
    out: number,
  ): void;
}

/** For each pixel, the probability that it belongs to a figure: rows from top to bottom. */
export interface FigureMap extends Size {
  readonly probabilities: Float32Array;
}

/** A feature map in the kernel's memory. */
interface Features extends Size {
  readonly channels: number;
  readonly address: number;
}

/** Pixels of the network's training pictures: 256×144. */
const PIXELS = 256 * 144;
/** The step before the bottlenecks halves the picture, and so does each bottleneck with a step of 2. */
const CELL_PIXELS = 2 ** (1 + BOTTLENECKS.filter(({ step }) => step === 2).length);
const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;
/** `mix` computes this many results at a time. */
const LANES = 8;
/**
 * Segments people and other foreground objects in small pictures. The network is MediaPipe's selfie
 * segmentation, the model for wide pictures (Google, 2021; Apache-2.0): a MobileNetV3 (A. Howard et al.,
 * "Searching for MobileNetV3", 2019) with a decoder. `figure-weights.bin` has its 106,401 half-precision
 * weights in the order of use. Results differ from the published layers' by rounding only, at most 0.00001.
 */
export class FigureNetwork {
  readonly #run: FigureExports;
  readonly #size: Size;
  readonly #layout = new KernelLayout();
  readonly #firstWeights: number;
  /** Addresses of each step's features, allocated with the first picture. */
  readonly #places: number[] = [];
  /** All of the kernel's memory. */
  #floats: Float32Array;
  #place = 0;
  #weights = 0;

  /** `picture`: the size of all pictures passed in. */
  constructor(picture: Size) {
    this.#size = networkSize(picture, PIXELS, CELL_PIXELS);
    this.#firstWeights = this.#layout.take(FLOAT_BYTES * WEIGHTS);
    this.#run = instantiateKernel<FigureExports>(new URL('figure-kernel.wasm', import.meta.url));
    reserveBytes(this.#run.memory, this.#layout.bytes);
    this.#floats = new Float32Array(this.#run.memory.buffer);
    const { buffer } = Uint8Array.from(readFileSync(new URL('figure-weights.bin', import.meta.url)));
    this.#floats.set(new Float16Array(buffer, 0, WEIGHTS), this.#firstWeights / FLOAT_BYTES);
  }

  /**
   * `grey` supplies detail, `color` (RGB) the colors: the small picture separates skin from walls, the large
   * one has their outlines.
   */
  find(grey: Picture, color: Picture): FigureMap {
    const { width, height } = this.#size;
    [this.#place, this.#weights] = [0, this.#firstWeights];
    const skipped: Features[] = [];
    let at = this.#stem(this.#colored(grey, color));
    for (const bottleneck of BOTTLENECKS) {
      if (bottleneck.step === 2) skipped.push(at);
      at = this.#bottleneck(at, bottleneck);
    }
    at = this.#head(at);
    for (const skip of skipped.reverse()) at = this.#wider(at, skip);
    return { width, height, probabilities: this.#values(this.#last(at)).slice() };
  }

  #colored(grey: Picture, color: Picture): Features {
    const { width, height } = this.#size;
    const out = this.#features(this.#size, RGB);
    const hues = this.#features(color, RGB);
    const bytes = this.#bytes(color.data);
    this.#run.hues(bytes, color.width * color.height, hues.address);
    const sharp = this.#bytes(grey.data);
    this.#run.colors(
      sharp,
      grey.width,
      grey.height,
      hues.address,
      color.width,
      color.height,
      width,
      height,
      out.address,
    );
    return out;
  }

  /** Address of a copy of a picture of bytes. */
  #bytes(data: Uint8Array): number {
    const { address } = this.#features({ width: Math.ceil(data.length / FLOAT_BYTES), height: 1 }, 1);
    new Uint8Array(this.#run.memory.buffer).set(data, address);
    return address;
  }

  #stem({ width, height, address }: Features): Features {
    const out = this.#features({ width: width / 2, height: height / 2 }, FIRST_CHANNELS);
    const weights = this.#takeWeights((RGB * 9 + 1) * FIRST_CHANNELS);
    this.#run.stem(address, width, height, weights, out.address);
    return out;
  }

  #bottleneck(
    from: Features,
    { wide, side, step, curve, gate, outs }: (typeof BOTTLENECKS)[number],
  ): Features {
    const widened = this.#mixed(from, wide, curve);
    const spread = this.#spread(widened, side, step, curve);
    if (gate > 0) this.#scaled(spread, this.#gateOf(this.#mean(spread), gate, wide), spread);
    const out = this.#mixed(spread, outs, LINEAR);
    // A bottleneck that keeps the size also keeps the channels.
    if (step === 1) this.#add(out, from, out);
    return out;
  }

  #head(from: Features): Features {
    const out = this.#mixed(from, HEAD_CHANNELS, RECTIFIED);
    this.#scaled(out, this.#logistic(this.#mixed(this.#mean(from), HEAD_CHANNELS, LINEAR)), out);
    return out;
  }

  /** Doubles width and height, with the features of `skip`, which has that size. */
  #wider(from: Features, skip: Features): Features {
    const { channels } = skip;
    // Mixing and enlarging commute: each pixel's weights of its neighbours sum to 1.
    const enlarged = this.#enlarged(this.#mixed(from, channels, LINEAR));
    const sum = this.#features(skip, channels);
    this.#add(skip, enlarged, sum);
    this.#scaled(skip, this.#gateOf(this.#mean(sum), channels, channels), sum);
    this.#add(sum, enlarged, sum);
    const mixed = this.#mixed(sum, channels, RECTIFIED);
    const spread = this.#spread(mixed, 3, 1, RECTIFIED);
    this.#add(spread, mixed, spread);
    return spread;
  }

  /** Each pixel becomes four, each with its own weights. */
  #last({ width, height, channels, address }: Features): Features {
    const out = this.#features({ width: 2 * width, height: 2 * height }, 1);
    const weights = this.#takeWeights(4 * channels + 1);
    this.#run.last(address, width, height, channels, weights, out.address);
    return this.#logistic(out);
  }

  #features({ width, height }: Size, channels: number): Features {
    const at = this.#place++;
    this.#places[at] ??= this.#layout.take(FLOAT_BYTES * width * height * channels);
    reserveBytes(this.#run.memory, this.#layout.bytes);
    const { buffer } = this.#run.memory;
    if (this.#floats.buffer !== buffer) this.#floats = new Float32Array(buffer);
    return { width, height, channels, address: this.#places[at] };
  }

  /** Address of the next `count` weights. */
  #takeWeights(count: number): number {
    const start = this.#weights;
    this.#weights += FLOAT_BYTES * count;
    return start;
  }

  #mixed(from: Features, outs: number, curve: number): Features {
    const out = this.#features(from, outs);
    const { width, height, channels: ins, address } = from;
    const weights = this.#takeWeights((ins + 1) * LANES * (outs / LANES));
    this.#run.mix(address, width * height, ins, outs, weights, curve, out.address);
    return out;
  }

  #spread(from: Features, side: number, step: number, curve: number): Features {
    const { width, height, channels, address } = from;
    const out = this.#features({ width: width / step, height: height / step }, channels);
    const weights = this.#takeWeights((side * side + 1) * channels);
    this.#run.depthwise(address, width, height, channels, side, step, weights, curve, out.address);
    return out;
  }

  /** Factor of each channel (J. Hu et al., "Squeeze-and-Excitation Networks", 2018). */
  #gateOf(mean: Features, within: number, outs: number): Features {
    return this.#logistic(this.#mixed(this.#mixed(mean, within, RECTIFIED), outs, LINEAR));
  }

  #values({ width, height, channels, address }: Features): Float32Array {
    const start = address / FLOAT_BYTES;
    return this.#floats.subarray(start, start + width * height * channels);
  }

  #mean({ width, height, channels, address }: Features): Features {
    const out = this.#features({ width: 1, height: 1 }, channels);
    this.#run.mean(address, width * height, channels, out.address);
    return out;
  }

  #logistic(features: Features): Features {
    const values = this.#values(features);
    for (let at = 0; at < values.length; at++) values[at] = 1 / (1 + Math.exp(-values[at]));
    return features;
  }

  #scaled({ width, height, channels, address }: Features, factors: Features, out: Features): void {
    this.#run.scale(address, width * height, channels, factors.address, out.address);
  }

  #add({ width, height, channels, address }: Features, other: Features, out: Features): void {
    this.#run.add(address, other.address, FLOAT_BYTES * width * height * channels, out.address);
  }

  #enlarged({ width, height, channels, address }: Features): Features {
    const out = this.#features({ width: 2 * width, height: 2 * height }, channels);
    this.#run.enlarge(address, width, height, channels, out.address);
    return out;
  }
}
