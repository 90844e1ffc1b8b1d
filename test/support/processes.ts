import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { childrenOf as startedBy } from '../../src/sandbox/processes.ts';

/** False for one that is dead and only waits to be reaped as well. */
export function isRunning(pid: number): boolean {
  try {
    // The state follows the name in brackets (proc_pid_stat(5)).
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)![0] !== 'Z';
  } catch {
    return false;
  }
}

/**
 * Running processes that `pid` has started, whichever of its threads did. One that has not begun its own program yet is
 * left out: its parent is suspended until then, and would be for ever if it were stopped there.
 */
export function childrenOf(pid: number): number[] {
  return startedBy(pid).filter((child) => isRunning(child) && commandLine(child) !== commandLine(pid));
}

/** Arguments, each ended by a zero byte; empty for a process that is dead. */
export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Runs `ask` while the media child, if there is one, and its children are suspended. */
export async function stoppedMeanwhile<T>(pid: number | undefined, ask: () => Promise<T>): Promise<T> {
  const signal = (name: NodeJS.Signals) => {
    if (pid !== undefined && isRunning(pid)) process.kill(-pid, name);
  };
  signal('SIGSTOP');
  try {
    return await ask();
  } finally {
    signal('SIGCONT');
  }
}

/** Polls until `look` gives something; fails with `what` after `longestMs`: by default long enough for a machine that does much else. */
export async function waitFor<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  longestMs = 120_000,
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
