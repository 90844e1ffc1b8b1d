/** Many watchers of jobs: how often the database is read for them, and when they are woken. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Queryable } from '../../src/database/database.ts';
import { SharedReads } from '../../src/jobs/lists/shared-reads.ts';
import { waitForEnd, watchJob } from '../../src/jobs/lists/watch.ts';
import { WatchedJobs } from '../../src/jobs/lists/watched-jobs.ts';
import type { Job } from '../../src/jobs/model/job.ts';
import { JobChanges } from '../../src/jobs/model/job-changes.ts';
import {
  cancelJob,
  claimJob,
  deleteJob,
  selectJobStates,
  selectJobs,
  writeProgress,
} from '../../src/jobs/model/job-store.ts';
import { newJob, openService } from '../support/jobs.ts';
import { waitFor } from '../support/processes.ts';

const never = new AbortController().signal;
const service = await openService();
after(() => service[Symbol.asyncDispose]());

/** Watched jobs over the real database, with a count of their queries. */
async function watching() {
  const counts = { reads: 0, polls: 0 };
  const counting = (name: keyof typeof counts): Queryable => ({
    query: (sql, parameters) => {
      counts[name]++;
      return service.database.query(sql, parameters);
    },
  });
  const changes = new JobChanges();
  await changes.start(service.database);
  const reads = new SharedReads((jobIds) => selectJobs(counting('reads'), jobIds));
  const jobs = new WatchedJobs({
    changes,
    get: (jobId) => reads.get(jobId),
    statesOf: (jobIds) => selectJobStates(counting('polls'), jobIds),
  });
  return { changes, counts, jobs, reads, [Symbol.asyncDispose]: () => changes.stop() };
}

async function running(): Promise<string> {
  const { jobId } = await newJob(service);
  await claimJob(service.database, jobId);
  return jobId;
}

const progress = (jobId: string, percent: number) =>
  writeProgress(service.database, jobId, 1, { percent, frame: null });

test('simultaneous reads share a query; a read after a change sees it; an error reaches all readers', async () => {
  const queries: (readonly string[])[] = [];
  let value = 1;
  const reads = new SharedReads(async (ids) => {
    queries.push(ids);
    if (value === 0) throw new Error('down');
    return new Map(ids.filter((id) => id !== 'none').map((id) => [id, `${id} ${value}`]));
  });
  const first = Array.from({ length: 100 }, () => reads.get('a'));
  const found = await Promise.all([...first, reads.get('b'), reads.get('none')]);
  assert.deepEqual([...new Set(found)], ['a 1', 'b 1', null]);
  assert.deepEqual(queries, [['a', 'b', 'none']]);
  const inFlight = reads.get('a');
  value = 2;
  assert.deepEqual([await inFlight, await reads.get('a')], ['a 2', 'a 2']);
  value = 0;
  const failed = await Promise.allSettled([reads.get('a'), reads.get('b')]);
  assert.deepEqual(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  value = 3;
  assert.equal(await reads.get('a'), 'a 3', 'the next read tries again');
  await Promise.all(Array.from({ length: 130 }, (_, index) => reads.get(String(index))));
  assert.deepEqual(
    queries.slice(-3).map(({ length }) => length),
    [64, 64, 2],
  );
});

test('300 waits and 300 streams of a job: one read for each change, and none for waits until the end', async () => {
  await using watched = await watching();
  const { counts, jobs } = watched;
  const jobId = await running();
  const ended = Array.from({ length: 300 }, () => waitForEnd(jobs, jobId, 60_000, never));
  await waitFor('all wait', () => counts.reads > 0);
  const opened = counts.reads;
  await progress(jobId, 10);
  await progress(jobId, 20);
  const streams: Job[][] = Array.from({ length: 300 }, () => []);
  const stop = new AbortController();
  const ends = streams.map(async (seen) => {
    for await (const job of watchJob(jobs, jobId, stop.signal)) seen.push(job);
  });
  const allSee = (percent: number) =>
    waitFor(`all see ${percent} %`, () => streams.every((seen) => seen.at(-1)?.progressPercent === percent));
  await allSee(20);
  assert.ok(counts.reads <= opened + 2, `${counts.reads - opened} reads for 300 streams that begin`);
  const begun = counts.reads;
  for (const percent of [30, 40, 50]) {
    await progress(jobId, percent);
    await allSee(percent);
  }
  assert.equal(counts.reads, begun + 3);
  assert.equal(new Set(streams.map((seen) => seen.at(-1))).size, 1, 'all get the same object');
  await cancelJob(service.database, jobId);
  for (const job of await Promise.all(ended)) assert.equal(job?.status, 'cancelled');
  await Promise.all(ends);
  assert.equal(counts.reads, begun + 4);
  for (const seen of streams)
    assert.deepEqual(
      seen.map(({ status, progressPercent }) => `${status} ${progressPercent}`),
      ['processing 20', 'processing 30', 'processing 40', 'processing 50', 'cancelled 50'],
    );
});

test('fast progress is read at intervals, and the last state arrives', async () => {
  await using watched = await watching();
  const jobId = await running();
  const seen: number[] = [];
  const stop = new AbortController();
  const stream = (async () => {
    for await (const { progressPercent } of watchJob(watched.jobs, jobId, stop.signal))
      seen.push(progressPercent);
  })();
  await waitFor('the stream begins', () => seen.length === 1);
  for (let percent = 1; percent <= 40; percent++) await progress(jobId, percent);
  await waitFor('the last state', () => seen.at(-1) === 40);
  assert.ok(seen.length < 20, `${seen.length} events`);
  assert.deepEqual(
    seen,
    seen.toSorted((one, other) => one - other),
  );
  stop.abort();
  await stream;
});

test('lost notifications: one query each 5 s compares all watched jobs', { timeout: 60_000 }, async () => {
  await using watched = await watching();
  const { changes, counts, jobs } = watched;
  const jobIds = await Promise.all(Array.from({ length: 40 }, running));
  const [moved, gone, ...unchanged] = jobIds;
  const stop = new AbortController();
  const ends = [moved, gone].map((jobId) => waitForEnd(jobs, jobId, 60_000, never));
  const streams = unchanged.map((jobId) => Array.fromAsync(watchJob(jobs, jobId, stop.signal)));
  await waitFor('all are read', () => counts.reads >= 1);
  const opened = counts.reads;
  await changes.stop();
  await cancelJob(service.database, moved);
  await cancelJob(service.database, gone);
  await deleteJob(service.database, gone);
  assert.deepEqual(
    (await Promise.all(ends)).map((job) => job?.status),
    ['cancelled', undefined],
  );
  assert.ok(counts.polls <= 2, `${counts.polls} polls`);
  assert.ok(counts.reads <= opened + 2, `${counts.reads - opened} reads`);
  stop.abort();
  for (const seen of await Promise.all(streams)) assert.equal(seen.length, 1);
});

test('a wait that ends by its time or signal returns the newest state; nothing is watched afterwards', async () => {
  await using watched = await watching();
  const jobId = await running();
  const stop = new AbortController();
  const waiting = waitForEnd(watched.jobs, jobId, 60_000, stop.signal);
  await waitFor('the wait begins', () => watched.counts.reads === 1);
  await progress(jobId, 33);
  stop.abort();
  assert.equal((await waiting)?.progressPercent, 33);
  assert.equal((await waitForEnd(watched.jobs, jobId, 5, never))?.progressPercent, 33);
  const { reads } = watched.counts;
  await cancelJob(service.database, jobId);
  using _watch = watched.changes.watch(jobId, () => {});
  assert.equal(watched.counts.reads, reads, 'an ended wait reads nothing');
});
