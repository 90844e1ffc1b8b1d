/**
 * The embedded PostgreSQL as V8 compiled it. V8 does that on threads of its own and takes longer for it than for anything else of a
 * start, so whoever knows that it will be needed asks at once, and goes on reading the rest of the program meanwhile.
 */
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

let compiled: Promise<WebAssembly.Module> | undefined;

/** Compiled once in a process. Rejects where PGlite's file cannot be read. */
export function compiledPostgres(): Promise<WebAssembly.Module> {
  compiled ??= compile();
  // Who asked early may end before anybody waits for it.
  compiled.catch(() => {});
  return compiled;
}

async function compile(): Promise<WebAssembly.Module> {
  keepBaseline();
  const file = new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'));
  // Read in one go: what is read on another thread would be handed over only when nothing else is left to be loaded.
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
