import { readFileSync } from 'node:fs';
import type { Picture, Size } from '../../domain/footage.ts';
import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from '../../signal/kernel.ts';
import type { Box } from '../facts.ts';
import { overlapShare } from './box-overlap.ts';
import { ANCHORS, ARRAYS, LAYER_CHANNELS, MEANS, OUTPUTS, SLOPE, TAPS } from './face-weights.ts';
import { networkSize } from './network-size.ts';

export interface Face {
  readonly box: Box;
  /** 0..1. */
  readonly score: number;
}

/** All but counts, sizes, strides (bytes) and slopes are addresses; `kernels/analysis/subjects/face-kernel.ts` describes the memory. */
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
  unpack(from: number, count: number, least: number, step: number, out: number): void;
  interleave(from: number, bias: number, ins: number, outs: number, out: number): void;
  resize(
    from: number,
    fromWidth: number,
    fromHeight: number,
    width: number,
    height: number,
    out: number,
  ): void;
}

/** Pixels of the network's input: it finds a face of a tenth of a 4:3 picture's width, but not of a twelfth. */
const PIXELS = 416 * 320;
/** The step before the layers halves the picture, and so does each layer but the last. */
const CELL_PIXELS = 2 ** LAYER_CHANNELS.length;
/** Least output of the network, as a logit: a score of .3. */
const MIN_LOGIT = Math.log(0.3 / 0.7);
/** If two boxes share more of the smaller one, the less certain is dropped. */
const MAX_SHARED = 0.4;
const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;
/** `pointwise` computes this many results at a time. */
const LANES = 16;
const [FIRST_CHANNELS] = LAYER_CHANNELS;
const LAST_CHANNELS = 2 * LAYER_CHANNELS.at(-1)!;

interface Layer extends Size {
  readonly channels: number;
  /** Address of the input, with a border of one pixel that is always 0. */
  readonly input: number;
  readonly depthwise: number;
  readonly pointwise: number;
}

/**
 * Faces in grey pictures of one size, by the tiny face detector of face-api.js (V. Mühler, 2018; MIT): a small
 * YOLO (J. Redmon and A. Farhadi, "YOLO9000", 2017) of separable convolutions, with 193,321 weights of a byte. It
 * was trained on colors; grey is used for all three channels.
 */
export class FaceNetwork {
  readonly #run: FaceExports;
  /** Size of the network's input. */
  readonly #size: Size;
  /** Size of the pictures passed in. */
  readonly #picture: Size;
  readonly #pictureAddress: number;
  readonly #greyAddress: number;
  readonly #firstWeights: number;
  readonly #layers: readonly Layer[];
  readonly #mixed: number;
  readonly #spread: number;
  readonly #lastWeights: number;
  readonly #output: Float32Array;
  readonly #outputAddress: number;

  constructor(picture: Size) {
    this.#size = networkSize(picture, PIXELS, CELL_PIXELS);
    const { width, height } = this.#size;
    const layout = new KernelLayout();
    const floats = (count: number) => layout.take(FLOAT_BYTES * count);
    this.#picture = picture;
    this.#pictureAddress = layout.take(picture.width * picture.height);
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
    const output = 2 * LANES * cells.width * cells.height;
    this.#outputAddress = floats(output);
    this.#run = instantiateKernel<FaceExports>(new URL('face-kernel.wasm', import.meta.url));
    reserveBytes(this.#run.memory, layout.bytes);
    this.#loadWeights(layout);
    const { buffer } = this.#run.memory;
    this.#output = new Float32Array(buffer, this.#outputAddress, output);
  }

  /** Boxes in shares of the picture, the most certain first. */
  find(grey: Picture): Face[] {
    const run = this.#run;
    const { width, height } = this.#size;
    const from = this.#pictureAddress;
    new Uint8Array(run.memory.buffer).set(grey.data, from);
    run.resize(from, this.#picture.width, this.#picture.height, width, height, this.#greyAddress);
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
      this.#outputAddress,
    );
    return apart(this.#boxes(cells));
  }

  #boxes(cells: Size): Face[] {
    return confidentPositions(this.#output, cells.width * cells.height).map((at) => this.#faceAt(at, cells));
  }

  /** The face at a position in the results. */
  #faceAt(at: number, { width, height }: Size): Face {
    const cell = Math.floor(at / (2 * LANES));
    const [across, down] = ANCHORS[(at % (2 * LANES)) / OUTPUTS];
    const [x, y, wide, high, logit] = this.#output.subarray(at, at + OUTPUTS) as unknown as Prediction;
    const size = { width: (Math.exp(wide) * across) / width, height: (Math.exp(high) * down) / height };
    return {
      box: {
        x: ((cell % width) + sigmoid(x)) / width - size.width / 2,
        y: (Math.floor(cell / width) + sigmoid(y)) / height - size.height / 2,
        ...size,
      },
      score: sigmoid(logit),
    };
  }

  #loadWeights(layout: KernelLayout): void {
    const bytes = readFileSync(new URL('face-weights.bin', import.meta.url));
    // Needed only while weights are loaded.
    const packed = layout.take(bytes.length);
    const plain = layout.take(FLOAT_BYTES * bytes.length);
    const { memory, unpack, interleave } = this.#run;
    reserveBytes(memory, layout.bytes);
    new Uint8Array(memory.buffer).set(bytes, packed);
    const starts: number[] = [];
    let start = 0;
    for (const [count, least, step] of ARRAYS) {
      starts.push(plain + FLOAT_BYTES * start);
      unpack(packed + start, count, least, step, starts.at(-1)!);
      start += count;
    }
    this.#loadFirst(starts[0], starts[1]);
    for (const [index, { channels, depthwise, pointwise }] of this.#layers.entries()) {
      const [withoutOverlaps, mixing, bias] = starts.slice(2 + 3 * index) as [number, number, number];
      new Uint8Array(memory.buffer).copyWithin(
        depthwise,
        withoutOverlaps,
        withoutOverlaps + FLOAT_BYTES * TAPS * channels,
      );
      interleave(mixing, bias, channels, 2 * channels, pointwise);
    }
    interleave(starts.at(-2)!, starts.at(-1)!, LAST_CHANNELS, OUTPUTS * ANCHORS.length, this.#lastWeights);
  }

  /** Grey replaces all three channels: their weights are added, and the subtracted mean moves into the bias. */
  #loadFirst(weights: number, bias: number): void {
    const at = (address: number, count: number) => new Float32Array(this.#run.memory.buffer, address, count);
    const first = at(weights, 3 * TAPS * FIRST_CHANNELS);
    const taps = at(this.#firstWeights, (TAPS + 1) * FIRST_CHANNELS);
    taps.set(at(bias, FIRST_CHANNELS), TAPS * FIRST_CHANNELS);
    for (let tap = 0; tap < TAPS; tap++) {
      for (const [color, mean] of MEANS.entries()) {
        for (let channel = 0; channel < FIRST_CHANNELS; channel++) {
          const weight = first[(3 * tap + color) * FIRST_CHANNELS + channel] / 255;
          taps[tap * FIRST_CHANNELS + channel] += weight;
          taps[TAPS * FIRST_CHANNELS + channel] -= weight * mean;
        }
      }
    }
  }
}

/** Prediction for a box: its position in the cell, its size relative to the anchor, its logit. */
type Prediction = readonly [number, number, number, number, number];

/** Positions in the results with a face. Hardly any cell has one, so each costs one comparison. */
function confidentPositions(output: Float32Array, cells: number): number[] {
  const places: number[] = [];
  for (let first = 0; first < 2 * LANES * cells; first += 2 * LANES) {
    for (let at = first; at < first + OUTPUTS * ANCHORS.length; at += OUTPUTS)
      if (output[at + 4] >= MIN_LOGIT) places.push(at);
  }
  return places;
}

const rowBytes = ({ width, channels }: Layer) => FLOAT_BYTES * (width + 2) * channels;
/** Address of the first pixel inside the border. */
const insideOf = (layer: Layer) => layer.input + rowBytes(layer) + FLOAT_BYTES * layer.channels;

/** Removes boxes that overlap a more certain one. */
function apart(faces: Face[]): Face[] {
  const separate: Face[] = [];
  for (const face of faces.sort((one, other) => other.score - one.score)) {
    if (separate.every(({ box }) => overlapShare(box, face.box) <= MAX_SHARED)) separate.push(face);
  }
  return separate;
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
