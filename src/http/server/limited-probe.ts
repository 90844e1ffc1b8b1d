import { availableParallelism } from 'node:os';
import type { HttpParts } from './parts.ts';
import { Semaphore } from './semaphore.ts';

type Probe = HttpParts['probe'];

/** Each is a process of its own that reads a whole file: many at once would only take memory from each other. */
export const PROBES_AT_ONCE = Math.max(2, availableParallelism());

/** The same probe, at most `most` at once. */
export function limitedProbe(most: number, probe: Probe): Probe {
  const probing = new Semaphore(most);
  return async (path, signal) => {
    using _permit = await probing.take(signal);
    return await probe(path, signal);
  };
}
