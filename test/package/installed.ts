/** Shared by the tests of the packed package: the package, a user's shell, its service. */
import { execFile, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isProcessAlive } from '../../src/storage/process-alive.ts';
import { waitFor } from '../support/processes.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const run = promisify(execFile);

/**
 * The environment of a user's shell, with its registry: the Node that runs the tests is first, nothing of this clone
 * does, nor of the npm that runs them.
 */
export const SHELL = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
  PATH: [dirname(process.execPath), ...pathWithoutClone()].join(delimiter),
};

function pathWithoutClone(): string[] {
  return (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.startsWith(ROOT));
}

/** In a run of several files they share one: to build the package takes 24 s of processor time. */
const PACKED = process.env['TEST_KEPT'] === undefined ? null : join(tmpdir(), 'packed');

/** Makes the npm package, in `folder` if nothing else uses it, and returns its path. One process at a time: it is built in the clone. */
export async function pack(folder: string): Promise<string> {
  const lock = await lockOf(join(ROOT, 'node_modules', '.cache', 'styledna-pack.lock'));
  try {
    const place = PACKED ?? folder;
    mkdirSync(place, { recursive: true });
    const [made] = readdirSync(place).filter((name) => name.endsWith('.tgz'));
    if (made !== undefined) return join(place, made);
    const words = ['pack', '--json', '--pack-destination', place];
    const { stdout } = await run('npm', words, { cwd: ROOT, maxBuffer: 1e8 });
    const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ filename: string }];
    return join(place, filename);
  } finally {
    rmSync(lock);
  }
}

async function lockOf(path: string): Promise<string> {
  mkdirSync(dirname(path), { recursive: true });
  for (;;) {
    try {
      const file = openSync(path, 'wx');
      writeSync(file, String(process.pid));
      closeSync(file);
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const owner = Number(readFileSync(path, 'utf8'));
      if (owner > 0 && !isProcessAlive(owner)) rmSync(path, { force: true });
      else await sleep(500);
    }
  }
}

export interface InstalledService extends AsyncDisposable {
  readonly address: string;
  /** All that it has logged. */
  log(): string;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
}

/** `styledna serve` of the package in `home`. Disposing kills it. */
export async function serve(home: string): Promise<InstalledService> {
  const program = join(home, 'node_modules', 'styledna', 'bin', 'styledna.mjs');
  const child = spawn(process.execPath, [program, 'serve'], {
    cwd: home,
    env: { ...SHELL, PORT: '0', LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let log = '';
  child.stdout.on('data', (text: Buffer) => (log += text.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  return {
    address: await waitFor('it listens', () => /"address":"([^"]+)"/.exec(log)?.[1], 90_000),
    log: () => log,
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
    async [Symbol.asyncDispose]() {
      kill();
      await ended;
      process.off('exit', kill);
    },
  };
}
