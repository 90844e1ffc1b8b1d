import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { QueueDatabase } from '../../src/database/queue-database.ts';
import { deleteImport, insertImport } from '../../src/videos/import-store.ts';
import { insertVideo } from '../../src/videos/video-store.ts';
import { aVideo, openService, openShared } from '../support/jobs.ts';

describe('a video whose import ends between two looks', () => {
  let place: Awaited<ReturnType<typeof openShared>>;
  before(async () => {
    place = await openShared();
  });
  after(() => place?.[Symbol.asyncDispose]());

  test('is there at every moment', async () => {
    const video = aVideo();
    const { videoId } = video;
    const { shared } = place;
    let looks = 0;
    // The real database; when the video was looked for and not found, its import ends.
    const database: QueueDatabase = {
      ...shared,
      query: async (sql, values) => {
        const rows = await shared.query(sql, values);
        if (!/from videos where video_id/.test(sql) || looks++ > 0) return rows as never;
        assert.deepEqual(rows, []);
        await shared.transaction(async (transaction) => {
          await insertVideo(transaction, video);
          assert.ok(await deleteImport(transaction, videoId));
        });
        return rows as never;
      },
    };
    await using service = await openService({ shared: database });
    await insertImport(shared, { videoId, url: 'https://example.com/clip.mp4', filename: 'clip.mp4' });
    const found = await service.jobs.videos.get(videoId);
    assert.equal(looks, 2);
    assert.deepEqual(found, { state: 'present', video });
  });
});
