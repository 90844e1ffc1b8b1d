import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import wabt from 'wabt';
import { instantiateKernel, KernelLayout, reserveBytes } from '../../src/signal/kernel.ts';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));
const TEXTS = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.wat'));

describe('kernels', () => {
  test('every program is its text, assembled', async () => {
    assert.ok(TEXTS.length >= 5);
    const { parseWat } = await wabt();
    for (const name of TEXTS) {
      const { buffer } = parseWat(name, readFileSync(join(SRC, name), 'utf8'), { simd: true }).toBinary({});
      assert.deepEqual(Buffer.from(buffer), readFileSync(join(SRC, name.replace(/t$/, 'sm'))), name);
    }
  });

  test('places are aligned for vectors, apart by a vector and more, and fit in the memory reserved', () => {
    const layout = new KernelLayout();
    const sizes = [1, 100_000, 16, 33];
    const starts = sizes.map((size) => layout.take(size));
    for (const [i, start] of starts.entries()) {
      assert.equal(start % 16, 0);
      assert.ok(start >= 16);
      assert.ok(start + sizes[i]! + 16 <= (starts[i + 1] ?? layout.bytes));
    }
    const { memory } = instantiateKernel(new URL('../../src/media/area-means.wasm', import.meta.url));
    assert.ok(memory.buffer.byteLength < layout.bytes);
    reserveBytes(memory, layout.bytes);
    const { byteLength } = memory.buffer;
    assert.ok(byteLength >= layout.bytes);
    reserveBytes(memory, layout.bytes);
    assert.equal(memory.buffer.byteLength, byteLength);
  });
});
