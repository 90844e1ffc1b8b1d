import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The fields of `/proc/PID/stat` that follow the name in brackets; null when there is no such process. */
function statusOf(pid: number): { readonly state: string; readonly parent: number } | null {
  try {
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    return { state: state!, parent: Number(parent) };
  } catch {
    return null;
  }
}

/** False for one that is dead and only waits to be reaped as well. */
export function isRunning(pid: number): boolean {
  const status = statusOf(pid);
  return status !== null && status.state !== 'Z';
}

/** Running processes whose parent is `pid`. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((one) => {
      const status = Number.isInteger(one) && one > 0 ? statusOf(one) : null;
      return status !== null && status.parent === pid && status.state !== 'Z';
    });
}

/** Polls until `look` gives something; fails with `what` after `longestMs`. */
export async function waitFor<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  longestMs = 30_000,
  intervalMs = 10,
): Promise<T> {
  const deadlineMs = performance.now() + longestMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadlineMs) assert.fail(`Not within ${longestMs / 1000} s: ${what}`);
    await sleep(intervalMs);
  }
}

/** Asserts that all of these processes end, as a service's death or a cancellation demands. */
export async function assertGone(pids: readonly number[], longestMs: number): Promise<void> {
  await waitFor(`processes ${pids} are gone`, () => !pids.some(isRunning), longestMs);
}
