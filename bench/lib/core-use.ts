/** What the threads of a program and of all that it starts do over time: the kernel's account of them, from procfs (Linux only). */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { childrenOf } from '../../src/sandbox/processes.ts';

/** Kinds of work, by the names that Node, libavcodec and this engine give their threads. */
export const WORKS = ['JavaScript', 'decoding', 'encoding', 'compiling, collecting', 'other'] as const;
export type Work = (typeof WORKS)[number];

/** What a program used within one interval, in cores: seconds of processor time a second. */
export interface CoreUse {
  readonly endSeconds: number;
  readonly cores: Readonly<Record<Work, number>>;
  /** Of everything else on the machine. */
  readonly elsewhere: number;
}

const INTERVAL_MS = 100;
/** `times(2)` counts in USER_HZ, which is 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Runs a program to its end. Throws when it fails. */
export async function coreUseOf(program: string, words: readonly string[]): Promise<readonly CoreUse[]> {
  const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  let complaint = '';
  child.stderr.on('data', (text: Buffer) => (complaint += text));
  const uses: CoreUse[] = [];
  const start = performance.now();
  let last = { at: start, threads: threadsBelow(child.pid!), busy: busySeconds() };
  const sampling = setInterval(() => {
    const now = { at: performance.now(), threads: threadsBelow(child.pid!), busy: busySeconds() };
    const seconds = (now.at - last.at) / 1000;
    const cores = Object.fromEntries(WORKS.map((work) => [work, 0])) as Record<Work, number>;
    for (const [thread, { work, ns }] of now.threads)
      cores[work] += Math.max(0, ns - (last.threads.get(thread)?.ns ?? 0)) / 1e9 / seconds;
    const own = WORKS.reduce((sum, work) => sum + cores[work], 0);
    const elsewhere = Math.max(0, (now.busy - last.busy) / seconds - own);
    uses.push({ endSeconds: (now.at - start) / 1000, cores, elsewhere });
    last = now;
  }, INTERVAL_MS);
  const code = await ended;
  clearInterval(sampling);
  if (code !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${code}: ${complaint}`);
  return uses;
}

interface Thread {
  readonly work: Work;
  /** Time on a processor so far. */
  readonly ns: number;
}

function threadsBelow(pid: number): Map<string, Thread> {
  const found = new Map<string, Thread>();
  for (const one of [pid, ...descendants(pid)]) {
    for (const thread of entries(`/proc/${one}/task`)) {
      const folder = `/proc/${one}/task/${thread}`;
      // The first field of proc_pid_schedstat(5).
      const ns = Number(read(`${folder}/schedstat`).split(' ')[0]);
      found.set(`${one}/${thread}`, { work: workOf(read(`${folder}/comm`).trim()), ns });
    }
  }
  return found;
}

/** The encoder's threads are named after the thread that opened it, of Node's pool in ours and `enc` in the program `ffmpeg`. */
export function workOf(threadName: string): Work {
  if (/^(node|MainThread)/.test(threadName)) return 'JavaScript';
  if (/^(av:|dec)/.test(threadName)) return 'decoding';
  if (/^(libuv-worker|enc|ffmpeg)/.test(threadName)) return 'encoding';
  return /^V8/.test(threadName) ? 'compiling, collecting' : 'other';
}

function descendants(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendants(child)]);
}

/** Of all processors together, but for what they waited. */
function busySeconds(): number {
  const [user, nice, system, , , irq, softirq] = read('/proc/stat')
    .split('\n')[0]!
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user! + nice! + system! + irq! + softirq!) / TICKS_PER_SECOND;
}

/** Empty for what has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function entries(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
