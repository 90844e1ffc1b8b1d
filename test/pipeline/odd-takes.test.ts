/** Takes and songs of any kind: a good edit or a clear answer. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { isFailure } from '../../src/domain/errors.ts';
import { Studio, type TakesEdit } from '../../src/library.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { outlineOf } from '../../src/media/read/outline.ts';
import { makeClip, readNumber, temporaryFolder } from '../support/clips.ts';
import {
  eightShots,
  kickedSong,
  NUMBERS_PER_TAKE,
  NUMBERS_STAY,
  numberedTake,
} from '../support/edit-material.ts';
import { mediaPath } from '../support/media.ts';
import { writeWave } from '../support/wave-file.ts';

const folder = temporaryFolder();
const studio = new Studio({ workRoot: join(folder, 'work') });
const take = (file: string, mustUse = false) => ({ file, mustUse });

/** Two seconds of the last twelve are silent. */
function songWithSilence(): string {
  const rate = 48_000;
  const samples = Float32Array.from({ length: 12 * rate }, (_, n) =>
    n < 10 * rate ? 0.5 * Math.sin((2 * Math.PI * 220 * n) / rate) * Math.exp(-(n % (rate / 2)) / 4000) : 0,
  );
  return writeWave(join(folder, 'ends-early.wav'), rate, [samples, samples]);
}

describe('takes of every kind', () => {
  let template = '';
  let wide = '';
  before(async () => {
    template = await eightShots(folder);
    wide = await numberedTake(folder, 'wide', 0);
  });
  const request = (
    takes: TakesEdit['takes'],
    options: NonNullable<TakesEdit['options']> = {},
  ): TakesEdit => ({
    ...{ takes, look: { template }, config: NUMBERS_STAY, options },
  });

  test('240 frames a second, upright and without sound among wide ones: each moment at its own speed', async () => {
    const frameRate = { numerator: 240, denominator: 1 };
    const takes = [
      take(wide, true),
      take(await numberedTake(folder, 'fast', 1, { frameRate, durationSeconds: 4, silent: true }), true),
      take(await numberedTake(folder, 'upright', 2, { width: 108, height: 192, silent: true }), true),
    ];
    const output = join(folder, 'mixed.mp4');
    const { edit, files } = await studio.edit({
      ...request(takes, { sound: 'takes', order: 'free' }),
      output,
    });
    const { slots } = edit;
    const takeOf = (videoId: string) => takes.findIndex(({ file }) => file === files[videoId]);
    assert.deepEqual(new Set(slots.map(({ video_id }) => takeOf(video_id))), new Set([0, 1, 2]));
    const { video, hasAudio } = await outlineOf(output);
    assert.deepEqual([video!.width, video!.height, hasAudio], [192, 108, true]);
    const shown: number[] = [];
    for await (const frame of openFrames(output)) shown.push(readNumber(frame.color));
    for (const slot of slots) {
      const number = takeOf(slot.video_id);
      // A crop of the upright take cuts digits off.
      if (number === 2) continue;
      const [from, to] = [slot.start_seconds, slot.end_seconds].map((seconds) => Math.round(seconds * 25));
      for (let frame = from!; frame < to!; frame++) {
        const seconds = slot.source_start_seconds + (frame - from!) / 25;
        const wanted = number * NUMBERS_PER_TAKE + seconds * 25;
        assert.ok(Math.abs(shown[frame]! - wanted) <= 1, `frame ${frame}: ${shown[frame]} for ${wanted}`);
      }
    }
  });

  test('HDR takes among others', async (context) => {
    const hdr = mediaPath('video/vertical_hdr10_av1.mp4');
    if (hdr === null) return context.skip('no shared media');
    const { edit, files } = await studio.planEdit(request([take(wide, true), take(hdr, true)]));
    assert.ok(edit.slots.some(({ video_id }) => files[video_id] === hdr));
  });

  test('a song that is a video gives its sound', async () => {
    const music = await makeClip(folder, { name: 'concert', durationSeconds: 10 });
    const { edit } = await studio.planEdit({ ...request([take(wide)]), music });
    assert.equal(typeof edit.music_start_seconds, 'number');
  });

  for (const [what, music, musicStartSeconds, endSeconds] of [
    ['', () => kickedSong(folder), 39.99, '40.00'],
    [' after its sound, which ends before the file', () => songWithSilence(), 10.8, '(9|10)\\.\\d\\d'],
  ] as const)
    test(`a song that would begin as it ends${what}: an error with the last possible start`, async () => {
      await assert.rejects(
        studio.planEdit({ ...request([take(wide)], { musicStartSeconds }), music: music() }),
        (error) => {
          assert.ok(isFailure(error, 'VALIDATION_ERROR'), String(error));
          const runs = new RegExp(
            `the song, which runs for ${endSeconds} s; .*begin at \\d+\\.\\d\\d s or earlier`,
          );
          assert.match(error.detail, runs);
          return true;
        },
      );
    });

  test('too little material: shorter, with a warning', async () => {
    const short = await numberedTake(folder, 'short', 1, { durationSeconds: 2 });
    const output = join(folder, 'short.mp4');
    const { edit, warnings } = await studio.edit({ ...request([take(short)]), output });
    assert.ok(edit.duration_seconds <= 2.05);
    const said = warnings.find(({ code }) => code === 'EDIT_SHORTENED');
    assert.match(said?.message ?? '', /no more usable moments/);
  });

  test('a ban of everything', async () => {
    const bans = [{ file: wide, range: [0, 8] as const }];
    await assert.rejects(
      studio.planEdit({ ...request([take(wide)], { bans }), music: kickedSong(folder) }),
      (error) =>
        isFailure(error, 'INPUT_UNSUPPORTED') && /all is faulty, excluded or banned/.test(error.detail),
    );
  });

  test('a pin outside its take', async () => {
    const pins = [{ slot: 0, file: wide, startSeconds: 60 }];
    await assert.rejects(
      studio.planEdit(request([take(wide)], { pins })),
      (error) => isFailure(error, 'VALIDATION_ERROR') && /60/.test(error.detail),
    );
  });
});
