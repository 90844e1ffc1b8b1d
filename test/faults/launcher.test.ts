/** The launcher on a Node that is too old for StyleDNA: it starts a newer one as if there were one process. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { seedCluster } from '../support/cluster.ts';
import { childrenOf, commandLine, isRunning, waitFor } from '../support/processes.ts';
import { PROGRAM } from '../support/program.ts';

/** Makes the Node that runs the launcher report an old version. */
const OLD = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.0.0'}})`;
const WORDS = ['--import', OLD, PROGRAM];
const GONE_MS = 10_000;
/** Of the log: JSON, on a terminal plain text after the time. */
const [LISTENING, STOPPED] = [/"listening"|^[\d:]+ {2}listening\b/m, /"stopped"|^[\d:]+ {2}stopped\b/m];

const folder = mkdtempSync(join(tmpdir(), 'styledna-launcher-'));
const environment = {
  PATH: process.env['PATH'] ?? '',
  PORT: '0',
  DATA_DIR: folder,
  WORKER_CONCURRENCY: '0',
  MEDIA_ISOLATION: 'off',
};
before(() => seedCluster(join(folder, 'database')));
after(() => rmSync(folder, { recursive: true, force: true }));

interface Launched {
  readonly launcher: ChildProcess;
  /** The process that the launcher starts. */
  readonly pid: number;
  readonly ended: Promise<[code: number | null, signal: NodeJS.Signals | null]>;
  readonly reported: () => string;
}

/** A service that listens, started by `program` in a process group of its own. */
async function launch(program: string, words: readonly string[]): Promise<Launched> {
  const launcher = spawn(program, words, {
    env: environment,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [launcher.stdout, launcher.stderr]) stream.on('data', (part) => (text += part));
  const ended = once(launcher, 'exit') as Launched['ended'];
  await waitFor('the service listens', () => {
    assert.equal(launcher.exitCode, null, text);
    return LISTENING.test(text);
  });
  const pid = descendantsOf(launcher.pid!).filter(isService).at(-1)!;
  return { launcher, pid, ended, reported: () => text };
}

function descendantsOf(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

/** The service's own child processes (the health check's probe, for one) do not end in the word of the command. */
function isService(pid: number): boolean {
  return commandLine(pid).split('\0').at(-2) === 'serve';
}

const removed = (pid: number) => waitFor('the service is gone', () => !isRunning(pid), GONE_MS);

describe('the launcher on an old Node', { concurrency: 1, timeout: 240_000 }, () => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    test(`${signal} drains the service, and its exit code is the launcher's`, async () => {
      const { launcher, pid, ended, reported } = await launch(process.execPath, [...WORDS, 'serve']);
      launcher.kill(signal);
      assert.deepEqual(await ended, [0, null]);
      await removed(pid);
      assert.match(reported(), STOPPED);
    });
  }

  test('a signal to both, as supervisors and terminals send it, is one request', async () => {
    const { launcher, pid, ended, reported } = await launch(process.execPath, [...WORDS, 'serve']);
    process.kill(-launcher.pid!, 'SIGTERM');
    assert.deepEqual(await ended, [0, null]);
    await removed(pid);
    assert.match(reported(), STOPPED);
  });

  test('Ctrl-C in a terminal is one request', { skip: terminalMissing() }, async () => {
    const command = [process.execPath, ...WORDS, 'serve'].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
    const terminal = await launch('script', [
      '--quiet',
      '--return',
      '--command',
      // The shell would otherwise take the signal for its own.
      `exec ${command.join(' ')}`,
      '/dev/null',
    ]);
    terminal.launcher.stdin!.write('\x03');
    assert.deepEqual(await terminal.ended, [0, null], terminal.reported());
    await removed(terminal.pid);
    assert.match(terminal.reported(), STOPPED);
  });

  test('a launcher that is killed leaves nothing behind', async () => {
    const { launcher, pid, ended, reported } = await launch(process.execPath, [...WORDS, 'serve']);
    launcher.kill('SIGKILL');
    await ended;
    await removed(pid);
    await waitFor('the last line of the log is read', () => STOPPED.test(reported()));
  });

  test('the launcher ends with the exit status of the service', async () => {
    const { pid, ended } = await launch(process.execPath, [...WORDS, 'serve']);
    process.kill(pid, 'SIGKILL');
    assert.deepEqual(await ended, [null, 'SIGKILL']);
  });

  test('exit codes, output and arguments pass through', () => {
    const wrong = spawnSync(process.execPath, [...WORDS, 'no such command'], { encoding: 'utf8' });
    assert.equal(wrong.status, 2);
    assert.match(wrong.stderr, /There is no command "no such command"/);
    const right = spawnSync(process.execPath, [...WORDS, '--version'], { encoding: 'utf8' });
    assert.deepEqual([right.status, right.stderr], [0, '']);
    assert.match(right.stdout, /^\d+\.\d+\.\d+/);
  });
});

function terminalMissing(): string | false {
  return spawnSync('script', ['--version']).error === undefined
    ? false
    : 'no terminal can be made: the program script (util-linux) is missing';
}
