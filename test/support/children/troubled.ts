/** A media child for tests: the task's name selects its behavior. */
import { spawn } from 'node:child_process';
import { cachedDataVersionTag } from 'node:v8';
import type { ChildMessage } from '../../../src/sandbox/child.ts';

const say = (message: ChildMessage) => process.send?.(message);

const TASKS: Readonly<Record<string, (input: unknown) => void>> = {
  echo: (input) => {
    say({ kind: 'progress', fraction: 0.5 });
    say({ kind: 'done', result: { input, environment: Object.keys(process.env), folder: process.cwd() } });
  },
  codeTag: () => say({ kind: 'done', result: cachedDataVersionTag() }),
  fail: () => say({ kind: 'failure', code: 'INPUT_CORRUPT', detail: 'broken', fields: [] }),
  bug: () => say({ kind: 'bug', message: 'oops', stack: 'Error: oops\n    at x' }),
  exit: () => process.exit(7),
  crash: () => process.abort(),
  silence: () => setInterval(() => {}, 1000),
  chatter: () => setInterval(() => say({ kind: 'progress', fraction: 0.1 }), 20),
  gorge: () => {
    const hoard: Buffer[] = [];
    setInterval(() => hoard.push(Buffer.alloc(20_000_000, 1)), 10);
  },
  /** Has a child of its own; the fraction is its pid. */
  family: () => {
    const grandchild = spawn('sleep', ['60'], { stdio: 'ignore', env: { PATH: '/usr/bin:/bin' } });
    say({ kind: 'progress', fraction: grandchild.pid! });
  },
};

process.once('disconnect', () => process.exit(1));
process.once('message', ({ task, input }: { task: string; input: unknown }) => TASKS[task](input));
