/**
 * Compiles the kernels from AssemblyScript: `kernels/FOLDER/NAME.ts` to `src/FOLDER/NAME.wasm`, which is committed, so
 * that a clone does not need the compiler. Files directly in `kernels/` are shared; files in `kernels/FOLDER/NAME/` are
 * parts of one kernel.
 */
import { globSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { main as compile } from 'assemblyscript/asc';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const OPTIONS = [
  // Optimized for speed, with small functions inlined.
  ...['--optimizeLevel', '3', '--shrinkLevel', '0', '--converge', '--noAssert'],
  ...['--enable', 'simd', '--runtime', 'stub', '--importMemory', '--initialMemory', '1'],
  // Memory below this address is unused. Without an explicit base the compiler reserves the first 1024 bytes.
  ...['--memoryBase', '64'],
];

/** Paths of the kernels below `kernels/`, without extension. */
export function kernelNames(): string[] {
  const names = globSync('*/**/*.ts', { cwd: join(ROOT, 'kernels') }).map((name) =>
    name.replace(/\.ts$/, ''),
  );
  return names.filter((name) => !names.includes(dirname(name))).sort();
}

/** Path of the compiled kernel. */
export function kernelFile(name: string): string {
  return join(ROOT, 'src', `${name}.wasm`);
}

/** The compiled kernel; the same bytes for the same source. Throws the compiler's message. */
export async function compileKernel(name: string): Promise<Uint8Array> {
  const written = new Map<string, Uint8Array>();
  const { error, stderr } = await compile(
    [`kernels/${name}.ts`, '--baseDir', ROOT, '--outFile', 'kernel.wasm', ...OPTIONS],
    { writeFile: (file, contents) => void written.set(file, contents as Uint8Array) },
  );
  const program = written.get('kernel.wasm');
  if (error !== null || program === undefined) throw new Error(`kernels/${name}.ts: ${stderr.toString()}`);
  return program;
}

if (import.meta.main) {
  for (const name of kernelNames()) {
    const program = await compileKernel(name);
    writeFileSync(kernelFile(name), program);
    console.log(`src/${name}.wasm: ${program.length} bytes`);
  }
}
