import assert from 'node:assert/strict';
import {
  instantiateKernel,
  type KernelExports,
  KernelLayout,
  reserveBytes,
} from '../../src/signal/kernel.ts';
import { noiseSource } from './moving-picture.ts';

type Layer = (...numbers: number[]) => void;
export type LayerKernel<Names extends string = string> = KernelExports & Readonly<Record<Names, Layer>>;

/** The kernel at `src/analysis/subjects/` of that name with these arrays in its memory, and what lies at the last of them after `run`. */
export function layer<Names extends string>(
  name: string,
  arrays: readonly ArrayLike<number>[],
  run: (kernel: LayerKernel<Names>, addresses: number[]) => void,
): Float32Array {
  const kernel = instantiateKernel<LayerKernel<Names>>(
    new URL(`../../src/analysis/subjects/${name}.wasm`, import.meta.url),
  );
  const layout = new KernelLayout();
  const addresses = arrays.map((array) => layout.take(4 * array.length));
  reserveBytes(kernel.memory, layout.bytes);
  for (const [at, array] of arrays.entries())
    new Float32Array(kernel.memory.buffer, addresses[at], array.length).set(array);
  run(kernel, addresses);
  return new Float32Array(kernel.memory.buffer, addresses.at(-1)!, arrays.at(-1)!.length);
}

export function assertNear(found: Float32Array, expected: readonly number[]): void {
  for (const [at, value] of expected.entries())
    assert.ok(Math.abs(found[at] - value) < 1e-4 * (1 + Math.abs(value)), `${at}: ${found[at]} for ${value}`);
}

export const noise = (count: number, seed: number) => Array.from({ length: count }, noiseSource(seed));
export const range = (count: number) => Array.from({ length: count }, (_, at) => at);
