import { readFileSync } from 'node:fs';
import type { Picture, Size } from '../../footage.ts';
import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from '../../signal/kernel.ts';
import type { Box } from '../facts.ts';
import { overlapShare } from './box-overlap.ts';
import { ANCHORS, LAYER_CHANNELS, MEANS, NUMBERS, QUANTISED, SLOPE, TAPS } from './face-weights.ts';
import { networkSize } from './network-size.ts';

export interface Face {
  readonly box: Box;
  /** 0..1. */
  readonly score: number;
}

/** All but counts, sizes, strides (bytes) and slopes are addresses: `kernels/analysis/subjects/face-kernel.ts` says what lies there. */
interface FaceExports extends KernelExports {
  first(
    grey: number,
    width: number,
    height: number,
    weights: number,
    slope: number,
    out: number,
    stride: number,
  ): void;
  depthwise(
    from: number,
    width: number,
    height: number,
    channels: number,
    weights: number,
    out: number,
  ): void;
  pointwise(
    from: number,
    pixels: number,
    ins: number,
    outs: number,
    weights: number,
    slope: number,
    out: number,
  ): void;
  pool(
    from: number,
    width: number,
    height: number,
    channels: number,
    step: number,
    out: number,
    stride: number,
  ): void;
}

/** Pixels of the picture that the network sees: a face of a tenth of a 4:3 picture's width is found, one of a twelfth is not. */
const PIXELS = 416 * 320;
/** What comes before the layers halves the picture, and so does each layer but the last. */
const CELL_PIXELS = 2 ** LAYER_CHANNELS.length;
/** What the network says of a score of .3, of which it gives the logistic function. */
const MIN_SURENESS = Math.log(0.3 / 0.7);
/** Of two boxes that share more of the smaller, one is the other's. */
const MAX_SHARED = 0.4;
const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;
/** Results of `pointwise` are made by so many. */
const LANES = 16;
const [FIRST_CHANNELS] = LAYER_CHANNELS;
const LAST_CHANNELS = 2 * LAYER_CHANNELS.at(-1)!;

interface Layer extends Size {
  readonly channels: number;
  /** Its input, with a border of one pixel that stays 0. */
  readonly input: number;
  readonly depthwise: number;
  readonly pointwise: number;
}

/**
 * Faces in grey pictures of one size, by the tiny face detector of face-api.js (V. Mühler, 2018; MIT): a small YOLO (J. Redmon and
 * A. Farhadi, "YOLO9000", 2017) of separable convolutions, 193,321 weights of a byte. It was trained on colours; grey stands for
 * all three.
 */
export class FaceNetwork {
  readonly #run: FaceExports;
  /** Of what the network sees. */
  readonly #size: Size;
  readonly #grey: Uint8Array;
  readonly #greyAddress: number;
  readonly #firstWeights: number;
  readonly #layers: readonly Layer[];
  readonly #mixed: number;
  readonly #spread: number;
  readonly #lastWeights: number;
  readonly #told: Float32Array;
  readonly #toldAddress: number;

  constructor(picture: Size) {
    this.#size = networkSize(picture, PIXELS, CELL_PIXELS);
    const { width, height } = this.#size;
    const layout = new KernelLayout();
    const floats = (count: number) => layout.take(FLOAT_BYTES * count);
    this.#greyAddress = layout.take(width * height);
    this.#firstWeights = floats((TAPS + 1) * FIRST_CHANNELS);
    let size = { width: (width - 2) / 2, height: (height - 2) / 2 };
    this.#spread = floats(size.width * size.height * LAYER_CHANNELS[0]);
    this.#mixed = floats(2 * size.width * size.height * LAYER_CHANNELS[0]);
    this.#layers = LAYER_CHANNELS.map((channels) => {
      const layer = {
        ...size,
        channels,
        input: floats((size.width + 2) * (size.height + 2) * channels),
        depthwise: floats(TAPS * channels),
        pointwise: floats((channels + 1) * 2 * channels),
      };
      size = { width: (size.width + 1) >> 1, height: (size.height + 1) >> 1 };
      return layer;
    });
    this.#lastWeights = floats((LAST_CHANNELS + 1) * 2 * LANES);
    const cells = this.#layers.at(-1)!;
    const told = 2 * LANES * cells.width * cells.height;
    this.#toldAddress = floats(told);
    this.#run = instantiateKernel<FaceExports>(new URL('face-kernel.wasm', import.meta.url));
    reserveBytes(this.#run.memory, layout.bytes);
    const { buffer } = this.#run.memory;
    this.#grey = new Uint8Array(buffer, this.#greyAddress, width * height);
    this.#told = new Float32Array(buffer, this.#toldAddress, told);
    this.#loadWeights(buffer);
  }

  /** Boxes in shares of the picture, the surest first. */
  find(grey: Picture): Face[] {
    scaleInto(this.#grey, this.#size, grey);
    const run = this.#run;
    const { width, height } = this.#size;
    const [entry] = this.#layers as [Layer];
    run.first(this.#greyAddress, width, height, this.#firstWeights, SLOPE, insideOf(entry), rowBytes(entry));
    for (const [at, layer] of this.#layers.entries()) {
      const { channels } = layer;
      run.depthwise(layer.input, layer.width, layer.height, channels, layer.depthwise, this.#spread);
      run.pointwise(
        this.#spread,
        layer.width * layer.height,
        channels,
        2 * channels,
        layer.pointwise,
        SLOPE,
        this.#mixed,
      );
      const next = this.#layers[at + 1];
      const pool = (step: number, out: number, stride: number) =>
        run.pool(this.#mixed, layer.width, layer.height, 2 * channels, step, out, stride);
      if (next !== undefined) pool(2, insideOf(next), rowBytes(next));
      else pool(1, this.#spread, FLOAT_BYTES * layer.width * LAST_CHANNELS);
    }
    const cells = this.#layers.at(-1)!;
    run.pointwise(
      this.#spread,
      cells.width * cells.height,
      LAST_CHANNELS,
      2 * LANES,
      this.#lastWeights,
      1,
      this.#toldAddress,
    );
    return apart(this.#boxes(cells));
  }

  #boxes({ width, height }: Size): Face[] {
    const faces: Face[] = [];
    for (let cell = 0; cell < width * height; cell++) {
      for (const [number, [across, down]] of ANCHORS.entries()) {
        const at = 2 * LANES * cell + NUMBERS * number;
        // Hardly a cell has a face: what is asked of all is a comparison.
        const sureness = this.#told[at + 4]!;
        if (sureness < MIN_SURENESS) continue;
        const size = {
          width: (Math.exp(this.#told[at + 2]!) * across) / width,
          height: (Math.exp(this.#told[at + 3]!) * down) / height,
        };
        const x = ((cell % width) + sigmoid(this.#told[at]!)) / width - size.width / 2;
        const y = (Math.floor(cell / width) + sigmoid(this.#told[at + 1]!)) / height - size.height / 2;
        faces.push({ box: { x, y, ...size }, score: sigmoid(sureness) });
      }
    }
    return faces;
  }

  #loadWeights(buffer: ArrayBufferLike): void {
    const arrays = readWeights();
    const at = (address: number, count: number) => new Float32Array(buffer, address, count);
    // Grey is all three colours: their weights are added, and what is taken off before goes into the bias.
    const [first, firstBias] = arrays as [Float32Array, Float32Array];
    const taps = at(this.#firstWeights, (TAPS + 1) * FIRST_CHANNELS);
    taps.set(firstBias, TAPS * FIRST_CHANNELS);
    for (let tap = 0; tap < TAPS; tap++) {
      for (const [colour, mean] of MEANS.entries()) {
        for (let channel = 0; channel < FIRST_CHANNELS; channel++) {
          const weight = first[(3 * tap + colour) * FIRST_CHANNELS + channel]! / 255;
          taps[tap * FIRST_CHANNELS + channel]! += weight;
          taps[TAPS * FIRST_CHANNELS + channel]! -= weight * mean;
        }
      }
    }
    for (const [index, { channels, depthwise, pointwise }] of this.#layers.entries()) {
      const [apart, mixing, bias] = arrays.slice(2 + 3 * index) as [Float32Array, Float32Array, Float32Array];
      at(depthwise, TAPS * channels).set(apart);
      packMixing(at(pointwise, (channels + 1) * 2 * channels), mixing, bias);
    }
    const [last, lastBias] = arrays.slice(-2) as [Float32Array, Float32Array];
    packMixing(at(this.#lastWeights, (LAST_CHANNELS + 1) * 2 * LANES), last, lastBias);
  }
}

const rowBytes = ({ width, channels }: Layer) => FLOAT_BYTES * (width + 2) * channels;
/** The first pixel within the border. */
const insideOf = (layer: Layer) => layer.input + rowBytes(layer) + FLOAT_BYTES * layer.channels;

function readWeights(): Float32Array[] {
  const bytes = readFileSync(new URL('face-weights.bin', import.meta.url));
  let start = 0;
  return QUANTISED.map(([count, least, step]) => {
    const values = new Float32Array(count);
    // What each byte stands for, and a plain loop: mapping all 193,000 by `Float32Array.from` takes 25 ms more.
    const meanings = Float32Array.from({ length: 256 }, (_, byte) => least + step * byte);
    for (let at = 0; at < count; at++) values[at] = meanings[bytes[start + at]!]!;
    start += count;
    return values;
  });
}

/** As `pointwise` reads them; results beyond those that there are stay 0. `mixing`: a row of results for each channel that comes in. */
function packMixing(out: Float32Array, mixing: Float32Array, bias: Float32Array): void {
  const [outs, ins] = [bias.length, mixing.length / bias.length];
  for (let block = 0, at = 0; block < outs; block += LANES) {
    for (let row = -1; row < ins; row++) {
      for (let lane = 0; lane < LANES; lane++, at++) {
        const result = block + lane;
        if (result < outs) out[at] = row < 0 ? bias[result]! : mixing[row * outs + result]!;
      }
    }
  }
}

/** Bilinear between the middles of pixels. */
function scaleInto(out: Uint8Array, { width, height }: Size, { data, ...from }: Picture): void {
  const [columns, rows] = [placesIn(from.width, width), placesIn(from.height, height)];
  for (let y = 0, at = 0; y < height; y++) {
    const above = rows.before[y]! * from.width;
    const below = Math.min(above + from.width, (from.height - 1) * from.width);
    const down = rows.shares[y]!;
    for (let x = 0; x < width; x++, at++) {
      const left = columns.before[x]!;
      const right = left + 1 < from.width ? left + 1 : left;
      const share = columns.shares[x]!;
      const upper = data[above + left]! + share * (data[above + right]! - data[above + left]!);
      const lower = data[below + left]! + share * (data[below + right]! - data[below + left]!);
      out[at] = upper + down * (lower - upper) + 0.5;
    }
  }
}

/** Where the middles of `count` equal parts of so many pixels lie: the pixel before, and the share of the way to the next. */
function placesIn(pixels: number, count: number): { before: Int32Array; shares: Float32Array } {
  const [before, shares] = [new Int32Array(count), new Float32Array(count)];
  for (let at = 0; at < count; at++) {
    const place = Math.max(0, Math.min(pixels - 1, ((at + 0.5) * pixels) / count - 0.5));
    before[at] = Math.floor(place);
    shares[at] = place - before[at]!;
  }
  return { before, shares };
}

/** The surest of those that lie on each other. */
function apart(faces: Face[]): Face[] {
  const kept: Face[] = [];
  for (const face of faces.sort((one, other) => other.score - one.score)) {
    if (kept.every(({ box }) => overlapShare(box, face.box) <= MAX_SHARED)) kept.push(face);
  }
  return kept;
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
