/** Agreements, cleanup and periodic tasks at a start. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { v7 as newId } from 'uuid';
import { DATABASE_ID, sharedSetting } from '../../src/database/shared-settings.ts';
import { ConfigError } from '../../src/domain/errors.ts';
import { claimJob } from '../../src/jobs/model/job-store.ts';
import { claimPart, openParts } from '../../src/jobs/model/part-store.ts';
import { runPeriodically } from '../../src/jobs/open-jobs.ts';
import { upsertWorker } from '../../src/jobs/run/worker-store.ts';
import { agreeOnStore } from '../../src/jobs/store-agreement.ts';
import { agreeOnPublicUrl, changePublicUrl, publicUrl } from '../../src/jobs/url-agreement.ts';
import { STORE_MARK, writeMark } from '../../src/storage/store-mark.ts';
import { type JobsService, newJob, openService, openShared } from '../support/jobs.ts';

let place: Awaited<ReturnType<typeof openShared>>;
let service: JobsService;
before(async () => {
  place = await openShared();
});
after(() => place?.[Symbol.asyncDispose]());
beforeEach(async () => {
  service = await openService({ shared: place.shared });
});
afterEach(() => service?.[Symbol.asyncDispose]());

const HERE = { database: 'The database at db:5432', storage: 'the bucket here' };
const refusal =
  (...words: readonly RegExp[]) =>
  (error: unknown) => {
    assert.ok(error instanceof ConfigError);
    for (const word of words) assert.match(error.message, word);
    return true;
  };

describe('one database, one storage', () => {
  const agree = (names = HERE) => agreeOnStore(service.database, service.blobs, names);

  test('the first start marks it; the same storage at another address is recognized, and its new address is logged', async () => {
    await agree();
    assert.equal(
      (await (await service.blobs.get(STORE_MARK)).toArray()).join('').trim(),
      await sharedSetting(service.database, DATABASE_ID),
    );
    await agree({ ...HERE, storage: 'the same bucket by its address' });
    await service.blobs.remove(STORE_MARK);
    await assert.rejects(
      agree(),
      refusal(/the same bucket by its address; this process has the bucket here/),
    );
  });

  test('one whose marker disappeared is refused, and not marked again', async () => {
    await agree();
    await service.blobs.remove(STORE_MARK);
    await assert.rejects(
      agree(),
      refusal(
        /is used with the bucket here; this process has the bucket here/,
        /on purpose.*store\/database-id with it\.$/,
      ),
    );
    assert.equal(await service.blobs.head(STORE_MARK), null);
  });

  test('that of another database is refused, whether this one has a storage or not', async () => {
    await writeMark(service.blobs, 'somebody else');
    await assert.rejects(
      agree(),
      (error: Error) => refusal(/another database/)(error) && !/is used with/.test(error.message),
    );
    await service.blobs.remove(STORE_MARK);
    await agree();
    await writeMark(service.blobs, 'somebody else');
    await assert.rejects(
      agree(),
      refusal(
        /another database/,
        /That database is used with the bucket here/,
        /remove the file store\/database-id/,
      ),
    );
  });
});

describe('the address that clients use', () => {
  const ONE = 'https://one.example';
  const OTHER = 'https://other.example';

  test('of a fleet: the first decides, others adopt its setting or are refused, a command changes it', async () => {
    // The statements of both kinds are the same.
    const fleet = { ...service.database, kind: 'postgres' } as typeof service.database;
    assert.equal(await agreeOnPublicUrl(fleet, undefined), undefined);
    assert.equal(await publicUrl(fleet), null);
    assert.equal(await agreeOnPublicUrl(fleet, ONE), ONE);
    assert.equal(await agreeOnPublicUrl(fleet, ONE), ONE);
    assert.equal(await agreeOnPublicUrl(fleet, undefined), ONE);
    await assert.rejects(
      agreeOnPublicUrl(fleet, OTHER),
      refusal(/"https:\/\/other/, /agreed on "https:\/\/one/, /public-url https:\/\/other/),
    );
    await changePublicUrl(fleet, OTHER);
    assert.equal(await agreeOnPublicUrl(fleet, undefined), OTHER);
  });

  test('of one process with its own database: its configuration applies at each start', async () => {
    for (const input of [ONE, OTHER, undefined])
      assert.equal(await agreeOnPublicUrl(service.database, input), input);
    assert.equal(await publicUrl(service.database), null);
  });
});

test('earlier users of an embedded database have ended: their workers are removed, and parts are released', async () => {
  const { database } = service;
  const { jobId } = await newJob(service);
  const { job } = (await claimJob(database, jobId))!;
  await openParts(database, job, 'a plan', 1);
  assert.equal((await claimPart(database, newId(), jobId))?.part, 0);
  await upsertWorker(database, { workerId: newId(), host: 'here', pid: 1, concurrency: 3 });
  const figures = async () => {
    const { workers, slots } = await service.jobs.service.figures();
    return [workers, slots, (await claimPart(database, newId(), null))?.part];
  };
  assert.deepEqual(await figures(), [1, 3, undefined]);
  // As another process would open it, which the lock on its folder permits only when this one has ended.
  await using _next = await openService({ database: { ...place.shared, close: async () => {} } });
  assert.deepEqual(await figures(), [0, 0, 0]);
});

test('a periodic task runs once at a time, continues after an error, and ends', async () => {
  const warnings: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => warnings.push(line) });
  let [running, most, times] = [0, 0, 0];
  const stop = runPeriodically({ database: service.database, logger }, 'test', 5, async () => {
    most = Math.max(most, ++running);
    times++;
    await sleep(30);
    running--;
    if (times === 1) throw new Error('once');
  });
  for (let looks = 0; times < 3 && looks < 500; looks++) await sleep(5);
  await stop();
  const atEnd = times;
  await sleep(40);
  assert.ok(atEnd >= 3 && times === atEnd, `${atEnd} times, then ${times}`);
  assert.equal(most, 1);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /once.*"sweep":"test".*sweep failed|"sweep":"test"/s);
});

test('a stop awaits an active sweep, and logs no error of it', async () => {
  const lines: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
  await using opened = await openService();
  const { database } = opened;
  let [started, ended] = [false, false];
  const stop = runPeriodically({ database, logger }, 'test', 5, async () => {
    started = true;
    await sleep(100);
    await database.query('select 1');
    ended = true;
  });
  for (let looks = 0; !started && looks < 500; looks++) await sleep(5);
  await stop();
  assert.ok(ended);
  assert.deepEqual(lines, []);
});
