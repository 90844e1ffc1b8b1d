import type { Picture } from '../../domain/footage.ts';
import { instantiateKernel, type KernelExports, type KernelLayout } from '../../signal/kernel.ts';
import { InkColor } from './color.ts';

/** A rectangle in pixels of a sample; right and bottom are exclusive. */
export interface PixelBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Sizes, counts and levels, and addresses; `kernels/analysis/captions/patch.ts` describes the memory. */
interface PatchExports extends KernelExports {
  cut(sample: number, stride: number, width: number, height: number, out: number): void;
  countInk(ink: number, stride: number, width: number, height: number): number;
  markSteady(hits: number, count: number, least: number, mask: number): void;
  compare(mask: number, ...rest: [...SampleAddresses, maxChange: number, out: number]): void;
  keep(hits: number, sums: number, ...rest: [...SampleAddresses, maxChange: number]): void;
  erase(hits: number, ink: number, stride: number, width: number, height: number): void;
  meanLevels(sums: number, count: number, samples: number, levels: number): void;
  addCells(
    mask: number,
    left: number,
    top: number,
    right: number,
    bottom: number,
    color: number,
    columns: number,
    firstColumn: number,
    endColumn: number,
    firstRow: number,
    endRow: number,
    cellWidth: number,
    cellHeight: number,
    sums: number,
  ): void;
}

/** Addresses of a box in a sample, and its size. */
type SampleAddresses = readonly [
  ink: number,
  grey: number,
  before: number,
  stride: number,
  width: number,
  height: number,
];

/** For each pixel of a followed box: number of samples in which it was steady ink, and the sum of its grey levels. */
export interface TrackedInk {
  readonly hits: Uint16Array;
  readonly sums: Float32Array;
}

/** The parts of a sample in the kernel's memory that a comparison needs. */
export interface ComparedSample {
  readonly ink: Uint8Array;
  readonly grey: Uint8Array;
  /** Grey levels of the sample before. */
  readonly before: Uint8Array;
}

/**
 * Result of a comparison: pixels of the mask, those found again, and the sums of the level changes inside and
 * outside it.
 */
export interface Comparison {
  readonly inked: number;
  readonly found: number;
  readonly inkChange: number;
  readonly groundChange: number;
}

const RESULTS = 4;

/**
 * Ink in boxes of samples, followed and measured in WebAssembly. Samples are in the kernel's memory, so that
 * their offset is their address; data of a box is copied there and back, some thousand pixels.
 */
export class PatchKernel {
  readonly width: number;
  readonly rows: number;
  readonly #run: PatchExports;
  readonly #mask: number;
  readonly #levels: number;
  readonly #hits: number;
  readonly #sums: number;
  readonly #results: number;
  readonly #colorSums: number;
  readonly #color: number;

  /** Allocates in a memory that does not grow afterwards. `colorBytes`: size of the largest color picture. */
  constructor(
    memory: WebAssembly.Memory,
    layout: KernelLayout,
    size: { readonly width: number; readonly rows: number; readonly colorBytes: number },
  ) {
    this.width = size.width;
    this.rows = size.rows;
    this.#run = instantiateKernel<PatchExports>(new URL('patch.wasm', import.meta.url), memory);
    const pixels = size.width * size.rows;
    this.#mask = layout.take(pixels);
    this.#levels = layout.take(pixels);
    this.#hits = layout.take(Uint16Array.BYTES_PER_ELEMENT * pixels);
    this.#sums = layout.take(Float32Array.BYTES_PER_ELEMENT * pixels);
    this.#results = layout.take(Int32Array.BYTES_PER_ELEMENT * RESULTS);
    this.#colorSums = layout.take(new InkColor().sums.byteLength);
    this.#color = layout.take(size.colorBytes);
  }

  /** A copy of the part of a sample inside the box. */
  cut(sample: Uint8Array, box: PixelBox): Uint8Array {
    const { width, height, count } = sizeOf(box);
    this.#run.cut(this.#at(sample, box), this.width, width, height, this.#mask);
    return this.#bytes(this.#mask, count).slice();
  }

  /** Pixels that were ink in at least `least` samples, 1 for ink. */
  steadyInk({ hits }: TrackedInk, least: number): Uint8Array {
    this.#load(this.#hits, hits);
    this.#run.markSteady(this.#hits, hits.length, least, this.#mask);
    return this.#bytes(this.#mask, hits.length).slice();
  }

  /** The mean over this number of samples. */
  meanLevels({ sums }: TrackedInk, samples: number): Uint8Array {
    this.#load(this.#sums, sums);
    this.#run.meanLevels(this.#sums, sums.length, samples, this.#levels);
    return this.#bytes(this.#levels, sums.length).slice();
  }

  /**
   * Compares the ink of a mask with a sample: a pixel is found again if its level has changed by at most
   * `maxChange`.
   */
  compare(mask: Uint8Array, box: PixelBox, sample: ComparedSample, maxChange: number): Comparison {
    this.#load(this.#mask, mask);
    this.#run.compare(this.#mask, ...this.#placesOf(sample, box), maxChange, this.#results);
    const [inked, found, inkChange, groundChange] = new Int32Array(
      this.#run.memory.buffer,
      this.#results,
      RESULTS,
    );
    return { inked: inked!, found: found!, inkChange: inkChange!, groundChange: groundChange! };
  }

  /** Adds a sample to the sums. */
  keep({ hits, sums }: TrackedInk, box: PixelBox, sample: ComparedSample, maxChange: number): void {
    this.#load(this.#hits, hits);
    this.#load(this.#sums, sums);
    this.#run.keep(this.#hits, this.#sums, ...this.#placesOf(sample, box), maxChange);
    const { buffer } = this.#run.memory;
    hits.set(new Uint16Array(buffer, this.#hits, hits.length));
    sums.set(new Float32Array(buffer, this.#sums, sums.length));
  }

  /** Removes pixels that were ink in any sample from a picture of ink. */
  erase({ hits }: TrackedInk, box: PixelBox, ink: Uint8Array): void {
    const { width, height } = sizeOf(box);
    this.#load(this.#hits, hits);
    this.#run.erase(this.#hits, this.#at(ink, box), this.width, width, height);
  }

  /**
   * Adds to the regression of the picture's color on the share of each cell that the ink of a box covers.
   * `outline` is ink of the other tone.
   */
  addColor(ink: InkColor, mask: Uint8Array, box: PixelBox, color: Picture, outline: Uint8Array): void {
    const { width, height } = sizeOf(box);
    this.#load(this.#mask, mask);
    this.#load(this.#color, color.data);
    this.#load(this.#colorSums, ink.sums);
    ink.addOutline(
      this.#run.countInk(this.#mask, width, width, height),
      this.#run.countInk(this.#at(outline, box), this.width, width, height),
    );
    const [cellWidth, cellHeight] = [this.width / color.width, this.rows / color.height];
    this.#run.addCells(
      this.#mask,
      box.left,
      box.top,
      box.right,
      box.bottom,
      this.#color,
      color.width,
      Math.ceil(box.left / cellWidth),
      Math.floor(box.right / cellWidth),
      Math.floor(box.top / cellHeight),
      Math.min(color.height, Math.floor((box.bottom - 1) / cellHeight) + 1),
      cellWidth,
      cellHeight,
      this.#colorSums,
    );
    ink.sums.set(new Float64Array(this.#run.memory.buffer, this.#colorSums, ink.sums.length));
  }

  #placesOf({ ink, grey, before }: ComparedSample, box: PixelBox): SampleAddresses {
    const { width, height } = sizeOf(box);
    return [this.#at(ink, box), this.#at(grey, box), this.#at(before, box), this.width, width, height];
  }

  /** Address of a box's first pixel in a picture of the kernel's memory. */
  #at(picture: Uint8Array, { left, top }: PixelBox): number {
    return picture.byteOffset + top * this.width + left;
  }

  #load(address: number, { buffer, byteOffset, byteLength }: ArrayBufferView): void {
    this.#bytes(address, byteLength).set(new Uint8Array(buffer, byteOffset, byteLength));
  }

  #bytes(address: number, count: number): Uint8Array {
    return new Uint8Array(this.#run.memory.buffer, address, count);
  }
}

function sizeOf({ left, top, right, bottom }: PixelBox): { width: number; height: number; count: number } {
  const [width, height] = [right - left, bottom - top];
  return { width, height, count: width * height };
}
