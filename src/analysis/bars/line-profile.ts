import type { Picture } from '../../domain/footage.ts';
import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from '../../signal/kernel.ts';

/** Part of a picture's lines, the end exclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** For each line along one axis: share of its pixels off a tone, and their mean distance from it. */
export interface Profile {
  readonly share: Float64Array;
  readonly rise: Float64Array;
}

export type Axis = 'rows' | 'columns';

/** Only every fourth pixel along a line is read. */
export const STEP = 4;
const SUM_BYTES = Int32Array.BYTES_PER_ELEMENT;

/**
 * Sizes, positions along a line, twice the tone, twice the noise, and addresses;
 * `kernels/analysis/bars/line-profile.ts` describes the memory.
 */
interface ProfileExports extends KernelExports {
  profileRows(
    picture: number,
    width: number,
    rows: number,
    from: number,
    to: number,
    tone: number,
    noise: number,
    distances: number,
    counts: number,
  ): void;
  profileColumns(
    picture: number,
    width: number,
    from: number,
    to: number,
    tone: number,
    noise: number,
    distances: number,
    counts: number,
  ): void;
}

let kernel: ProfileExports | null = null;

/**
 * Profile of all rows or all columns of a grey picture, over the part of each that lies in `across`. The tone is
 * a whole or half level; a pixel within `noise` of it has the tone.
 */
export function profileAlong(
  { data, width, height }: Picture,
  axis: Axis,
  { from, to }: Range,
  tone: number,
  noise: number,
): Profile {
  kernel ??= instantiateKernel<ProfileExports>(new URL('line-profile.wasm', import.meta.url));
  const lines = axis === 'rows' ? height : width;
  const layout = new KernelLayout();
  const picture = layout.take(data.length);
  const [distances, counts] = [layout.take(SUM_BYTES * lines), layout.take(SUM_BYTES * lines)];
  const { memory } = kernel;
  reserveBytes(memory, layout.bytes);
  new Uint8Array(memory.buffer).set(data, picture);
  if (axis === 'rows')
    kernel.profileRows(picture, width, height, from, to, 2 * tone, 2 * noise, distances, counts);
  else kernel.profileColumns(picture, width, from, to, 2 * tone, 2 * noise, distances, counts);
  const counted = Math.max(1, Math.ceil((to - from) / STEP));
  const shares = (sums: number, most: number) =>
    new Float64Array(new Int32Array(memory.buffer, sums, lines)).map((sum) => sum / most);
  return { share: shares(counts, counted), rise: shares(distances, 2 * counted) };
}
