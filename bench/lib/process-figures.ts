/** What another process has used: the kernel's account of it, from procfs (Linux only). */
import { readFileSync } from 'node:fs';
import { childrenOf } from '../../src/sandbox/processes.ts';

/** `times(2)` counts in USER_HZ, which is 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** User and system time of a process and of all below it, living or ended. */
export function treeCpuSeconds(pid: number): number {
  return childrenOf(pid).reduce((sum, child) => sum + treeCpuSeconds(child), processCpuSeconds(pid));
}

/** User and system time of a process and of its children that have ended: fields 14 to 17 of proc_pid_stat(5). */
export function processCpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The program's name, in brackets, may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
}

export function residentBytes(pid: number): number {
  return statusBytes(pid, 'VmRSS');
}

export function peakResidentBytes(pid: number): number {
  return statusBytes(pid, 'VmHWM');
}

function statusBytes(pid: number, field: string): number {
  const [, kilobytes] =
    new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes ?? 0) * 1024;
}
