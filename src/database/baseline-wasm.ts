/**
 * Keeps WebAssembly of this process as V8's baseline compiler makes it: import before the first module is compiled. The
 * optimising compiler takes 600 MB of memory for one function of PostgreSQL's, a second after each start.
 */
import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--no-wasm-tier-up');
setFlagsFromString('--no-wasm-dynamic-tiering');
