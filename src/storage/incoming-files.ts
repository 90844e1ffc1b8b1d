import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { makeDurableFolder } from './durable-files.ts';
import { isProcessAlive } from './process-alive.ts';

/** Uploads expire after a much shorter idle time, so a file of this age has no writer. */
const ABANDONED_AFTER_MS = 3_600_000;

const NAME = /^(?<pid>\d+)@(?<host>[A-Za-z0-9.-]+)@/;

/** The host's name without characters that would break the pattern above. */
function hostPart(): string {
  return hostname().replace(/[^A-Za-z0-9.-]/g, '-');
}

/** A name for an unfinished file from which later processes see whether its writer may still run. */
export function incomingName(): string {
  return `${process.pid}@${hostPart()}@${randomUUID()}`;
}

/**
 * Makes the folder of unfinished files and removes those whose writer has ended. For a writer on another
 * machine the file's age decides.
 */
export async function clearIncoming(
  directory: string,
  { maxAgeMs = ABANDONED_AFTER_MS }: { readonly maxAgeMs?: number } = {},
): Promise<void> {
  await makeDurableFolder(directory);
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    const modifiedMs = await stat(path).then(
      (status) => (status.isFile() ? status.mtimeMs : null),
      () => null,
    );
    if (modifiedMs !== null && isAbandoned(name, modifiedMs, maxAgeMs)) await rm(path, { force: true });
  }
}

function isAbandoned(name: string, modifiedMs: number, maxAgeMs: number): boolean {
  if (Date.now() - modifiedMs > maxAgeMs) return true;
  const writer = NAME.exec(name)?.groups;
  if (writer?.['host'] !== hostPart()) return false;
  const pid = Number(writer['pid']);
  // In containers the service is always process 1, so its own id may be that of an earlier container.
  if (pid === process.pid) return modifiedMs < performance.timeOrigin;
  return !isProcessAlive(pid);
}
