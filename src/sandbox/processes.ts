/**
 * What procfs tells about a child and all that it started; nothing where there is no procfs. Read at once: the kernel
 * answers from memory, and a read by way of the thread pool costs ten times as much.
 */
import { readdirSync, readFileSync } from 'node:fs';

export interface Usage {
  /** Resident memory of all of them. */
  readonly bytes: number;
  readonly processes: number;
}

/** Processes that `pid` has started, whichever of its threads did. */
export function childrenOf(pid: number): number[] {
  return threadsOf(pid)
    .flatMap((thread) => read(`/proc/${pid}/task/${thread}/children`).split(' '))
    .filter((word) => word !== '')
    .map(Number);
}

export function usageOf(pid: number): Usage {
  const own = Number(/VmRSS:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
  const below = childrenOf(pid).map(usageOf);
  return {
    bytes: below.reduce((sum, { bytes }) => sum + bytes, own),
    processes: below.reduce((sum, { processes }) => sum + processes, 1),
  };
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Empty for what has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
