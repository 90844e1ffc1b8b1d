import { readFileSync } from 'node:fs';
import { ConfigError } from '../domain/errors.ts';

/**
 * An idle service has 163 to 180 open files, a download needs two more; a media process may open this many.
 */
export const MIN_OPEN_FILES = 512;

let text: string | undefined;

/**
 * Limit of a file of this process (RLIMIT_FSIZE, `ulimit -f`); its children inherit it and cannot raise it.
 */
export function systemFileBytes(): number {
  return limitOf('Max file size');
}

/**
 * Limit of open files of this process (RLIMIT_NOFILE, `ulimit -n`). Node raises its soft limit to the hard
 * one.
 */
export function systemOpenFiles(): number {
  return limitOf('Max open files');
}

/** Throws `ConfigError` if a service would run out of open files. */
export function assertOpenFiles(): void {
  const limit = systemOpenFiles();
  if (limit >= MIN_OPEN_FILES) return;
  throw new ConfigError(
    `At most ${limit} files may be open (ulimit -n); the service needs ${MIN_OPEN_FILES}. Raise the limit, for example with ulimit -n 4096`,
  );
}

/** Infinite if the system has or shows no limit. */
function limitOf(name: string): number {
  try {
    text ??= readFileSync('/proc/self/limits', 'utf8');
  } catch {
    text = '';
  }
  const soft = new RegExp(`^${name} +(\\d+) `, 'm').exec(text)?.[1];
  return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
}
