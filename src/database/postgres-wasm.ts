/**
 * The embedded PostgreSQL as V8 compiled it. V8 does that on threads of its own, so it is asked for before the modules that use it are
 * read.
 */
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

let compiled: Promise<WebAssembly.Module> | undefined;

/** Compiled once in a thread. Rejects where PGlite's file cannot be read. */
export function compiledPostgres(): Promise<WebAssembly.Module> {
  compiled ??= compile();
  // Who asked early may end before anybody waits for it.
  compiled.catch(() => {});
  return compiled;
}

async function compile(): Promise<WebAssembly.Module> {
  keepBaseline();
  const file = new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'));
  // Read in one go: what another thread reads is handed over only when the modules that are being read meanwhile are all there.
  return WebAssembly.compile(readFileSync(file));
}

/**
 * WebAssembly of this process stays as V8's baseline compiler makes it. The optimising compiler takes 600 MB of memory for one function
 * of PostgreSQL's, a second after each start.
 */
function keepBaseline(): void {
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
}
