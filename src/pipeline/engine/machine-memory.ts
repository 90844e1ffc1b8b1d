import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';

const CGROUPS = '/sys/fs/cgroup';

/**
 * The memory that this process and its children may use: the machine's, or less where a container limits it. Not what is
 * free of it at the moment: that changes from second to second, and what was accepted must stay possible.
 */
export function machineMemory(): number {
  const constrained = process.constrainedMemory();
  const limits = [totalmem(), constrained, ...cgroupLimits()].filter((bytes) => bytes > 0);
  return Math.min(...limits);
}

/** Of our group and of all above it (cgroup v2, `memory.max`); Node knows only the innermost. */
function cgroupLimits(): number[] {
  const [, path] = /^0::(.*)$/m.exec(read('/proc/self/cgroup')) ?? [];
  const limits: number[] = [];
  for (let at = path ?? '/'; ; at = dirname(at)) {
    // "max" where there is no limit.
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
