/** Edits of many local takes, from files to frames and sound. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { before, describe, test } from 'node:test';
import { damagesOf } from '../../bench/edit-judge/damage.ts';
import { SAMPLE_RATE } from '../../bench/edit-judge/read-file.ts';
import { isFailure } from '../../src/domain/errors.ts';
import { Studio, type TakesEdit } from '../../src/library.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { openSamples } from '../../src/media/decode/samples.ts';
import { storyboardLayout } from '../../src/render/previews/storyboard-layout.ts';
import { makeClip, readNumber, temporaryFolder } from '../support/clips.ts';
import {
  EDIT_SIZE,
  eightShots,
  kickedSong,
  NUMBERS_PER_TAKE,
  NUMBERS_STAY,
  numberedTake,
} from '../support/edit-material.ts';
import { encodeImage } from '../support/image.ts';
import { decodePng } from '../support/png.ts';

const LEFT_OUT = process.env['TEST_LONG'] === '1' ? false : 'takes ten seconds: npm run test:long';
const folder = temporaryFolder();
const studio = new Studio({ workRoot: join(folder, 'work') });

describe('an edit of takes', () => {
  let request: Omit<TakesEdit, 'takes'> & { readonly takes: readonly string[] };
  const output = join(folder, 'edit.mp4');
  let made: Awaited<ReturnType<Studio['edit']>>;
  before(async () => {
    const files = await Promise.all([0, 1, 2].map((take) => numberedTake(folder, `take-${take}`, take)));
    request = {
      takes: files,
      music: kickedSong(folder),
      look: { template: await eightShots(folder) },
      config: NUMBERS_STAY,
    };
    made = await studio.edit({ ...request, output, artifacts: folder });
  });

  test('its frames are those of the takes that its slots name, without gaps', async () => {
    const { slots, duration_seconds } = made.edit;
    assert.ok(slots.length >= 3, `${slots.length} slots`);
    assert.equal(slots[0]!.start_seconds, 0);
    for (const [index, slot] of slots.slice(1).entries())
      assert.equal(slot.start_seconds, slots[index]!.end_seconds);
    assert.equal(slots.at(-1)!.end_seconds, duration_seconds);
    const shown: number[] = [];
    for await (const frame of openFrames(output)) shown.push(readNumber(frame.color));
    const wanted = slots.flatMap((slot) => {
      const take = request.takes.indexOf(made.files[slot.video_id]!);
      const count = Math.round(slot.end_seconds * 25) - Math.round(slot.start_seconds * 25);
      const first = Math.round(slot.source_start_seconds * 25);
      return Array.from({ length: count }, (_, at) => take * NUMBERS_PER_TAKE + first + at);
    });
    assert.deepEqual(shown, wanted);
  });

  test('its sound is the song from where the plan begins it', async () => {
    const read = async (path: string) => {
      const all: number[] = [];
      for await (const { channels } of openSamples(path, { sampleRate: 8000, channels: 'mono' }))
        all.push(...channels[0]!);
      return all;
    };
    const [heard, original] = [await read(output), await read(request.music!)];
    const start = Math.round(made.edit.music_start_seconds! * 8000);
    const shifts = Array.from({ length: 81 }, (_, index) => index - 40);
    const agreement = (shift: number) =>
      heard
        .slice(400, 24_000)
        .reduce((sum, value, n) => sum + value * (original[n + 400 + start + shift] ?? 0), 0);
    const best = shifts.reduce((most, shift) => (agreement(shift) > agreement(most) ? shift : most));
    // A frame lasts 320 samples.
    assert.ok(Math.abs(best) <= 8, `${best / 8} ms`);
  });

  test('its result has the beats and sections of the song in the time of the output', () => {
    const { music, slots, duration_seconds: end } = made.edit;
    const times = music!.beats.map((beat) => beat.at_seconds);
    assert.ok(times.length > 3 && times.every((time) => time >= 0 && time <= end), `${times}`);
    assert.equal(music!.sections[0]!.start_seconds, 0);
    assert.equal(music!.sections.at(-1)!.end_seconds, end);
    for (const { start_seconds: cut, on_beat: isOnBeat } of slots)
      if (isOnBeat)
        assert.ok(
          times.some((time) => Math.abs(time - cut) < 0.09),
          `${cut}`,
        );
  });

  test('nothing of it is damaged', async () => {
    const monoOf = async (path: string) => {
      const blocks: Float32Array[] = [];
      for await (const { channels } of openSamples(path, { sampleRate: SAMPLE_RATE, channels: 'mono' }))
        blocks.push(channels[0]!.slice());
      return Float32Array.from(blocks.flatMap((block) => [...block]));
    };
    const frames: Uint8Array[] = [];
    for await (const { grey } of openFrames(output)) frames.push(grey.data.slice());
    const damages = damagesOf({
      ...{ edit: made.edit, timeline: made.plan.timeline, pictures: { frames, rate: 25 } },
      ...{ sound: await monoOf(output), song: await monoOf(request.music!) },
      ...{ words: [], heads: [], templateShortestSeconds: 1, fileOf: (id) => id },
      // A picture that stands still is damage, whatever its take does.
      takePictures: () => ({ frames: [new Uint8Array(1), new Uint8Array([255])], rate: 25 }),
    });
    assert.deepEqual(damages, []);
  });

  test('its report shows each slot and take with the template, and plays the output', () => {
    const report = readFileSync(join(folder, 'report.html'), 'utf8');
    assert.ok(made.artifacts.includes('report.html'));
    const frames = report.match(/class="frame"/g) ?? [];
    assert.equal(frames.length, made.edit.slots.length);
    assert.match(report, /Slot 0 follows shot \d+ of the template/);
    assert.match(report, /<video [^>]*src="edit\.mp4"/);
    for (const file of request.takes) assert.ok(report.includes(`<h3>${basename(file)}</h3>`));
    assert.deepEqual(
      made.warnings.filter(({ code }) => code === 'REPORT_FAILED'),
      [],
    );
  });

  test('a storyboard is drawn from the takes with the plan, as the output shows it', async () => {
    const storyboard = join(folder, 'board.png');
    const { edit } = await studio.planEdit({ ...request, storyboard });
    const { width, data, channels } = decodePng(readFileSync(storyboard));
    const { tiles } = storyboardLayout(EDIT_SIZE, edit.slots.length);
    const shown = tiles.map((box) => {
      const lines = Array.from({ length: box.height }, (_, y) =>
        data.subarray(((box.y + y) * width + box.x) * channels).subarray(0, box.width * channels),
      );
      return readNumber({ ...EDIT_SIZE, channels, data: Buffer.concat(lines) });
    });
    const wanted = edit.slots.map(({ start_seconds: start, end_seconds: end, ...slot }) => {
      const take = request.takes.indexOf(made.files[slot.video_id]!);
      const into = Math.floor(((start + end) / 2) * 25) - Math.round(start * 25);
      return take * NUMBERS_PER_TAKE + Math.round(slot.source_start_seconds * 25) + into;
    });
    assert.deepEqual(shown, wanted);
  });

  test('other names of the same files give the same bytes', { skip: LEFT_OUT }, async () => {
    const renamed = join(folder, 'renamed');
    mkdirSync(renamed);
    const takes = request.takes.map((take, index) => {
      const file = join(renamed, `z${9 - index}.mp4`);
      copyFileSync(take, file);
      return file;
    });
    const path = join(folder, 'renamed.mp4');
    await studio.edit({ ...request, takes, output: path });
    assert.ok(readFileSync(path).equals(readFileSync(output)));
  });

  test('a pin is followed, and the cuts stay', async () => {
    const { slots } = made.edit;
    const [other] = request.takes.filter((file) => file !== made.files[slots[1]!.video_id]);
    const pins = [{ slot: 1, file: other!, startSeconds: 1 }];
    const { edit, files } = await studio.planEdit({ ...request, options: { pins } });
    const pinned = edit.slots[1]!;
    assert.deepEqual([files[pinned.video_id], pinned.pinned], [other, true]);
    assert.ok(Math.abs(pinned.source_start_seconds - 1) < 0.03);
    assert.deepEqual(
      edit.slots.map(({ start_seconds }) => start_seconds),
      slots.map(({ start_seconds }) => start_seconds),
    );
  });

  test('a song as the template: the takes are cut on its beats, and keep colors and shape', async () => {
    const { takes, music } = request;
    const look = { template: music! };
    const { edit, plan, files } = await studio.planEdit({
      ...{ takes, look, options: { order: 'free' } },
      config: { resolution: 'source' },
    });
    assert.ok(Object.values(files).includes(music!));
    assert.ok(edit.slots.length >= 3, `${edit.slots.length} slots`);
    assert.deepEqual([...new Set(edit.slots.map((slot) => slot.on_beat))], [true]);
    const { timeline, warnings } = plan;
    assert.deepEqual(new Set(timeline.takes.map(({ grade }) => grade)), new Set([null]));
    assert.deepEqual([timeline.width, timeline.height], [EDIT_SIZE.width, EDIT_SIZE.height]);
    assert.deepEqual(timeline.transitions, []);
    // The song has −24 LUFS: too quiet for a video.
    assert.deepEqual(
      warnings.map(({ code }) => code).filter((code) => !code.startsWith('EDIT_')),
      ['LOUDNESS_LIMITED'],
    );
  });

  test('a photo is a take, and moves', { skip: LEFT_OUT }, async () => {
    const photo = join(folder, 'photo.png');
    writeFileSync(
      photo,
      await encodeImage('png', { width: 640, height: 360 }, (x, y) => [(x * 7) % 256, (y * 5) % 256, 90]),
    );
    const takes = [...request.takes, { file: photo, mustUse: true }];
    const { edit, plan, files } = await studio.planEdit({ ...request, takes });
    const slot = edit.slots.findIndex(({ video_id }) => files[video_id] === photo);
    assert.notEqual(slot, -1);
    const clip = plan.timeline.clips[slot]!;
    assert.notDeepEqual(clip.from, clip.to);
  });
});

describe('wrong takes', () => {
  const edit = (change: Partial<TakesEdit>) =>
    studio.planEdit({
      takes: [],

      look: { preset: 'golden-hour' },
      config: NUMBERS_STAY,
      ...change,
    });

  test('a song among the takes', async () => {
    const takes = [kickedSong(folder)];
    await assert.rejects(
      edit({ takes }),
      (error) => isFailure(error, 'INVALID_VIDEO') && /--music/.test(error.detail),
    );
  });

  test('a silent video as the song', async () => {
    const silent = await makeClip(folder, { name: 'silent', silent: true });
    await assert.rejects(
      edit({ takes: [silent], music: silent }),
      (error) => isFailure(error, 'INPUT_UNSUPPORTED') && /no sound/.test(error.detail),
    );
  });

  test('no such file', async () => {
    await assert.rejects(
      edit({ takes: [join(folder, 'nowhere.mp4')] }),
      (error) => isFailure(error, 'FILE_NOT_FOUND') && /nowhere\.mp4/.test(error.detail),
    );
  });
});
