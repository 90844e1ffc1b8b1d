import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UnknownOutcome } from '../../src/database/outcome.ts';
import { type ErrorCode, Failure } from '../../src/domain/errors.ts';
import { isWorthAnotherTry, jobErrorOf } from '../../src/jobs/model/job-failure.ts';
import { retryWhileDatabaseDown } from '../../src/jobs/run/retry-while-database-down.ts';

const NOW = new Date('2026-01-02T03:04:05Z');

describe('a failure of a stage', () => {
  for (const [code, again] of [
    ['ENCODER_FAILED', true],
    ['STAGE_TIMEOUT', true],
    ['INSUFFICIENT_STORAGE', true],
    ['INPUT_CORRUPT', false],
    // Rendered a second time already.
    ['OUTPUT_VERIFY_FAILED', false],
    // Waited for already.
    ['STORAGE_UNAVAILABLE', false],
    ['INTERNAL_ERROR', false],
    // No code that ends a job.
    ['RATE_LIMITED', false],
  ] as const satisfies readonly (readonly [ErrorCode, boolean])[])
    test(`with ${code} is ${again ? '' : 'not '}tried again`, () => {
      assert.equal(isWorthAnotherTry(new Failure(code, 'x')), again);
    });

  test('shows the text of an expected error, and hides the text of an unexpected one', () => {
    assert.deepEqual(jobErrorOf(new Failure('INPUT_CORRUPT', 'Frame 3 is broken.'), 'rendering', 2, NOW), {
      code: 'INPUT_CORRUPT',
      message: 'The video is damaged and cannot be processed',
      detail: 'Frame 3 is broken.',
      stage: 'rendering',
      attempt: 2,
      retryable: false,
      occurredAt: NOW,
    });
    for (const error of [new Error('/etc/passwd'), new Failure('RATE_LIMITED', '/etc/passwd'), 'text'])
      assert.deepEqual(jobErrorOf(error, 'rendering', 2, NOW), {
        code: 'INTERNAL_ERROR',
        message: 'Internal error',
        detail: 'An unexpected error in the stage rendering.',
        stage: 'rendering',
        attempt: 2,
        retryable: true,
        occurredAt: NOW,
      });
  });
});

/** Each waits for a second, so they run at once. */
describe('while the database is down', { concurrency: true }, () => {
  const removed = () => new Failure('SERVICE_UNAVAILABLE', 'gone');
  /** Work that throws these errors, one after the other, and then returns `done`. */
  function failing(...errors: readonly Error[]) {
    const left = [...errors];
    const run = { times: 0, retries: 0 };
    const work = async () => {
      run.times++;
      const error = left.shift();
      if (error !== undefined) throw error;
      return 'done';
    };
    return { run, work, onRetry: () => run.retries++ };
  }

  for (const [what, error, result, times] of [
    ['is not there', removed(), 'done', 2],
    ['is full', new Failure('INSUFFICIENT_STORAGE', 'full'), 'done', 2],
    ['did the work but could not say so', new UnknownOutcome(async () => true, 'kept', null), 'kept', 1],
    ['did not do the work, as it says later', new UnknownOutcome(async () => false, 'lost', null), 'done', 2],
  ] as const)
    test(`work on one that ${what} ran ${times} time(s)`, async () => {
      const { run, work, onRetry } = failing(error);
      assert.equal(await retryWhileDatabaseDown(undefined, work, onRetry), result);
      assert.deepEqual(run, { times, retries: 1 });
    });

  test('other errors end it at once', async () => {
    const { run, work, onRetry } = failing(new Failure('ENCODER_FAILED', 'x'));
    await assert.rejects(retryWhileDatabaseDown(undefined, work, onRetry), /ENCODER_FAILED/);
    assert.deepEqual(run, { times: 1, retries: 0 });
  });

  test('its signal ends the wait', async () => {
    const { run, work, onRetry } = failing(removed());
    await assert.rejects(retryWhileDatabaseDown(AbortSignal.timeout(50), work, onRetry), {
      name: 'AbortError',
    });
    assert.deepEqual(run, { times: 1, retries: 1 });
  });
});

test('work fails after ten minutes of a database outage, not before', async (t) => {
  for (const [minutes, givenUp] of [
    [9.9, false],
    [10.1, true],
  ] as const) {
    let nowMs = 0;
    const clock = t.mock.method(performance, 'now', () => nowMs);
    const stop = new AbortController();
    const retried = retryWhileDatabaseDown(
      stop.signal,
      async () => {
        nowMs = minutes * 60_000;
        throw new Failure('SERVICE_UNAVAILABLE', 'gone');
      },
      () => stop.abort(),
    );
    await assert.rejects(retried, givenUp ? /SERVICE_UNAVAILABLE/ : { name: 'AbortError' });
    clock.mock.restore();
  }
});
