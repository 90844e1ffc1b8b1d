import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { meteredDatabase } from '../../src/database/metered-database.ts';
import { Failure } from '../../src/domain/errors.ts';
import type { StageWork } from '../../src/domain/stage.ts';
import type { Job } from '../../src/jobs/model/job.ts';
import { countCompleted, footageSeconds, timedStage } from '../../src/jobs/model/job-metrics.ts';
import { type Claim, claimJob, handOverJob } from '../../src/jobs/model/job-store.ts';
import { countClaimed, jobSpan } from '../../src/jobs/run/claim-telemetry.ts';
import { meteredStore } from '../../src/storage/metered-store.ts';
import { Metrics } from '../../src/telemetry/metrics.ts';
import { newJob, openService, stagesThat } from '../support/jobs.ts';
import { waitFor } from '../support/processes.ts';

async function readValue(metrics: Metrics, name: string, labels: Record<string, string>): Promise<number> {
  const { values } = await metrics.registry.getSingleMetric(name)!.get();
  const found = values.find((value) =>
    Object.entries(labels).every(([label, text]) => value.labels[label] === text),
  );
  return found?.value ?? 0;
}

test('a takeover counts the fate of the previous worker', async () => {
  await using service = await openService();
  const { database } = service;
  const metrics = new Metrics('0');
  const { jobId } = await newJob(service);
  const take = async () => {
    const claimed = (await claimJob(database, jobId))!;
    countClaimed(metrics, claimed);
    return claimed.takenOver;
  };
  assert.equal(await take(), null);
  assert.equal(await take(), 'lost');
  await handOverJob(database, jobId, 2);
  assert.equal(await take(), 'handed_over');
  assert.equal(await take(), 'lost');
  assert.equal(await readValue(metrics, 'styledna_job_takeovers_total', { why: 'lost' }), 2);
  assert.equal(await readValue(metrics, 'styledna_job_takeovers_total', { why: 'handed_over' }), 1);
  assert.equal(await readValue(metrics, 'styledna_jobs_taken_total', {}), 4);
});

test('an attempt reports how long its job waited, or the fate of the previous worker', () => {
  const trace = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
  const job = {
    ...{ jobId: 'a job', attempt: 2, stage: 'rendering', origin: { requestId: 'r', trace } },
    ...{ createdAt: new Date(1_000), startedAt: new Date(8_500) },
  } as unknown as Claim['job'];
  const spanOf = (takenOver: Claim['takenOver'], of = job) => jobSpan({ job: of, workersLost: 0, takenOver });
  const common = {
    ...{ 'messaging.system': 'styledna', 'messaging.operation.type': 'process' },
    ...{ 'messaging.message.id': 'a job', 'styledna.job.id': 'a job' },
    ...{ 'styledna.job.attempt': 2, 'styledna.job.stage': 'rendering' },
  };
  assert.deepEqual(spanOf(null), {
    ...{ kind: 'consumer', parent: trace },
    attributes: { ...common, 'styledna.job.wait_seconds': 7.5 },
  });
  assert.deepEqual(spanOf('lost').attributes, { ...common, 'styledna.job.taken_over': 'lost' });
  assert.equal(spanOf(null, { ...job, origin: null }).parent, null);
});

test('a wait, a stage and a job are counted in seconds, and for each second of video', async () => {
  const metrics = new Metrics('0');
  const sumOf = async (histogram: { get(): Promise<unknown> }) => {
    const { values } = (await histogram.get()) as { values: { metricName: string; value: number }[] };
    return values
      .filter(({ metricName }) => metricName.endsWith('_sum'))
      .reduce((sum, { value }) => sum + value, 0);
  };
  const job = {
    ...{ status: 'completed', product: null, createdAt: new Date(1_000) },
    ...{ startedAt: new Date(8_500), completedAt: new Date(28_500) },
  } as unknown as Job;
  const claimed = { workersLost: 0, takenOver: null };
  countClaimed(metrics, { ...claimed, job: job as Claim['job'] });
  // The clock was set back between the two.
  countClaimed(metrics, { ...claimed, job: { ...job, startedAt: new Date(0) } as Claim['job'] });
  assert.equal(await sumOf(metrics.jobWaitSeconds), 7.5);
  countCompleted(metrics, job, 8);
  // An image has no running time.
  countCompleted(metrics, job, 0);
  countCompleted(metrics, job, 0.5);
  countCompleted(metrics, { ...job, status: 'cancelled' } as Job, 8);
  assert.equal(await sumOf(metrics.jobSeconds), 60);
  assert.equal(await sumOf(metrics.jobRealTimeFactor), 20 / 8 + 20 + 20 / 0.5);
  assert.equal(await readValue(metrics, 'styledna_job_video_seconds_total', { making: 'video' }), 8.5);
});

test('the footage of an edit is that of all its takes', () => {
  const source = { durationSeconds: 4 };
  const takes = [source, { durationSeconds: 0 }, { durationSeconds: 9 }];
  assert.equal(footageSeconds({ source } as StageWork), 4);
  assert.equal(footageSeconds({ source, edit: { takes } } as unknown as StageWork), 13);
});

test('a stage that its signal ended was stopped, unless it failed by itself', async (t) => {
  const metrics = new Metrics('0');
  for (const [isAborted, error, outcome] of [
    [false, null, 'done'],
    [false, new Error('bug'), 'failed'],
    [true, new Error('aborted'), 'stopped'],
    [true, new Failure('ENCODER_FAILED', 'x'), 'failed'],
  ] as const) {
    const stop = new AbortController();
    if (isAborted) stop.abort();
    const work = { stage: 'rendering', source: { durationSeconds: 4 }, signal: stop.signal };
    let nowMs = 500;
    const clock = t.mock.method(performance, 'now', () => nowMs);
    metrics.stageSeconds.reset();
    const run = async () => {
      nowMs += 2_000;
      if (error !== null) throw error;
      return { warnings: [] };
    };
    await timedStage(metrics, work as StageWork, run).catch((thrown) => assert.equal(thrown, error));
    clock.mock.restore();
    const sums = (await metrics.stageSeconds.get()).values.filter(({ metricName, value }) =>
      Boolean(metricName?.endsWith('_sum') && value > 0),
    );
    assert.deepEqual(
      sums.map(({ labels, value }) => [labels.outcome, value]),
      [[outcome, 2]],
    );
  }
  const { values } = await metrics.stageRealTimeFactor.get();
  const factors = values.filter(({ metricName }) => metricName?.endsWith('_sum'));
  assert.deepEqual(
    factors.filter(({ value }) => value > 0).map(({ labels, value }) => [labels.stage, value]),
    [['rendering', 0.5]],
  );
});

test('jobs count by how they ended, stages by how they went', async () => {
  await using service = await openService();
  const { metrics, jobs } = service;
  let tries = 0;
  const failing = stagesThat(({ stage }) => {
    if (stage !== 'audio_analysis') return;
    tries++;
    throw new Failure('ENCODER_FAILED', 'Broken.');
  });
  const failed = await newJob(service);
  const cancelled = await newJob(service, { product: { kind: 'analysis' } });
  await jobs.service.cancel(cancelled.jobId);
  // Again: it counts once.
  await jobs.service.cancel(cancelled.jobId);
  await jobs.startWorker(failing, { concurrency: 1 });
  await waitFor('its end', async () => (await jobs.service.get(failed.jobId))?.status === 'failed');
  await waitFor('its count', async () => {
    const labels = { making: 'video', outcome: 'failed', code: 'ENCODER_FAILED' };
    return (await readValue(metrics, 'styledna_jobs_ended_total', labels)) === 1;
  });
  const counted: readonly (readonly [string, Record<string, string>, number])[] = [
    ['styledna_jobs_created_total', { making: 'video' }, 1],
    ['styledna_jobs_created_total', { making: 'analysis' }, 1],
    ['styledna_jobs_ended_total', { making: 'analysis', outcome: 'cancelled' }, 1],
    ['styledna_jobs_ended_total', { making: 'video', outcome: 'completed' }, 0],
    ['styledna_stage_retries_total', { stage: 'audio_analysis', code: 'ENCODER_FAILED' }, tries - 1],
  ];
  for (const [name, labels, value] of counted)
    assert.equal(await readValue(metrics, name, labels), value, `${name} ${JSON.stringify(labels)}`);
  const stages = await metrics.stageSeconds.get();
  const countOf = (outcome: string) =>
    stages.values
      .filter((value) => value.metricName === 'styledna_stage_seconds_count')
      .filter(({ labels }) => labels.outcome === outcome)
      .reduce((sum, { value }) => sum + value, 0);
  assert.deepEqual([countOf('done'), countOf('failed')], [1, 1]);
});

test('statements and uses of the store count their failures by few kinds', async () => {
  await using service = await openService();
  const metrics = new Metrics('0');
  const database = meteredDatabase(service.database, metrics);
  await assert.rejects(database.query('select * from nothing_of_the_kind'));
  await assert.rejects(
    database.transaction(async (transaction) => {
      await transaction.query('select 1');
      await transaction.query('select 1 / 0');
    }),
  );
  // 42: syntax error or access rule; 22: data exception.
  assert.equal(await readValue(metrics, 'styledna_database_errors_total', { kind: 'sqlstate_42' }), 1);
  assert.equal(await readValue(metrics, 'styledna_database_errors_total', { kind: 'sqlstate_22' }), 1);
  const store = meteredStore(service.blobs, metrics);
  await store.put('videos/a', Readable.from([Buffer.alloc(70_000)]));
  const pieces = await (await store.get('videos/a', { start: 10, end: 65_009 })).toArray();
  assert.equal(Buffer.concat(pieces).length, 65_000);
  await assert.rejects(store.get('videos/none').then((stream) => stream.toArray()));
  assert.equal(await readValue(metrics, 'styledna_storage_bytes_total', { direction: 'written' }), 70_000);
  assert.equal(await readValue(metrics, 'styledna_storage_bytes_total', { direction: 'read' }), 65_000);
});
