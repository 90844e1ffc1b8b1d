import { readFileSync } from 'node:fs';
import { type Picture, RGB, type Size } from '../../domain/footage.ts';
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
  add(one: number, other: number, bytes: number, out: number): void;
  scale(from: number, pixels: number, channels: number, factors: number, out: number): void;
  mean(from: number, pixels: number, channels: number, out: number): void;
  enlarge(from: number, width: number, height: number, channels: number, out: number): void;
  last(from: number, width: number, height: number, channels: number, weights: number, out: number): void;
  hues(pixels: number, count: number, out: number): void;
  colours(
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
    this.#firstWeights = this.#layout.take(FLOAT_BYTES * WEIGHTS);
    this.#run = instantiateKernel<FigureExports>(new URL('figure-kernel.wasm', import.meta.url));
    reserveBytes(this.#run.memory, this.#layout.bytes);
    this.#floats = new Float32Array(this.#run.memory.buffer);
    const { buffer } = Uint8Array.from(readFileSync(new URL('figure-weights.bin', import.meta.url)));
    this.#floats.set(new Float16Array(buffer, 0, WEIGHTS), this.#firstWeights / FLOAT_BYTES);
  }

  /** `grey` has what is sharp, `colour` (RGB) what it lacks: the small picture tells skin from walls, the large one where they end. */
  find(grey: Picture, colour: Picture): FigureMap {
    const { width, height } = this.#size;
    [this.#place, this.#weights] = [0, this.#firstWeights];
    const skipped: Features[] = [];
    let at = this.#stem(this.#coloured(grey, colour));
    for (const bottleneck of BOTTLENECKS) {
      if (bottleneck.step === 2) skipped.push(at);
      at = this.#bottleneck(at, bottleneck);
    }
    at = this.#head(at);
    for (const skip of skipped.reverse()) at = this.#wider(at, skip);
    return { width, height, probabilities: this.#values(this.#last(at)).slice() };
  }

  #coloured(grey: Picture, colour: Picture): Features {
    const { width, height } = this.#size;
    const out = this.#features(this.#size, RGB);
    const hues = this.#features(colour, RGB);
    const bytes = this.#bytes(colour.data);
    this.#run.hues(bytes, colour.width * colour.height, hues.address);
    const sharp = this.#bytes(grey.data);
    this.#run.colours(
      sharp,
      grey.width,
      grey.height,
      hues.address,
      colour.width,
      colour.height,
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
    const weights = this.#taken((RGB * 9 + 1) * FIRST_CHANNELS);
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
    // What keeps its size keeps its channels as well.
    if (step === 1) this.#add(out, from, out);
    return out;
  }

  #head(from: Features): Features {
    const out = this.#mixed(from, HEAD_CHANNELS, RECTIFIED);
    this.#scaled(out, this.#logistic(this.#mixed(this.#mean(from), HEAD_CHANNELS, LINEAR)), out);
    return out;
  }

  /** Twice as wide and high, with what `skip` had of that size. */
  #wider(from: Features, skip: Features): Features {
    const { channels } = skip;
    // Mixing and enlarging may change places: each pixel's shares of its neighbours add up to 1.
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

  /** Each pixel becomes four, each by its own weights. */
  #last({ width, height, channels, address }: Features): Features {
    const out = this.#features({ width: 2 * width, height: 2 * height }, 1);
    const weights = this.#taken(4 * channels + 1);
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
