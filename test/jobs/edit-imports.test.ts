/** Edits whose takes are still being imported when they are created: what arrives as another kind, or not at all, is left out. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { v7 as newId } from 'uuid';
import { type EditInput, editSchema } from '../../src/domain/edit-options.ts';
import type { StageWork } from '../../src/domain/stage.ts';
import type { Video } from '../../src/videos/video.ts';
import { aJob, aVideo, openService, stagesThat } from '../support/jobs.ts';
import { waitingEntries } from '../support/queue-entries.ts';

const service = await openService();
after(() => service[Symbol.asyncDispose]());
const { database, jobs } = service;

async function importing(): Promise<string> {
  const videoId = newId();
  await database.query(
    `insert into imports (video_id, url, filename, status, created_at, next_attempt_at)
     values ($1, 'https://example.com/a.mp4', 'a.mp4', 'importing', now(), now() + interval '1 day')`,
    [videoId],
  );
  return videoId;
}

/** Null: the import failed. */
async function ends(videoId: string, video: Partial<Video> | null): Promise<void> {
  if (video === null) {
    const error = JSON.stringify({ code: 'INVALID_VIDEO', detail: 'The file is empty' });
    await database.query(
      `update imports set status = 'failed', error = $2, ended_at = now() where video_id = $1`,
      [videoId, error],
    );
  } else {
    await database.query('delete from imports where video_id = $1', [videoId]);
    await jobs.videos.insert(aVideo({ ...video, videoId }), null);
  }
  await database.transaction((transaction) => jobs.importEnded(transaction, videoId));
}

test('an edit waits for all of its videos; a take that arrived as another kind or not at all is left out', async () => {
  const source = aVideo();
  await jobs.videos.insert(source, null);
  const create = async (take: string, music: string, more: EditInput = {}) =>
    (
      await jobs.service.create(
        aJob(source.videoId, {
          edit: editSchema.parse({ takes: [{ video_id: take }], music: { video_id: music }, ...more }),
        }),
        null,
      )
    ).jobId;
  const [take, song, silent, missing, waiting] = await Promise.all(Array.from({ length: 5 }, importing));
  const good = await create(take, song);
  const songAsTake = await create(song, song);
  const noSound = await create(take, silent);
  const noFile = await create(missing, song);
  const pinned = await create(missing, song, { pins: [{ slot: 0, video_id: missing }] });
  await create(waiting, song);
  await ends(take, {});
  assert.deepEqual(await waitingEntries(database), []);
  await assert.rejects(jobs.videos.remove(waiting), { code: 'VIDEO_IN_USE' });
  await ends(song, { contentType: 'audio/mpeg', audioCodec: 'mp3', width: 0, height: 0 });
  assert.deepEqual((await waitingEntries(database)).sort(), [good, songAsTake].sort());
  await ends(silent, {});
  await ends(missing, null);
  assert.equal((await waitingEntries(database)).length, 5);
  const leftOut = new Map<string, readonly string[]>();
  const note = ({ jobId, edit }: StageWork) =>
    void leftOut.set(
      jobId,
      (edit!.leftOut ?? []).map(({ reason }) => reason),
    );
  await jobs.startWorker(stagesThat(note), { concurrency: 1 });
  const outcomeOf = async (jobId: string) => {
    const job = await jobs.service.waitForEnd(jobId, 10_000, new AbortController().signal);
    return job?.status === 'failed' ? `${job.error.code}: ${job.error.detail}` : job?.status;
  };
  for (const [jobId, reasons] of [
    [good, []],
    [songAsTake, ['"clip.mp4" is a sound file; a take is a video or a photo']],
    [noFile, ['The take "a.mp4" could not be imported. The file is empty']],
  ] as const) {
    assert.equal(await outcomeOf(jobId), 'completed');
    assert.deepEqual(leftOut.get(jobId), reasons);
  }
  assert.match((await outcomeOf(pinned))!, /^INPUT_CORRUPT: The take "a\.mp4" could not be imported/);
  assert.match((await outcomeOf(noSound))!, /^INPUT_UNSUPPORTED: edit\.music\.video_id: .* has no sound/);
});
