/** In and out points of local files: what is measured, and what the output shows. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { JobConfigInput } from '../../src/domain/job-config.ts';
import type { TimeRange } from '../../src/domain/time-range.ts';
import { Studio } from '../../src/library.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { MediaEngine } from '../../src/pipeline/engine/engine.ts';
import { openWorkspace } from '../../src/pipeline/engine/workspace.ts';
import { makeClip, readNumber, temporaryFolder } from '../support/clips.ts';
import { beepsOf, flashesOf, flashingClip } from '../support/flash-and-beep.ts';
import { encodeImage } from '../support/image.ts';
import { cutLosslessly, keyFramesOf } from '../support/lossless-cut.ts';
import { mediaPath } from '../support/media.ts';
import { beatSong } from '../support/reel-clips.ts';

const folder = temporaryFolder();
const workRoot = join(folder, 'work');
const studio = new Studio({ workRoot });
const engine = new MediaEngine({ workRoot, idleSeconds: 60 });
const FRAME_SECONDS = 1 / 25;

async function measured(path: string, durationSeconds: number, range?: TimeRange) {
  await using workspace = await openWorkspace(workRoot);
  const motionLogPath = join(workspace.folder, 'motion.bin');
  return await engine.run(
    'measure',
    { path, range, motionLogPath, durationSeconds, styleAt: new Date(0), withSubjects: true },
    { signal: new AbortController().signal, folder: workspace.folder, mediaSeconds: durationSeconds },
  );
}

function close(name: string, one: number, other: number, tolerance: number) {
  assert.ok(Math.abs(one - other) <= tolerance, `${name}: ${one} and ${other}`);
}

/** All but the frames around a joint of groups of pictures is decoded from the same packets. */
async function assertLikeCutFile(path: string, range: TimeRange, name: string) {
  const cut = join(folder, `${name}-cut.mp4`);
  await cutLosslessly(path, range, cut);
  const seconds = range[1] - range[0];
  const [part, file] = [await measured(path, range[1], range), await measured(cut, seconds)];
  // A file lasts as long as its last packet of sound.
  close('duration', part.video.durationSeconds, file.video.durationSeconds, 0.025);
  close('frames', part.video.frameCount, file.video.frameCount, 0);
  const cutsOf = ({ video }: typeof part) => video.transitions.map(({ endSeconds }) => endSeconds);
  const [ours, theirs] = [cutsOf(part), cutsOf(file)];
  assert.equal(ours.length, theirs.length, `${ours} and ${theirs}`);
  for (const [index, at] of ours.entries()) close('cut', at, theirs[index]!, FRAME_SECONDS);
  const [style, other] = [part.style!, file.style!];
  for (const dial of ['temperature', 'tint', 'saturation', 'contrast', 'highlights', 'shadows'] as const)
    close(dial, style.color_grade[dial], other.color_grade[dial], 1.5);
  close('cut_frequency', style.cut_frequency, other.cut_frequency, 0.5);
  close('motion_intensity', style.motion_intensity, other.motion_intensity, 0.02);
  const [sound, soundOfFile] = [part.audio?.facts ?? null, file.audio?.facts ?? null];
  assert.equal(sound === null, soundOfFile === null);
  if (sound === null || soundOfFile === null) return;
  // A packet of AAC lasts .023 s, and its file begins with a block of priming.
  close('sound', sound.durationSeconds, soundOfFile.durationSeconds, 0.07);
  close('loudness', sound.loudness.integratedLufs!, soundOfFile.loudness.integratedLufs!, 0.3);
  if (sound.tempo !== null && soundOfFile.tempo !== null)
    close('tempo', sound.tempo.bpm, soundOfFile.tempo.bpm, 1);
}

describe('a part of a video', { concurrency: 1 }, () => {
  test('is measured like a file that is cut losslessly in the same place', async () => {
    const scenes = [
      [200, 40, 40],
      [40, 160, 60],
      [50, 60, 190],
      [180, 170, 60],
      [90, 90, 90],
      [160, 60, 150],
    ];
    const path = await makeClip(folder, {
      name: 'scenes',
      durationSeconds: 12,
      draw: (rgb, seconds, index) => {
        const color = scenes[Math.floor(seconds / 2)]!;
        for (let at = 0, pixel = 0; at < rgb.length; at += 3, pixel++) {
          const stripe = ((pixel % 320) + 2 * index) % 40 < 20 ? 25 : -25;
          for (let channel = 0; channel < 3; channel++) rgb[at + channel] = color[channel]! + stripe;
        }
      },
      audio: (seconds) =>
        seconds % 0.5 < 0.05 ? 0.5 * Math.sin(2 * Math.PI * 300 * seconds) : 0.02 * Math.sin(9000 * seconds),
    });
    const keys = await keyFramesOf(path);
    const from = keys.find((seconds) => seconds >= 3.5);
    assert.ok(from !== undefined, `key frames at ${keys}`);
    await assertLikeCutFile(path, [from, from + 6], 'scenes');
  });

  const reel = mediaPath('edits/edit_landscape_a.mp4');
  test('of a real reel too', { skip: reel === null && 'needs the shared media' }, async () => {
    const keys = await keyFramesOf(reel!);
    const from = keys.find((seconds) => seconds > 3)!;
    const to = keys.findLast((seconds) => seconds < from + 14)!;
    await assertLikeCutFile(reel!, [from, to], 'reel');
  });

  test('is all that the output shows, to the frame, with its sound', async () => {
    const numbered = await makeClip(folder, { name: 'numbered', durationSeconds: 6 });
    const output = join(folder, 'numbered-out.mp4');
    const config = { source_range: [3.2, 4.6] as [number, number], quality: 'high' as const };
    const { summary } = await studio.apply({ source: numbered, output, look: null, config });
    const shown: number[] = [];
    for await (const frame of openFrames(output)) shown.push(readNumber(frame.color));
    assert.deepEqual(
      shown,
      [...Array(35).keys()].map((frame) => 80 + frame),
    );
    close('length', summary.source.duration_seconds, 1.4, 0.01);
    assert.equal(summary.left_out_seconds, 0);

    const flashing = await flashingClip(folder, 'flashing', 6, [1, 2.4, 3.6, 5]);
    await studio.apply({
      ...{ source: flashing, output, look: null },
      config: { source_range: [2, 4.4], quality: 'low' },
    });
    const [flashes, beeps] = [await flashesOf(output), await beepsOf(output)];
    assert.equal(flashes.frames, 60);
    assert.equal(flashes.seconds.length, 2, `${flashes.seconds}`);
    for (const [index, moment] of [0.4, 1.6].entries()) {
      close('flash', flashes.seconds[index]!, moment, FRAME_SECONDS);
      close('beep', beeps[index]!, moment, FRAME_SECONDS);
    }
  });

  test('has the times of its file in the plan and in what editing programs read', async () => {
    const source = await flashingClip(folder, 'planned', 6, [1, 2.4, 3.6, 5]);
    const plan = await studio.plan({
      source,
      look: { preset: 'noir' },
      config: { source_range: [2, 4.4], framing_focus: [{ at_seconds: 3, x: 0.5, y: 0.5 }] },
    });
    const { clips } = plan.timeline;
    close('start', clips[0]!.sourceStartSeconds, 2, 1e-6);
    close('end', clips.at(-1)!.sourceEndSeconds, 4.4, 1e-6);
    const otio = JSON.parse(plan.otio);
    const ranges = JSON.stringify(otio).match(/"available_range":\{[^}]*\{[^}]*\}[^}]*\{[^}]*\}/g) ?? [];
    assert.ok(ranges.length > 0 && ranges.every((range) => /"value":150\b/.test(range)), `${ranges}`);
  });

  test('of the template is the only one whose style is followed', async () => {
    const template = await makeClip(folder, {
      name: 'halves',
      durationSeconds: 8,
      draw: (rgb, seconds, index) => {
        const [red, blue] = seconds < 4 ? [150, 60] : [60, 150];
        for (let at = 0, pixel = 0; at < rgb.length; at += 3, pixel++) {
          const light = ((pixel % 320) + 3 * index) % 64;
          rgb[at] = red + light;
          rgb[at + 1] = 80 + light;
          rgb[at + 2] = blue + light;
        }
      },
    });
    const source = await makeClip(folder, { name: 'grey', durationSeconds: 2 });
    const temperatureOf = async (range: [number, number]) => {
      const artifacts = join(folder, `artifacts-${range[0]}`);
      await studio.apply({
        ...{ source, look: { template }, output: join(folder, 'warm.mp4'), artifacts },
        config: { template_range: range, quality: 'low' },
      });
      const style = JSON.parse(readFileSync(join(artifacts, 'style.json'), 'utf8'));
      close('length', style.source_duration_seconds, 4, 0.05);
      return style.color_grade.temperature as number;
    };
    const [warm, cold] = [await temperatureOf([0, 4]), await temperatureOf([4, 8])];
    assert.ok(warm > cold + 20, `${warm} and ${cold}`);
  });

  test('of a video or a song is analyzed alone, with a report; a photo has none', async () => {
    const song = beatSong(folder);
    const [whole, half] = [await studio.analyze(song), await studio.analyze(song, { partSeconds: [1, 3] })];
    assert.ok(whole.kind === 'audio' && half.kind === 'audio');
    close('sound', half.audio.durationSeconds, 2, 0.01);
    assert.ok(half.audio.beats.length < whole.audio.beats.length);
    await assert.rejects(studio.analyze(song, { partSeconds: [1, 900] }), /the part \[1, 900\] reaches past/);
    const video = await makeClip(folder, { name: 'reported', durationSeconds: 3 });
    const page = await studio.report(video, { partSeconds: [1, 2.2] });
    assert.match(page, /1\.2 s/);
    const photo = join(folder, 'photo.png');
    writeFileSync(photo, await encodeImage('png', { width: 64, height: 36 }, (x, y) => [3 * x, 5 * y, 90]));
    await assert.rejects(
      studio.analyze(photo, { partSeconds: [0, 1] }),
      /this is an image, which has no time/,
    );
  });

  test('that the video does not have is refused before long work', async () => {
    const source = await makeClip(folder, { name: 'short', durationSeconds: 2 });
    const apply = (config: JobConfigInput) =>
      studio.apply({ source, output: join(folder, 'no.mp4'), look: null, config });
    for (const [range, message] of [
      [[1, 9], /config\.source_range: \[1, 9\] reaches past the end of the video, which runs for 2\.00 s/],
      [[1.8, 1.2], /at least 0\.5 s after the start/],
      [[0, 0.4], /at least 0\.5 s after the start/],
      [[Number.NaN, 1], /must be \[start, end\] in seconds/],
      [[-1, 1], /must be \[start, end\] in seconds/],
    ] as [[number, number], RegExp][])
      await assert.rejects(apply({ source_range: range }), message);
    await assert.rejects(
      apply({ template_range: [0, 1] }),
      /config\.template_range: is a part of a template video/,
    );
  });
});
