import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from './service.ts';

const POLL_MS = 5;

/**
 * Runs `work` while `/livez` is requested all the time. `blockedMs`: the longest answer, at most the processor time that the main thread
 * of the service took for it: on a busy machine it waits for a processor as well, which is not its fault.
 */
export async function whileLive<T>(
  { baseUrl, pid }: Service,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly blockedMs: number }> {
  let isDone = false;
  let blockedMs = 0;
  const poll = async () => {
    while (!isDone) {
      const [startedMs, usedMs] = [performance.now(), mainThreadMs(pid)];
      const reply = await fetch(`${baseUrl}/livez`);
      await reply.arrayBuffer();
      assert.equal(reply.status, 200);
      blockedMs = Math.max(blockedMs, Math.min(performance.now() - startedMs, mainThreadMs(pid) - usedMs));
      await sleep(POLL_MS);
    }
  };
  const polling = poll();
  const result = await work().finally(async () => {
    isDone = true;
    await polling;
  });
  return { result, blockedMs };
}

/** Processor time of the thread with the number of its process (Linux, sched-stats: nanoseconds). */
function mainThreadMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

/** Resident memory in MiB (proc_pid_status(5)). */
export function residentMib(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}
