import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const SWEEP_EVERY_BYTES = 4 << 20;

let unsweptBytes = 0;
let sweep: (() => void) | undefined;

/**
 * To be told of every chunk of a large body that was dealt with. Node copies what the network brings into a new buffer
 * of at most 64 KiB each; the buffers die young, but weigh so much that V8 looks through its whole heap for every 17 MB,
 * which takes more time than all else of an upload. Having the young ones swept in time (half a millisecond) avoids it:
 * 4.0 instead of 7.6 s of processor time for each GiB, and 60 MB less memory (Node 24, `bench/upload.ts`).
 */
export function chunkIsDone(bytes: number): void {
  unsweptBytes += bytes;
  if (unsweptBytes < SWEEP_EVERY_BYTES) return;
  unsweptBytes = 0;
  sweep ??= youngSweep();
  sweep();
}

/** V8 shows its collector only to contexts that are made while this flag is set. */
function youngSweep(): () => void {
  setFlagsFromString('--expose-gc');
  const collect: (options: { type: 'minor' }) => void = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return () => collect({ type: 'minor' });
}
