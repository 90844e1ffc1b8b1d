import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { v7 as newId } from 'uuid';
import { claimJob } from '../../src/jobs/job-store.ts';
import { everySoOften } from '../../src/jobs/open-jobs.ts';
import { claimPart, openParts } from '../../src/jobs/part-store.ts';
import { upsertWorker } from '../../src/jobs/worker-store.ts';
import { newJob, openService, openShared } from '../support/jobs.ts';

let place: Awaited<ReturnType<typeof openShared>>;
before(async () => {
  place = await openShared();
});
after(() => place?.[Symbol.asyncDispose]());

test('whoever used an embedded database before is dead: workers are none, and parts are free', async () => {
  await using service = await openService({ shared: place.shared });
  const { database } = service;
  const { jobId } = await newJob(service);
  const { job } = (await claimJob(database, jobId))!;
  await openParts(database, job, 'a plan', 1);
  assert.equal((await claimPart(database, newId(), jobId))?.part, 0);
  await upsertWorker(database, { workerId: newId(), host: 'here', pid: 1, concurrency: 3 });
  const figures = async () => {
    const { workers, slots } = await service.jobs.desk.figures();
    return [workers, slots, (await claimPart(database, newId(), null))?.part];
  };
  assert.deepEqual(await figures(), [1, 3, undefined]);
  // As another process would open it, which the lock on its folder lets in only when this one is gone.
  await using _next = await openService({ database: { ...place.shared, close: async () => {} } });
  assert.deepEqual(await figures(), [0, 0, 0]);
});

test('what is done every so often is done once at a time, goes on after trouble, and ends', async () => {
  await using service = await openService({ shared: place.shared });
  const warnings: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => warnings.push(line) });
  let [running, most, times] = [0, 0, 0];
  const stop = everySoOften({ database: service.database, logger }, 'test', 5, async () => {
    most = Math.max(most, ++running);
    times++;
    await sleep(30);
    running--;
    if (times === 1) throw new Error('once');
  });
  for (let looks = 0; times < 3 && looks < 500; looks++) await sleep(5);
  stop();
  await sleep(40);
  const atEnd = times;
  await sleep(40);
  assert.ok(atEnd >= 3 && times === atEnd, `${atEnd} times, then ${times}`);
  assert.equal(most, 1);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, /once.*"sweep":"test".*sweep failed|"sweep":"test"/s);
});
