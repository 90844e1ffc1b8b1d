/** The contract of saved styles, on each database. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { v7 as newId } from 'uuid';
import type { QueueDatabase } from '../../src/database/queue-database.ts';
import { isFailure } from '../../src/domain/errors.ts';
import { PRESETS } from '../../src/presets/presets.ts';
import { DatabaseSavedStyles } from '../../src/saved-styles/database-saved-styles.ts';
import { aJob, aVideo, type JobsService, openService } from '../support/jobs.ts';
import { type MigratedPostgres, postgresMissing, startMigrated } from '../support/postgres.ts';

const STYLE = { ...PRESETS[0]!.style, note: 'a\u0000b' };
const failsWith = (code: 'STYLE_NOT_FOUND' | 'STYLE_NAME_TAKEN') => (error: unknown) =>
  isFailure(error, code);

function contract(open: () => Promise<QueueDatabase | undefined>): void {
  let service: JobsService;
  let styles: DatabaseSavedStyles;
  before(async () => {
    const shared = await open();
    service = await openService(shared === undefined ? {} : { shared });
    const { database, blobs, jobs } = service;
    styles = new DatabaseSavedStyles({ database, blobs, responses: jobs.idempotency });
  });
  after(() => service?.[Symbol.asyncDispose]());

  const saved = (name: string, pictureKey: string | null = null) =>
    styles.create({ name, style: STYLE, origin: { kind: 'style_json' }, pictureKey }, null);

  test('a style is read as it was saved, with its picture', async () => {
    await service.blobs.put('previews/picture', Readable.from(['a picture']));
    const style = await saved('Ours', 'previews/picture');
    assert.deepEqual(await styles.get(style.styleId.toUpperCase()), style);
    assert.deepEqual([style.useCount, style.hasPicture, style.style], [0, true, STYLE]);
    const key = `styles/${style.styleId}.jpg`;
    assert.equal((await service.blobs.head(key))?.sizeBytes, 9);
    await styles.remove(style.styleId.toUpperCase());
    assert.equal(await service.blobs.head(key), null);
    await assert.rejects(styles.get(style.styleId), failsWith('STYLE_NOT_FOUND'));
    await assert.rejects(styles.remove(style.styleId), failsWith('STYLE_NOT_FOUND'));
  });

  test('one of several equal names is saved, and none is renamed to it', async () => {
    const results = await Promise.allSettled(['Straße', 'STRAßE', 'straße'].map((name) => saved(name)));
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    const other = await saved('Other');
    await assert.rejects(
      styles.rename(other.styleId, 'STRASSE'.replace('SS', 'ß')),
      failsWith('STYLE_NAME_TAKEN'),
    );
    await assert.rejects(styles.assertNameFree('STRAßE'), failsWith('STYLE_NAME_TAKEN'));
    assert.equal((await styles.rename(other.styleId, 'OTHER')).name, 'OTHER');
    await assert.rejects(styles.rename(newId(), 'x'), failsWith('STYLE_NOT_FOUND'));
    // A refused one leaves no picture.
    await service.blobs.put('previews/picture', Readable.from(['a picture']));
    await assert.rejects(saved('other', 'previews/picture'), failsWith('STYLE_NAME_TAKEN'));
    assert.deepEqual(await Array.fromAsync(service.blobs.list('styles/')), []);
  });

  test('pages hold each style once, with the jobs that use it', async () => {
    const names = Array.from({ length: 5 }, (_, at) => `page ${at}`);
    for (const name of names) await saved(name);
    const found: string[] = [];
    for (let cursor: string | null = null; ; ) {
      const page = await styles.list({
        filter: { text: 'PAGE' },
        page: 1,
        pageSize: 2,
        ...(cursor === null ? {} : { cursor }),
      });
      assert.equal(page.total, 5);
      found.push(...page.items.map(({ name }) => name));
      cursor = page.nextCursor;
      if (cursor === null) break;
    }
    assert.deepEqual(found, names.toReversed());
    const [first] = (await styles.list({ filter: {}, page: 1, pageSize: 1 })).items;
    const video = aVideo();
    await service.jobs.videos.insert(video, null);
    const savedStyle = { styleId: first!.styleId, name: first!.name };
    for (const product of [null, { kind: 'analysis' } as const])
      await service.jobs.service.create(aJob(video.videoId, { savedStyle, product }), null);
    assert.equal((await styles.get(first!.styleId)).useCount, 1);
  });
}

describe('saved styles on the embedded database', { concurrency: 1 }, () => contract(async () => undefined));

describe('saved styles on PostgreSQL', { concurrency: 1, skip: postgresMissing() ?? false }, () => {
  let postgres: MigratedPostgres;
  after(() => postgres?.[Symbol.asyncDispose]());
  contract(async () => {
    postgres = await startMigrated();
    return postgres.database;
  });
});
