import { readFileSync } from 'node:fs';

let bytes: number | undefined;

/** The size that a file of this process may have (RLIMIT_FSIZE, `ulimit -f`); children have it too, and cannot raise it. */
export function systemFileBytes(): number {
  bytes ??= readLimit();
  return bytes;
}

/** Where the system does not show its limits, none is known. */
function readLimit(): number {
  try {
    const soft = /^Max file size +(\d+) /m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
