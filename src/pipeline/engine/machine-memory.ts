import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';

const CGROUPS = '/sys/fs/cgroup';

/**
 * The memory for this process and its children: the machine's, or a container's limit. Not the currently free memory,
 * which changes every second: an accepted job must stay possible.
 */
export function machineMemory(): number {
  const constrained = process.constrainedMemory();
  const limits = [totalmem(), constrained, ...cgroupLimits()].filter((bytes) => bytes > 0);
  return Math.min(...limits);
}

/** Limits of our group and all its parents (cgroup v2, `memory.max`); Node reads only the innermost. */
function cgroupLimits(): number[] {
  const [, path] = /^0::(.*)$/m.exec(read('/proc/self/cgroup')) ?? [];
  const limits: number[] = [];
  for (let at = path ?? '/'; ; at = dirname(at)) {
    // "max" (no limit) becomes NaN.
    limits.push(Number.parseInt(read(join(CGROUPS, at, 'memory.max')), 10) || 0);
    if (at === '/' || at === '.') return limits;
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
