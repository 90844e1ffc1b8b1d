/** Leases: their metrics, and takeovers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as newId } from 'uuid';
import { Lease } from '../../src/database/lease.ts';
import { Metrics } from '../../src/telemetry/metrics.ts';
import { insertUpload, leaseUpload, releaseUpload } from '../../src/uploads/upload-store.ts';
import { insertImport, takeDueImports } from '../../src/videos/import-store.ts';
import { openService } from '../support/jobs.ts';

const FOREVER = Number.POSITIVE_INFINITY;

test('held, lost and reclaimed leases are counted by kind', async () => {
  const metrics = new Metrics('0');
  const leaseOf = (renew: () => Promise<boolean>, ownMs: number, isTakenOver: boolean) =>
    new Lease({ of: 'part', isTakenOver, metrics, renew, renewMs: 5, ownMs });
  const value = async (name: string, of: string) => {
    const { values } = await metrics.registry.getSingleMetric(`styledna_${name}`)!.get();
    return values.find(({ labels }) => labels['of'] === of)?.value;
  };
  const counted = async (of = 'part') => [
    await value('leases', of),
    await value('leases_lost_total', of),
    await value('lease_takeovers_total', of),
  ];
  assert.deepEqual(await counted(), [0, 0, 0]);
  const stored = leaseOf(async () => true, FOREVER, false);
  const refused = leaseOf(async () => false, FOREVER, true);
  const unheard = leaseOf(() => Promise.reject(new Error('away')), 20, true);
  assert.deepEqual(await counted(), [3, 0, 2]);
  while (!refused.signal.aborted || unheard.isHeld) await sleep(5);
  assert.equal(stored.isHeld, true);
  assert.deepEqual(await counted(), [3, 2, 2]);
  for (const lease of [stored, refused, unheard, unheard]) await lease.end();
  assert.deepEqual(await counted(), [0, 2, 2]);
  assert.deepEqual(await counted('upload'), [0, 0, 0]);
});

test('a takeover of an upload or import follows a missed renewal, not a release', async () => {
  await using service = await openService();
  const { database } = service;
  const [uploadId, videoId] = [newId(), newId()];
  await insertUpload(database, { uploadId, lengthBytes: 1, fileName: 'a', metadata: null });
  await insertImport(database, { videoId, url: 'http://a.test/', filename: 'a' });
  const takeOne = async () => (await leaseUpload(database, uploadId, newId()))?.isTakenOver;
  const takeImport = async () => (await takeDueImports(database, newId(), 1))[0]?.isTakenOver;
  const expire = (table: string) =>
    database.query(`update ${table} set held_until = now() - interval '1 ms'`);

  const holder = newId();
  assert.equal((await leaseUpload(database, uploadId, holder))?.isTakenOver, false);
  assert.equal(await takeOne(), undefined);
  await releaseUpload(database, uploadId, holder);
  assert.equal(await takeOne(), false);
  await expire('uploads');
  assert.equal(await takeOne(), true);

  assert.equal(await takeImport(), false);
  assert.equal(await takeImport(), undefined);
  await expire('imports');
  assert.equal(await takeImport(), true);
});
