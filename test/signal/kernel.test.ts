import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compileKernel, kernelFile, kernelNames } from '../../scripts/build-kernels.ts';
import { instantiateKernel, KernelLayout, reserveBytes } from '../../src/signal/kernel.ts';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));

describe('kernels', () => {
  test('every program has a source', () => {
    const programs = globSync('**/*.wasm', { cwd: SRC }).map((name) => name.replace(/\.wasm$/, ''));
    assert.deepEqual(programs.sort(), kernelNames());
  });

  for (const name of kernelNames()) {
    test(`${name}.wasm is its source, compiled`, async () => {
      const [compiled, committed] = [await compileKernel(name), readFileSync(kernelFile(name))];
      assert.ok(committed.equals(compiled), `${name}.wasm is not its source: npm run build:kernels makes it`);
    });

    test(`${name}.wasm imports only a memory, exports its functions and that memory, and has no data in it`, () => {
      // Any other import would be missing here, and refused.
      const { memory, ...functions } = instantiateKernel(pathToFileURL(kernelFile(name)));
      assert.ok(Object.values(functions).every((value) => typeof value === 'function'));
      assert.ok(new Uint8Array(memory.buffer).every((byte) => byte === 0));
    });
  }

  test('a source with an error is rejected with its name', async () => {
    await assert.rejects(compileKernel('render/none'), /kernels\/render\/none\.ts/);
  });

  test('places are aligned for vectors, apart by a vector and more, and fit in the memory reserved', () => {
    const layout = new KernelLayout();
    const sizes = [1, 100_000, 16, 33];
    const starts = sizes.map((size) => layout.take(size));
    for (const [i, start] of starts.entries()) {
      assert.equal(start % 16, 0);
      assert.ok(start >= 16);
      assert.ok(start + sizes[i] + 16 <= (starts[i + 1] ?? layout.bytes));
    }
    const { memory } = instantiateKernel(new URL('../../src/media/decode/area-means.wasm', import.meta.url));
    assert.ok(memory.buffer.byteLength < layout.bytes);
    reserveBytes(memory, layout.bytes);
    const { byteLength } = memory.buffer;
    assert.ok(byteLength >= layout.bytes);
    reserveBytes(memory, layout.bytes);
    assert.equal(memory.buffer.byteLength, byteLength);
  });
});
