/**
 * Resource usage of a child and all its descendants from procfs; zero without procfs. Synchronous: the kernel
 * answers from memory, and a read through the thread pool costs ten times as much.
 */
import { readdirSync, readFileSync } from 'node:fs';

export interface Usage {
  /** Resident memory of all of them. */
  readonly bytes: number;
  readonly processes: number;
}

/** Processes that any thread of `pid` has started. */
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

/** Empty for a process that has ended in the meantime. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
