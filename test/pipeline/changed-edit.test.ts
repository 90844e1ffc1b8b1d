/** A changed edit renders only what changed, and is the same video as if all had been rendered. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { before, describe, test } from 'node:test';
import pino from 'pino';
import { v7 as newId } from 'uuid';
import { editSchema } from '../../src/domain/edit-options.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import type { Publication, VideoReference } from '../../src/domain/stage.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { MediaEngine } from '../../src/pipeline/engine/engine.ts';
import type { TaskInput } from '../../src/pipeline/engine/tasks.ts';
import { stageRunner } from '../../src/pipeline/stages/stage-table.ts';
import { SEGMENTS } from '../../src/storage/blob-names.ts';
import { openFileStore } from '../../src/storage/file-store.ts';
import { StorageWatch } from '../../src/storage/storage-watch.ts';
import type { EditResult } from '../../src/style/model/edit-result.ts';
import { readNumber, temporaryFolder } from '../support/clips.ts';
import {
  EDIT_SIZE,
  eightShots,
  kickedSong,
  NUMBERS_PER_TAKE,
  numberedTake,
} from '../support/edit-material.ts';

const LEFT_OUT = process.env['TEST_LONG'] === '1' ? false : 'takes ten seconds: npm run test:long';
const RATE = 25;
const folder = temporaryFolder();
const blobs = await openFileStore(join(folder, 'blobs'));
/** Numbers of the frames that children had to render. */
let renderedFrames = 0;
let wholeRenderings = 0;
let tasks: string[] = [];

class CountingEngine extends MediaEngine {
  override run: MediaEngine['run'] = (task, input, options) => {
    if (task === 'segments')
      for (const { range } of (input as TaskInput<'segments'>).segments)
        renderedFrames += range.to - range.from;
    if (task === 'render') wholeRenderings++;
    tasks.push(task);
    return super.run(task, input, options);
  };
}

const engine = new CountingEngine({ workRoot: join(folder, 'work'), idleSeconds: 60 });
const storage = new StorageWatch({ logger: pino({ level: 'silent' }), check: async () => {} });
const runStage = stageRunner({ engine, blobs, storage, segmentSeconds: 30 });

async function stored(path: string, durationSeconds: number): Promise<VideoReference> {
  const videoId = newId();
  await blobs.put(`videos/${videoId}`, createReadStream(path));
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
  return {
    videoId,
    sha256,
    blobKey: `videos/${videoId}`,
    filename: basename(path),
    durationSeconds,
    ...EDIT_SIZE,
  };
}

describe('an edit and its revisions', () => {
  let takes: readonly VideoReference[];
  let [template, music]: (VideoReference | null)[] = [null, null];
  before(async () => {
    takes = await Promise.all(
      [0, 1, 2].map(async (take) => stored(await numberedTake(folder, `take-${take}`, take), 8)),
    );
    template = await stored(await eightShots(folder), 8);
    music = await stored(kickedSong(folder), 40);
  });

  async function made(jobId: string, more: object = {}): Promise<Publication> {
    [renderedFrames, wholeRenderings, tasks] = [0, 0, []];
    const options = editSchema.parse({
      takes: takes.map(({ videoId }) => ({ video_id: videoId })),
      music: { video_id: music!.videoId },
      ...more,
    });
    const { publication } = await runStage({
      ...{ jobId, attempt: 1, stage: 'rendering', product: null },
      ...{ source: takes[0]!, template, style: null, edit: { takes, music, options } },
      config: jobConfigSchema.parse({
        quality: 'low',
        components: { motion: false, aspect_ratio: false, frame_rate: false },
      }),
      signal: new AbortController().signal,
      onProgress: () => {},
    });
    return publication!;
  }
  const slotsOf = ({ edit }: Publication) => (edit as EditResult).slots;
  /** Asserts that every output frame is the frame of the take that its slot names. */
  async function assertFrames(publication: Publication): Promise<void> {
    const file = await blobs.localPath(publication.output.blobKey);
    const shown: number[] = [];
    for await (const frame of openFrames(file.path)) shown.push(readNumber(frame.color));
    const wanted = slotsOf(publication).flatMap((slot) => {
      const take = takes.findIndex(({ videoId }) => videoId === slot.video_id);
      const first = Math.round(slot.source_start_seconds * RATE);
      const count = Math.round(slot.end_seconds * RATE) - Math.round(slot.start_seconds * RATE);
      return Array.from({ length: count }, (_, at) => take * NUMBERS_PER_TAKE + first + at);
    });
    assert.deepEqual(shown, wanted);
  }

  test('a pin renders its slot, the same edit nothing', async () => {
    const first = await made('first');
    const frames = Math.round(slotsOf(first).at(-1)!.end_seconds * RATE);
    assert.equal(renderedFrames, frames);
    assert.equal(wholeRenderings, 0, 'the segments make the output at the first attempt');
    await assertFrames(first);

    const again = await made('again');
    assert.deepEqual(tasks, ['join'], 'neither sound nor pictures are made again');
    assert.equal(again.output.sha256, first.output.sha256);

    const slot = slotsOf(first)[1]!;
    const other = slot.alternatives[0]!;
    const pins = [{ slot: 1, video_id: other.video_id, start_seconds: other.source_start_seconds }];
    const pinned = await made('pinned', { pins });
    const changed = slotsOf(pinned).filter((now, index) => {
      const before = slotsOf(first)[index]!;
      return now.video_id !== before.video_id || now.source_start_seconds !== before.source_start_seconds;
    });
    const changedFrames = changed.reduce(
      (sum, one) => sum + Math.round(one.end_seconds * RATE) - Math.round(one.start_seconds * RATE),
      0,
    );
    assert.ok(changed.length >= 1 && changed.length < slotsOf(first).length, `${changed.length} changed`);
    assert.equal(renderedFrames, changedFrames);
    assert.deepEqual(tasks, ['planTakes', 'segments', 'join'], 'the sound is the same');
    await assertFrames(pinned);
    await blobs.removeAll(SEGMENTS);
    const fresh = await made('fresh', { pins });
    assert.ok(tasks.includes('sound'));
    assert.equal(fresh.output.sha256, pinned.output.sha256, 'the bytes do not depend on what was cached');
  });

  test('segments that were damaged in the store are rendered again', { skip: LEFT_OUT }, async () => {
    const first = await made('first');
    const keys = (await Array.fromAsync(blobs.list(SEGMENTS))).filter((key) => key.endsWith('.mp4'));
    assert.ok(keys.length > 0);
    for (const key of keys) {
      const bytes = readFileSync((await blobs.localPath(key)).path);
      bytes[bytes.length - 20]! ^= 1;
      await blobs.put(key, Readable.from([bytes]));
    }
    const damaged = await made('damaged');
    assert.equal(wholeRenderings, 1);
    await assertFrames(damaged);
    const healed = await made('healed');
    assert.equal(wholeRenderings, 0);
    assert.ok(renderedFrames > 0);
    assert.equal(healed.output.sha256, first.output.sha256);
  });
});
