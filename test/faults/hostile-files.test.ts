/**
 * Hostile files open no file but themselves and connect to nothing, twice over: FFmpeg does not try, as a trace of it
 * without any sandbox shows; and in the sandbox each ends in a result or a typed failure.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Failure } from '../../src/domain/errors.ts';
import { MediaEngine } from '../../src/pipeline/engine/engine.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { writeLures } from '../support/lures.ts';
import { mediaPath } from '../support/media.ts';

const READER = fileURLToPath(new URL('../support/children/open-media.ts', import.meta.url));
const folder = temporaryFolder();
const good = await makeClip(folder, { name: 'good', durationSeconds: 1 });
const outside = join(folder, 'outside.mp4');
copyFileSync(good, outside);
const hostileFolder = mediaPath('hostile');
const hostile =
  hostileFolder === null ? [] : readdirSync(hostileFolder).map((name) => join(hostileFolder, name));
const paths = [...writeLures(join(folder, 'lures'), good, outside), ...hostile];

interface Call {
  readonly name: string;
  /** Null: none in it. */
  readonly path: string | null;
  readonly result: number;
}

/** Of lines of strace(1) as `123 openat(AT_FDCWD, "/path", O_RDONLY) = 3`, those after the marker was opened. */
function callsAfter(marker: string, trace: string): Call[] {
  const lines = trace
    .slice(trace.indexOf(`AT_FDCWD, "${marker}"`))
    .split('\n')
    .slice(1);
  return lines
    .map((line) => /^\d+\s+(\w+)\((.*)\)\s+= (-?\d+)/.exec(line))
    .filter((match) => match !== null)
    .map(([, name, words, result]) => ({
      name: name!,
      path: /"([^"]*)"/.exec(words!)?.[1] ?? null,
      result: Number(result),
    }));
}

const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;
/** V8 and the C library open these at the first use of a clock, for any file. */
const CLOCKS = ['/sys/devices/system/cpu/cpu0/tsc_freq_khz', '/etc/localtime'];
const CALLS = 'trace=open,openat,openat2,socket,connect,sendto,execve';

test('without any sandbox each file is opened, no other and no socket', {
  skip: canTrace ? false : 'needs strace, and leave to trace',
}, () => {
  const marker = join(folder, 'marker');
  const log = join(folder, 'trace');
  writeFileSync(marker, '');
  const words = ['-f', '--seccomp-bpf', '-e', CALLS, '-s', '4096', '-o', log];
  const run = spawnSync('strace', [...words, process.execPath, READER, good, marker, ...paths], {
    encoding: 'utf8',
    // Writing compiled code opens files of its own.
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  assert.equal(run.status, 0, run.stderr);
  const outcomes = run.stdout.trim().split('\n');
  assert.equal(outcomes.length, 1 + paths.length);
  for (const line of outcomes) assert.doesNotMatch(line, /Error/);
  const calls = callsAfter(marker, readFileSync(log, 'utf8'));
  const isInput = ({ name, path }: Call) => name.startsWith('open') && paths.includes(path ?? '');
  assert.deepEqual(new Set(calls.filter(isInput).map(({ path }) => path)), new Set(paths));
  assert.deepEqual(
    calls.filter((call) => !isInput(call) && !CLOCKS.includes(call.path ?? '')),
    [],
  );
});

describe('in the sandbox each ends in a result or a typed failure', {
  skip: hostileFolder === null ? 'needs ../shared/media/hostile' : false,
}, () => {
  const workRoot = join(folder, 'work');
  const engine = new MediaEngine({ workRoot, idleSeconds: 20, memoryBytes: 2 ** 30 });
  const { signal } = new AbortController();
  const motionLogPath = join(folder, 'motion.bin');
  for (const path of hostile) {
    test(basename(path), async () => {
      const outcome = await engine
        .run('video', { path, motionLogPath, withSubjects: true }, { signal, folder })
        .then(
          () => 'measured',
          (error: Error) => error,
        );
      assert.ok(outcome === 'measured' || outcome instanceof Failure, String(outcome));
    });
  }
});
