import type { Size } from '../../domain/footage.ts';
import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from '../../signal/kernel.ts';
import type { PixelBox } from '../bars/picture-area.ts';
import type { AttentionProfile } from '../facts.ts';
import { HALF_DISTANCE } from './salient-region.ts';
import { PROFILE_PARTS } from './shot-samples.ts';

/** Sizes, counts and lengths, and addresses; `kernels/analysis/subjects/profile.ts` describes the memory. */
interface ProfileExports extends KernelExports {
  addParts(values: number, width: number, height: number, parts: number, out: number): number;
  weigh(values: number, factors: number, parts: number): number;
  addSides(values: number, parts: number, scale: number, across: number, down: number): void;
  addContrast(
    distances: number,
    width: number,
    height: number,
    boxLeft: number,
    boxTop: number,
    boxWidth: number,
    boxHeight: number,
    pictureWidth: number,
    pictureHeight: number,
    half: number,
    parts: number,
    across: number,
    down: number,
  ): void;
}

/** A number for each of the `PROFILE_PARTS` parts of the two sides of a picture. */
export type Sides = Readonly<Record<keyof AttentionProfile, Float64Array>>;

const PARTS = PROFILE_PARTS * PROFILE_PARTS;
const layout = new KernelLayout();
const [VALUES, FACTORS] = [takeNumbers(PARTS), takeNumbers(PARTS)];
const [ACROSS, DOWN] = [takeNumbers(PROFILE_PARTS), takeNumbers(PROFILE_PARTS)];
/** Buffer for a picture of any size; the buffers before it keep their addresses. */
const PICTURE = layout.bytes;
let kernel: ProfileExports | null = null;

/** The sums over the columns and over the rows of parts. */
export function sidesOf(parts: Float64Array): Sides {
  const run = prepare(0);
  new Float64Array(run.memory.buffer, VALUES, PARTS).set(parts);
  run.addSides(VALUES, PROFILE_PARTS, 1, ACROSS, DOWN);
  return readSides(run);
}

/**
 * Shares along both sides of a picture of values, each part weighted by its factor. Zeros if the mean of the
 * values is less than `minMean`, or if all weighted values are 0.
 */
export function sharesOf(
  values: Float32Array,
  { width, height }: Size,
  factors: Float64Array,
  minMean: number,
): Sides {
  const run = prepare(values.byteLength);
  new Float32Array(run.memory.buffer, PICTURE, values.length).set(values);
  new Float64Array(run.memory.buffer, FACTORS, PARTS).set(factors);
  const sum = run.addParts(PICTURE, width, height, PROFILE_PARTS, VALUES);
  const all = run.weigh(VALUES, FACTORS, PROFILE_PARTS);
  const scale = sum < minMean * width * height || all === 0 ? 0 : 1 / all;
  run.addSides(VALUES, PROFILE_PARTS, scale, ACROSS, DOWN);
  return readSides(run);
}

/**
 * Salience of the cells of a picture, summed over the parts of its two sides. `distance`: rows of cells that
 * evenly fill the box, each with its color's distance from the box's edges. `picture`: size of the whole
 * picture.
 */
export function contrastSides(
  { distance, width, height }: Size & { readonly distance: Float32Array },
  box: PixelBox,
  picture: Size,
): Sides {
  const run = prepare(distance.byteLength);
  new Float32Array(run.memory.buffer, PICTURE, distance.length).set(distance);
  run.addContrast(
    PICTURE,
    width,
    height,
    box.left,
    box.top,
    box.width,
    box.height,
    picture.width,
    picture.height,
    HALF_DISTANCE,
    PROFILE_PARTS,
    ACROSS,
    DOWN,
  );
  return readSides(run);
}

/** Reserves memory for a picture of this many bytes. */
function prepare(pictureBytes: number): ProfileExports {
  kernel ??= instantiateKernel<ProfileExports>(new URL('profile.wasm', import.meta.url));
  const room = new KernelLayout(PICTURE);
  room.take(pictureBytes);
  reserveBytes(kernel.memory, room.bytes);
  return kernel;
}

function takeNumbers(count: number): number {
  return layout.take(Float64Array.BYTES_PER_ELEMENT * count);
}

function readSides({ memory }: ProfileExports): Sides {
  const read = (address: number) => new Float64Array(memory.buffer, address, PROFILE_PARTS).slice();
  return { across: read(ACROSS), down: read(DOWN) };
}
