/**
 * Compiles the kernels: each `kernels/ROOM/NAME.ts`, in AssemblyScript, to `src/ROOM/NAME.wasm`, which is committed, so that a clone
 * runs without this. Files that lie in `kernels/` itself are shared by several, those in `kernels/ROOM/NAME/` are parts of one.
 */
import { globSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { main as compile } from 'assemblyscript/asc';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const OPTIONS = [
  // For speed, with small functions put in where they are called.
  ...['--optimizeLevel', '3', '--shrinkLevel', '0', '--converge', '--noAssert'],
  ...['--enable', 'simd', '--runtime', 'stub', '--importMemory', '--initialMemory', '1'],
  // Memory below this belongs to nobody; any base at all keeps the compiler from taking the first 1024 bytes for unused.
  ...['--memoryBase', '64'],
];

/** Paths of the programs, below `kernels/` and without an extension. */
export function kernelNames(): string[] {
  const names = globSync('*/**/*.ts', { cwd: join(ROOT, 'kernels') }).map((name) =>
    name.replace(/\.ts$/, ''),
  );
  return names.filter((name) => !names.includes(dirname(name))).sort();
}

/** Where the compiled program of that name lies. */
export function kernelFile(name: string): string {
  return join(ROOT, 'src', `${name}.wasm`);
}

/** The compiled program: the same bytes for the same source. Throws what the compiler says when it refuses the source. */
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
