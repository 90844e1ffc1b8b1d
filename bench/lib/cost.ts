/** Cost of a piece of work, children included: the kernel's own account of processes, from procfs (Linux only). */
import { readFileSync } from 'node:fs';
import { childrenOf } from '../../src/sandbox/processes.ts';

export interface Cost {
  /** Of this process and of every child that ended meanwhile. */
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  /** Largest resident memory of any one child; 0 when there was none. */
  readonly childPeakBytes: number;
}

/** `times(2)` counts in USER_HZ, which is 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;
const SAMPLE_INTERVAL_MS = 100;

/**
 * Runs `work` and measures it. Children count with all that they used from start to end, killed ones too; they
 * must have ended when `work` resolves. Measure one thing at a time.
 */
export async function measureCost<Result>(
  work: () => Promise<Result>,
): Promise<{ cost: Cost; result: Result }> {
  let childPeakBytes = 0;
  const sampling = setInterval(() => {
    childPeakBytes = Math.max(childPeakBytes, ...childPeaks());
  }, SAMPLE_INTERVAL_MS);
  const cpuBefore = cpuSeconds();
  const start = performance.now();
  try {
    const result = await work();
    const wallSeconds = (performance.now() - start) / 1000;
    return { cost: { cpuSeconds: cpuSeconds() - cpuBefore, wallSeconds, childPeakBytes }, result };
  } finally {
    clearInterval(sampling);
  }
}

export function addCosts(costs: readonly Cost[]): Cost {
  return {
    cpuSeconds: costs.reduce((sum, cost) => sum + cost.cpuSeconds, 0),
    wallSeconds: costs.reduce((sum, cost) => sum + cost.wallSeconds, 0),
    childPeakBytes: Math.max(0, ...costs.map((cost) => cost.childPeakBytes)),
  };
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + endedChildrenSeconds();
}

/** Fields `cutime` and `cstime` of proc_pid_stat(5): user and system time of the children waited for. */
function endedChildrenSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // The program's name, in brackets, may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

/** Peak resident memory of each living child: it never falls, so the last sample is nearly the true one. */
function childPeaks(of = process.pid): number[] {
  return childrenOf(of).flatMap((pid) => [peakBytes(pid), ...childPeaks(pid)]);
}

function peakBytes(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
