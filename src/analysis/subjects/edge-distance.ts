import { type Picture, RGB, type Size } from '../../domain/footage.ts';
import { LAB_TABLES } from '../../signal/colour-space.ts';
import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from '../../signal/kernel.ts';

/** Pixels along a cell's side: half of it costs eight times as much. */
const CELL = 2;
/** Share of a side's cells that may resemble the subject: a person at the picture's edge is still salient. */
const TOUCHING_SHARE = 0.1;
/** Lightness counts less than hue: light and shade vary on one object. */
const LIGHTNESS_WEIGHT = 0.6;

/** Sizes, the weight, the rank, and addresses; `kernels/analysis/subjects/edge-distance.ts` describes the memory. */
interface EdgeExports extends KernelExports {
  colours(
    pixels: number,
    width: number,
    height: number,
    tables: number,
    lightnessWeight: number,
    out: number,
  ): void;
  distances(
    cells: number,
    width: number,
    height: number,
    rank: number,
    edge: number,
    nearest: number,
    out: number,
  ): void;
}

const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;
const COLOUR_BYTES = 3 * FLOAT_BYTES;

/** The kernel, the address of its tables, and their end. */
interface Loaded {
  readonly run: EdgeExports;
  readonly tables: number;
  readonly end: number;
}

let loaded: Loaded | null = null;

function load(): Loaded {
  const run = instantiateKernel<EdgeExports>(new URL('edge-distance.wasm', import.meta.url));
  const layout = new KernelLayout();
  const { linearOfByte, toXyz, roots } = LAB_TABLES;
  const values = Float64Array.of(...linearOfByte, ...toXyz, ...roots);
  const tables = layout.take(values.byteLength);
  reserveBytes(run.memory, layout.bytes);
  new Float64Array(run.memory.buffer, tables, values.length).set(values);
  return { run, tables, end: layout.bytes };
}

/**
 * Rows of cells of an RGB picture: for each, the distance of its colour in Lab from the nearest colours of the
 * left, right and upper edges.
 */
export function distanceFromEdges({
  data,
  width,
  height,
}: Picture): Size & { readonly distance: Float32Array } {
  loaded ??= load();
  const { run, tables } = loaded;
  const [across, down] = [Math.ceil(width / CELL), Math.ceil(height / CELL)];
  const edges = across + 2 * (down - 1);
  const rank = Math.floor(TOUCHING_SHARE * edges);
  const layout = new KernelLayout(loaded.end);
  const pixels = layout.take(RGB * width * height);
  const cells = layout.take(COLOUR_BYTES * across * down);
  const [edge, nearest] = [layout.take(COLOUR_BYTES * edges), layout.take(FLOAT_BYTES * (rank + 1))];
  const out = layout.take(FLOAT_BYTES * across * down);
  reserveBytes(run.memory, layout.bytes);
  new Uint8Array(run.memory.buffer).set(data, pixels);
  run.colours(pixels, width, height, tables, LIGHTNESS_WEIGHT, cells);
  run.distances(cells, across, down, rank, edge, nearest, out);
  const distance = new Float32Array(run.memory.buffer, out, across * down).slice();
  return { distance, width: across, height: down };
}
