/** The sound is made while the picture is drawn: whenever it is ready, the output is the same, and a failure of either ends both. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { emptyFrame } from '../../src/media/av/empty-frame.ts';
import { Mp4Writer } from '../../src/media/encode/encode.ts';
import { drawRange } from '../../src/render/draw-range.ts';
import { render } from '../../src/render/render.ts';
import { writeAudio } from '../../src/render/sound/audio-file.ts';
import { AwaitedSound } from '../../src/render/sound/audio-lead.ts';
import type { AudioPlan } from '../../src/style/model/timeline.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { timelineClip, timelineOf } from '../support/timeline-clip.ts';

const folder = temporaryFolder();
const SECONDS = 4;
const AUDIO: AudioPlan = { equalizer: [], compressor: null, targetLufs: -20, truePeakDbtp: -1 };
const TIMELINE = { ...timelineOf([timelineClip(0, SECONDS)]), audio: AUDIO };
const none = () => {};
const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

describe('a sound that is awaited', async () => {
  const sourcePath = await makeClip(folder, { name: 'source', durationSeconds: SECONDS });
  const soundPath = join(folder, 'sound.mp4');
  before(() => writeAudio({ takePaths: [sourcePath], timeline: TIMELINE, plan: AUDIO }, soundPath, none));

  const { frameRate } = TIMELINE;
  const range = { from: 0, to: (SECONDS * frameRate.numerator) / frameRate.denominator };
  async function drawn(name: string, sound: Promise<string>): Promise<string> {
    const outputPath = join(folder, `${name}.mp4`);
    const request = { takePaths: [sourcePath], timeline: TIMELINE, preset: 'veryfast', crf: 20, outputPath };
    await drawRange(request, { range, sound, pictures: null, onProgress: none });
    return sha256(outputPath);
  }

  test('gives the same file whenever it is there', async () => {
    const first = await drawn('at once', Promise.resolve(soundPath));
    // Drawing takes some 100 ms: these are in the middle of it, and after it.
    for (const ms of [10, 20, 40, 80, 1500])
      assert.equal(await drawn(`after ${ms}`, sleep(ms, soundPath)), first, `${ms} ms`);
  });

  test('is waited for where too much of the picture waits for it', async () => {
    const path = join(folder, 'held.mp4');
    const encoding = { width: 64, height: 64, frameRate, preset: 'veryfast', crf: 20 };
    await using writer = await Mp4Writer.open(path, encoding, 'later');
    const file = Promise.withResolvers<string>();
    const sound = new AwaitedSound(writer, file.promise, 1);
    await sound.upTo(0);
    for (let number = 0; writer.heldBytes === 0; number++) {
      assert.ok(number < 100, 'nothing is encoded');
      const frame = emptyFrame(64, 64);
      writer.writeFrame(frame);
      frame.free();
    }
    const waiting = sound.upTo(1).then(() => 'went on');
    assert.equal(await Promise.race([waiting, sleep(50, 'waits')]), 'waits');
    file.resolve(soundPath);
    assert.equal(await waiting, 'went on');
    assert.equal(writer.heldBytes, 0);
    await sound.upTo(Number.POSITIVE_INFINITY);
    const { video, audio } = await writer.finish();
    assert.ok(video.packetCount > 0 && audio!.packetCount > 0);
  });

  test('has the reason of a failure', async () => {
    const sound = sleep(20).then(() => Promise.reject<string>(new Error('no sound')));
    await assert.rejects(drawn('failed', sound), /no sound/);
    // Before the source is open and anything waits for the sound.
    await assert.rejects(drawn('failed at once', Promise.reject(new Error('none at all'))), /none at all/);
  });

  test('leaves no file when it is done, nor when the picture cannot be drawn', async () => {
    const place = join(folder, 'place');
    mkdirSync(place);
    const outputPath = join(place, 'out.mp4');
    const request = { takePaths: [sourcePath], timeline: TIMELINE, preset: 'veryfast', crf: 20, outputPath };
    await render(request, none);
    assert.deepEqual(readdirSync(place), ['out.mp4']);
    // There is no such device here: drawing ends before it begins, while the sound is being made.
    await assert.rejects(render({ ...request, encoder: 'nvenc' }, none), { code: 'ENCODER_FAILED' });
    assert.deepEqual(readdirSync(place), ['out.mp4']);
  });
});
