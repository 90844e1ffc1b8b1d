/** A media child for tests that an attacker controls: tries the attack named by its task and reports what worked. */
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChildMessage } from '../../../src/sandbox/child.ts';

const say = (message: ChildMessage) => process.send?.(message);

/** The paths for which `attempt` does not throw. */
function worked(paths: readonly string[], attempt: (path: string) => unknown): string[] {
  return paths.filter((path) => {
    try {
      attempt(path);
      return true;
    } catch {
      return false;
    }
  });
}

function reaches(address: { port: number; host: string } | { path: string }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  });
}

function sends(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    createSocket('udp4').send('x', port, '127.0.0.1', (error) => resolve(error === null));
  });
}

/** Output of a program. */
function runs(program: string, words: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    child.stdout.on('data', (part) => (text += part));
    child.stderr.on('data', (part) => (text += part));
    child.once('error', (error) => resolve(error.message)).once('close', () => resolve(text));
  });
}

const SLEEP = 'setInterval(() => {}, 1000)';

/** Slowly enough for the test's machine, fast enough to be one. */
function multiply(mark: string): void {
  setInterval(() => spawn(process.execPath, ['-e', SLEEP, mark], { stdio: 'ignore' }), 5);
}

const ATTEMPTS: Readonly<Record<string, (input: never) => unknown>> = {
  read: (paths: string[]) => worked(paths, (path) => closeSync(openSync(path, 'r'))),
  write: (paths: string[]) => worked(paths, (path) => closeSync(openSync(path, 'r+'))),
  create: (folders: string[]) => worked(folders, (folder) => writeFileSync(`${folder}/planted`, '')),
  list: (folders: string[]) => folders.map((folder) => readdirSync(folder).sort()),
  connect: async ({ port, path, name }: { port: number; path: string; name: string }) => ({
    tcp: await reaches({ port, host: '127.0.0.1' }),
    udp: await sends(port),
    socketFile: await reaches({ path }),
    abstractSocket: await reaches({ path: `\0${name}` }),
    interfaces: Object.keys(networkInterfaces()),
  }),
  /** Signal 0 succeeds for every process that may be signalled. */
  signal: (pids: number[]) => worked(pids.map(String), (pid) => process.kill(Number(pid), 0)),
  run: ({ program, words }: { program: string; words: string[] }) => runs(program, words),
  multiply: (mark: string) => new Promise(() => multiply(mark)),
  /** In one go, faster than any watch looks. */
  hoard: () => {
    for (const hoard: Buffer[] = []; ; ) hoard.push(Buffer.alloc(256 * 2 ** 20, 1));
  },
  fill: () => {
    const file = openSync('big', 'w');
    for (const block = Buffer.alloc(2 ** 20, 1); ; ) writeSync(file, block);
  },
  /** Empty ones, in folders as well. */
  litter: async () => {
    for (let count = 0; ; count++) {
      mkdirSync(`litter-${count}`);
      writeFileSync(`litter-${count}/empty`, '');
      if (count % 100 === 0) await pause(1);
    }
  },
  /** Each below the limit of one. */
  heap: async () => {
    for (let count = 0; ; count++) {
      writeFileSync(`heap-${count}`, Buffer.alloc(2 ** 22, 1));
      await pause(20);
    }
  },
  /** A file with a hole counts by its length. */
  stretch: () => ftruncateSync(openSync('long', 'w'), 2 ** 40),
  /** Leaves the process group and stays. */
  outlive: (mark: string) => {
    spawn(process.execPath, ['-e', SLEEP, mark], { detached: true, stdio: 'ignore' }).unref();
    return 'left behind';
  },
  /** Neither hears its parent nor lets go. */
  spin: () => {
    say({ kind: 'progress', fraction: 0.5 });
    for (;;);
  },
};

process.once('message', async ({ task, input }: { task: string; input: never }) => {
  try {
    say({ kind: 'done', result: await ATTEMPTS[task](input) });
  } catch (error) {
    const { message, stack = '' } = error as Error;
    say({ kind: 'bug', message, stack });
  }
});
