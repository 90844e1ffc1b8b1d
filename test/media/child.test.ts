import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChildRun, runInChild } from '../../src/sandbox/child.ts';
import { findSandbox } from '../../src/sandbox/protection.ts';
import { NO_SANDBOX } from '../../src/sandbox/sandbox.ts';
import { temporaryFolder } from '../support/clips.ts';

const folder = temporaryFolder();
const entry = new URL('../support/children/troubled.ts', import.meta.url);

function run(task: string, change: Partial<ChildRun> = {}): Promise<unknown> {
  return runInChild({
    entry,
    task,
    input: { some: [1, 2, new Float32Array([3])] },
    folder,
    limits: { idleMs: 10_000, wallMs: 20_000, memoryBytes: 2 ** 30 },
    signal: new AbortController().signal,
    onProgress: () => {},
    ...change,
  });
}

/** A process that has ended but is not reaped yet (Z) does nothing any more. */
function alive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

const { sandbox: strongest } = await findSandbox(folder);

for (const [name, sandbox] of Object.entries({
  'without a sandbox': NO_SANDBOX,
  'in the sandbox': strongest,
})) {
  describe(`runInChild ${name}`, () => {
    test('hands input in and the result out, in its own folder, without the environment of its parent', async () => {
      const fractions: number[] = [];
      const onProgress = (fraction: number) => fractions.push(fraction);
      assert.deepEqual(await run('echo', { sandbox, onProgress }), {
        input: { some: [1, 2, new Float32Array([3])] },
        environment: ['MALLOC_ARENA_MAX'],
        folder,
      });
      assert.deepEqual(fractions, [0.5]);
    });

    test('finds the same compiled code with either heap', async () => {
      const [flat, ample] = [
        await run('codeTag', { sandbox }),
        await run('codeTag', { sandbox, ampleHeap: true }),
      ];
      assert.equal(typeof flat, 'number');
      assert.equal(ample, flat);
    });

    for (const [task, expected] of [
      ['fail', { code: 'INPUT_CORRUPT', detail: 'broken' }],
      ['bug', { name: 'Error', message: 'oops' }],
      ['exit', { code: 'WORKER_LOST', detail: 'The media process ended early (exit code 7)' }],
      // abort(3) raises SIGABRT, and where that is ignored, as in the first process of a namespace, SIGSEGV.
      ['crash', { code: 'WORKER_LOST', detail: /^The media process ended early \(SIG(ABRT|SEGV)\)$/ }],
    ] as const) {
      test(`${task}: ${'code' in expected ? expected.code : expected.message}`, () =>
        assert.rejects(run(task, { sandbox }), expected));
    }
  });
}

describe('runInChild', () => {
  for (const [task, limits, expected] of [
    ['silence', { idleMs: 300 }, { code: 'STAGE_TIMEOUT', detail: 'No progress for 0.3 s' }],
    ['chatter', { wallMs: 500 }, { code: 'STAGE_TIMEOUT', detail: 'Not finished after 0.5 s' }],
    [
      'gorge',
      { memoryBytes: 300e6 },
      { code: 'OUT_OF_MEMORY', detail: 'More than 300000000 bytes of memory were needed' },
    ],
  ] as const) {
    test(`${task} under limits: ${expected.code}`, () =>
      assert.rejects(
        run(task, { limits: { idleMs: 10_000, wallMs: 20_000, memoryBytes: 2 ** 30, ...limits } }),
        expected,
      ));
  }

  test('an abort ends the child at once, with its children', async () => {
    const control = new AbortController();
    let grandchild = 0;
    const reason = new Error('cancelled');
    const running = run('family', {
      signal: control.signal,
      onProgress: (pid) => {
        grandchild = pid;
        control.abort(reason);
      },
    });
    const started = performance.now();
    await assert.rejects(running, reason);
    assert.ok(performance.now() - started < 2000);
    for (let tries = 0; alive(grandchild) && tries < 50; tries++) await sleep(20);
    assert.equal(alive(grandchild), false, 'the grandchild lives');
  });

  test('an abort before the start starts nothing', () => {
    const signal = AbortSignal.abort(new Error('too late'));
    return assert.rejects(run('echo', { signal }), { message: 'too late' });
  });
});
