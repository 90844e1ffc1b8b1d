/**
 * The embedded PostgreSQL as compiled by V8. V8 compiles on its own threads, so this starts before the
 * modules that use it are loaded.
 */
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

let compiled: Promise<WebAssembly.Module> | undefined;

/** Compiled once in each thread. Rejects when PGlite's file cannot be read. */
export function compiledPostgres(): Promise<WebAssembly.Module> {
  compiled ??= compile();
  // The caller may end before anything awaits it.
  compiled.catch(() => {});
  return compiled;
}

async function compile(): Promise<WebAssembly.Module> {
  disableOptimizingCompiler();
  const file = new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'));
  // Read at once: a read by another thread is delivered only after the modules that load in the meantime.
  return WebAssembly.compile(readFileSync(file));
}

/**
 * Keeps WebAssembly of this process at the code of V8's baseline compiler. The optimizing compiler needs 600
 * MB of memory for one function of PostgreSQL, a second after each start.
 */
function disableOptimizingCompiler(): void {
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
}
