import { readFileSync } from 'node:fs';
import { ConfigError } from '../domain/errors.ts';

/** An idle service holds 163 to 180 files, a download two more; a media process may hold this many. */
export const MIN_OPEN_FILES = 512;

let text: string | undefined;

/** The size that a file of this process may have (RLIMIT_FSIZE, `ulimit -f`); children have it too, and cannot raise it. */
export function systemFileBytes(): number {
  return limitOf('Max file size');
}

/** How many files this process may have open (RLIMIT_NOFILE, `ulimit -n`). Node raises its own limit to the hard one. */
export function systemOpenFiles(): number {
  return limitOf('Max open files');
}

/** Throws `ConfigError` where a service would run out of open files. */
export function assertOpenFiles(): void {
  const limit = systemOpenFiles();
  if (limit >= MIN_OPEN_FILES) return;
  throw new ConfigError(
    `At most ${limit} files may be open (ulimit -n); the service needs ${MIN_OPEN_FILES}: raise the limit, for example with ulimit -n 4096`,
  );
}

/** Infinite where the system does not show its limits, or has none. */
function limitOf(name: string): number {
  try {
    text ??= readFileSync('/proc/self/limits', 'utf8');
  } catch {
    text = '';
  }
  const soft = new RegExp(`^${name} +(\\d+) `, 'm').exec(text)?.[1];
  return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
}
