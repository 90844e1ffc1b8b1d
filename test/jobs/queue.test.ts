/** The queue: its deliveries, their order and number, and waiting entries. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import pino from 'pino';
import { v7 as newId } from 'uuid';
import { Failure } from '../../src/domain/errors.ts';
import { JobChanges } from '../../src/jobs/model/job-changes.ts';
import { cancelJob, claimJob, insertJobs, JOB_CHANGED_CHANNEL } from '../../src/jobs/model/job-store.ts';
import { GroupCommit } from '../../src/jobs/queue/group-commit.ts';
import { JobQueue } from '../../src/jobs/queue/queue.ts';
import { WorkLoops } from '../../src/jobs/run/work-loops.ts';
import { insertImport } from '../../src/videos/import-store.ts';
import { aJob, aVideo, type JobsService, openService } from '../support/jobs.ts';
import { waitFor } from '../support/processes.ts';
import { deleteEntries, markEntry, selectEntries } from '../support/queue-entries.ts';

const SILENT = pino({ level: 'silent' });

let service: JobsService;
before(async () => {
  service = await openService();
});
after(() => service?.[Symbol.asyncDispose]());
const query = (sql: string, values: readonly unknown[] = []) => service.database.query(sql, values);

describe('the queue', () => {
  let queue: JobQueue;
  beforeEach(async () => {
    await deleteEntries(service.database);
    queue = new JobQueue(service.database, SILENT);
    await queue.start();
  });
  afterEach(() => queue.stop());

  const add = (...entries: readonly { id: string; priority: number; turn: number }[]) =>
    service.database.transaction((transaction) => queue.add(transaction, entries));
  /** The delivered entries, one at a time, until the queue is empty. */
  async function delivered(count: number): Promise<string[]> {
    const ids: string[] = [];
    await queue.work(1, async (id) => void ids.push(id));
    await waitFor(`${count} are delivered`, () => ids.length === count);
    return ids;
  }

  test('delivers by priority, then by turn, however many turns there were', async () => {
    const at = (priority: number, turn: number) => ({ id: newId(), priority, turn });
    const order = [
      at(100, 7),
      at(51, 19_999_999),
      at(51, 2_000_000_000),
      at(50, 0),
      at(50, 1),
      at(50, 2),
      at(0, 0),
      at(0, 5),
    ];
    await add(...order.toReversed());
    const ids = await delivered(order.length);
    // Two turns beyond the last that has a place of its own share it.
    assert.deepEqual(new Set(ids.slice(1, 3)), new Set(order.slice(1, 3).map(({ id }) => id)));
    for (const places of [
      [0, 1],
      [3, 8],
    ] as const)
      assert.deepEqual(
        ids.slice(...places),
        order.slice(...places).map(({ id }) => id),
      );
  });

  test('moves one that waits and no other; one that is worked on stays', async () => {
    const [first, second, third] = [newId(), newId(), newId()];
    await add(...[first, second, third].map((id, turn) => ({ id, priority: 50, turn })));
    await queue.move(service.database, { id: third, priority: 51, turn: 0 });
    await markEntry(service.database, second, 'active');
    await queue.move(service.database, { id: second, priority: 99, turn: 0 });
    const entries = await selectEntries(service.database);
    const of = (entryId: string) => entries.find(({ id }) => id === entryId)!.priority;
    assert.deepEqual(
      [of(third), of(first), of(second)],
      [51 * 20_000_000, 50 * 20_000_000, 50 * 20_000_000 - 1],
    );
    await queue.remove(service.database, [first, newId()]);
    assert.deepEqual(
      (await selectEntries(service.database)).map(({ id }) => id).toSorted(),
      [second, third].toSorted(),
    );
  });

  test('delivers no more at a time than requested, and a failed one again at once', async () => {
    for (let count = 0; count < 5; count++) await add({ id: newId(), priority: 50, turn: count });
    const ids: string[] = [];
    let [running, most] = [0, 0];
    await queue.work(2, async (id) => {
      ids.push(id);
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running--;
      if (ids.indexOf(id) === 0 && ids.lastIndexOf(id) === 0) throw new Error('not here');
    });
    await waitFor('all ran', () => ids.length === 6 && running === 0, 8_000);
    assert.equal(most, 2);
    assert.equal(ids.filter((id) => id === ids[0]).length, 2);
    await queue.stopWork();
    await add({ id: newId(), priority: 50, turn: 9 });
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    assert.equal(ids.length, 6, 'nothing is handed out after the end');
  });

  test('of an embedded database that was not closed: active entries are released at the next start', async () => {
    const [active, waiting, done] = [newId(), newId(), newId()];
    await add(...[active, waiting, done].map((id, turn) => ({ id, priority: 50, turn })));
    await markEntry(service.database, active, 'active');
    await markEntry(service.database, done, 'completed');
    await queue.stop();
    queue = new JobQueue(service.database, SILENT);
    await queue.start();
    assert.deepEqual((await delivered(2)).toSorted(), [active, waiting].toSorted());
  });

  test('loops that begin again while something runs from before count it', async () => {
    const gates = new Map<string, () => void>();
    const loops = new WorkLoops(queue, 2, (id) => new Promise((resolve) => gates.set(id, resolve)));
    const some = async (count: number) => {
      for (let turn = 0; turn < count; turn++) await add({ id: newId(), priority: 50, turn });
    };
    const finish = (index: number) => [...gates.values()][index]();
    assert.equal(loops.isOn, false);
    await some(1);
    await loops.begin();
    await loops.begin();
    assert.equal(loops.isOn, true);
    await waitFor('one runs', () => gates.size === 1);
    await loops.end();
    assert.equal(loops.isOn, false);
    await some(4);
    await loops.begin();
    await waitFor('a second runs', () => gates.size === 2);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    assert.equal(gates.size, 2, 'two at a time');
    // Both slots are free again when their entries end, with or without an error.
    finish(0);
    await waitFor('a third', () => gates.size === 3);
    finish(1);
    await waitFor('a fourth', () => gates.size === 4);
    await loops.end();
    for (const index of [2, 3]) finish(index);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    assert.equal(gates.size, 4, 'the fifth waits');
    // All have ended: the concurrency is the same as at first.
    await some(1);
    await loops.begin();
    await waitFor('both that were left run', () => gates.size === 6);
    for (const index of [4, 5]) finish(index);
  });
});

describe('jobs that wait for imports', () => {
  /** A job for videos of which these are being imported. */
  async function waiting(videoId: string, templateVideoId: string | null, priority = 50): Promise<string> {
    const jobId = newId();
    const request = aJob(videoId, { templateVideoId, priority });
    const names = { sourceFilename: 'a', templateFilename: null };
    await insertJobs(service.database, [{ jobId, request, retryOf: null, turn: 3, ...names }]);
    return jobId;
  }
  const importing = async () => {
    const { videoId } = await insertImport(service.database, {
      ...{ videoId: newId(), url: 'https://example.com/a.mp4', filename: 'a.mp4' },
    });
    return videoId;
  };
  const queued = async () => new Set((await selectEntries(service.database)).map(({ id }) => id));
  const end = (videoId: string) =>
    service.database.transaction(async (transaction) => {
      await transaction.query(
        `update imports set status = 'failed', error = '{}', ended_at = now() where video_id = $1`,
        [videoId],
      );
      await service.jobs.importEnded(transaction, videoId);
    });
  beforeEach(async () => {
    for (const table of ['jobs', 'imports']) await query(`delete from ${table}`);
    await deleteEntries(service.database);
  });

  test('are queued when the last of them has ended, once, at their place, and only if they still wait', async () => {
    const [source, template, unrelated] = [await importing(), await importing(), await importing()];
    const { videoId: stored } = aVideo();
    const both = await waiting(source, template, 70);
    const one = await waiting(source, null);
    const styled = await waiting(stored, source);
    const others = await waiting(unrelated, stored);
    const cancelled = await waiting(source, null);
    await cancelJob(service.database, cancelled);
    const claimed = await waiting(stored, source);
    await claimJob(service.database, claimed);
    await end(source);
    assert.deepEqual(await queued(), new Set([one, styled]));
    await end(template);
    assert.deepEqual(await queued(), new Set([one, styled, both]));
    const entry = (await selectEntries(service.database)).find(({ id }) => id === both);
    assert.equal(entry!.priority, 70 * 20_000_000 - 3);
    await end(unrelated);
    assert.ok((await queued()).has(others));
  });

  test('an import for which nothing waits changes nothing', async () => {
    await end(await importing());
    assert.equal((await queued()).size, 0);
  });
});

describe('group commit', () => {
  const committing = (work: (entries: readonly number[]) => ReadonlyMap<number, string | Failure>) => {
    const batches: (readonly number[])[] = [];
    const commits = new GroupCommit<number, string>(service.database, async (_transaction, entries) => {
      batches.push(entries);
      return work(entries);
    });
    return { commits, batches };
  };
  const named = (entries: readonly number[]) => new Map(entries.map((entry) => [entry, `no ${entry}`]));

  test('concurrent entries share a transaction, up to 64 at a time; later ones begin another', async () => {
    const { commits, batches } = committing(named);
    const all = await Promise.all(Array.from({ length: 130 }, (_, entry) => commits.do(entry)));
    assert.deepEqual(all, [...named([...Array(130).keys()]).values()]);
    assert.deepEqual(
      batches.map(({ length }) => length),
      [64, 64, 2],
    );
    assert.equal(await commits.do(7), 'no 7');
    assert.equal(batches.length, 4);
  });

  test('a refused entry does not affect the others', async () => {
    const { commits, batches } = committing((entries) =>
      new Map<number, string | Failure>(named(entries)).set(1, new Failure('JOB_NOT_FOUND', 'none')),
    );
    const ends = await Promise.allSettled([0, 1, 2].map((entry) => commits.do(entry)));
    assert.deepEqual(
      ends.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.equal(batches.length, 1);
  });

  test('an entry that breaks the transaction fails alone: the others are repeated without it', async () => {
    const { commits, batches } = committing((entries) => {
      if (entries.includes(1)) throw new Error('broken');
      return named(entries);
    });
    const ends = await Promise.allSettled([0, 1, 2].map((entry) => commits.do(entry)));
    assert.deepEqual(
      ends.map((end) => (end.status === 'fulfilled' ? end.value : (end.reason as Error).message)),
      ['no 0', 'broken', 'no 2'],
    );
    assert.deepEqual(batches, [[0, 1, 2], [0], [1], [2]]);
  });

  test('when the database or its disk fails, all entries fail, and none is repeated', async () => {
    for (const code of ['SERVICE_UNAVAILABLE', 'INSUFFICIENT_STORAGE'] as const) {
      const { commits, batches } = committing(() => {
        throw new Failure(code, 'no');
      });
      const ends = await Promise.allSettled([0, 1, 2].map((entry) => commits.do(entry)));
      assert.ok(ends.every((end) => end.status === 'rejected' && (end.reason as Failure).code === code));
      assert.equal(batches.length, 1);
    }
  });
});

test('changes of a job are sent to its watchers, until they stop watching', async () => {
  const changes = new JobChanges();
  await changes.start(service.database);
  const [one, other] = [newId(), newId()];
  const observed: string[] = [];
  const first = changes.watch(one, (status) => observed.push(`first ${status}`));
  const second = changes.watch(one, (status) => observed.push(`second ${status}`));
  const report = async (jobId: string, status: string) => {
    await query('select pg_notify($1, $2)', [JOB_CHANGED_CHANNEL, `${jobId} ${status}`]);
  };
  await report(one, 'processing');
  await report(other, 'failed');
  first[Symbol.dispose]();
  await report(one, 'completed');
  second[Symbol.dispose]();
  second[Symbol.dispose]();
  const third = changes.watch(one, (status) => observed.push(`third ${status}`));
  // Of an earlier watch, once more: it does not affect others.
  second[Symbol.dispose]();
  await report(one, 'cancelled');
  third[Symbol.dispose]();
  await changes.stop();
  await report(one, 'failed');
  assert.deepEqual(observed, [
    'first processing',
    'second processing',
    'second completed',
    'third cancelled',
  ]);
});
