import { setFlagsFromString } from 'node:v8';

/** A V8 flag. A version of V8 without it prints a line on standard error and continues. */
export const VIEWS_WITH_HEAP = '--external-memory-accounted-in-global-limit';

/**
 * For processes that draw. Each view of a frame counts as memory outside V8's heap. That memory's own limit
 * is reached after about twenty frames: 41 to 47 full collections in twelve seconds of 1080p. Counted
 * together with the heap there are 2 to 9, and peak memory does not grow (decision 0001). Call it after all
 * modules are loaded: V8's code cache depends on its flags.
 */
export function countViewsWithHeap(): void {
  setFlagsFromString(VIEWS_WITH_HEAP);
}
