import { availableParallelism } from 'node:os';
import type { HttpParts } from './parts.ts';

type Probe = HttpParts['probe'];

/** Each is a process of its own that reads a whole file: many at once would only take memory from each other. */
export const PROBES_AT_ONCE = Math.max(2, availableParallelism());

/** The same probe, at most `most` at once; the others wait in the order in which they came, or until they are aborted. */
export function inTurn(most: number, probe: Probe): Probe {
  let free = most;
  const waiting: (() => void)[] = [];
  const release = () => {
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  };
  const enter = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      if (free > 0) {
        free--;
        resolve();
        return;
      }
      const begin = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(signal.reason);
      };
      waiting.push(begin);
      signal.addEventListener('abort', leave, { once: true });
    });
  return async (path, signal) => {
    signal.throwIfAborted();
    await enter(signal);
    try {
      return await probe(path, signal);
    } finally {
      release();
    }
  };
}
