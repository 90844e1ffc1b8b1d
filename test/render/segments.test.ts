/** A long output is rendered in segments that are joined: the same frames, the same sound, and no seam. */
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { before, describe, test } from 'node:test';
import { openInput } from '../../src/media/av/open-input.ts';
import { StreamDecoder } from '../../src/media/av/stream-decoder.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { join } from '../../src/render/join.ts';
import { lumaSamples } from '../../src/render/picture/luma-samples.ts';
import { render } from '../../src/render/render.ts';
import { renderSegments } from '../../src/render/segment.ts';
import { writeAudio } from '../../src/render/sound/audio-file.ts';
import type { FrameRange } from '../../src/render/timeline/frame-schedule.ts';
import { segmentsOf } from '../../src/render/timeline/segments.ts';
import type { Timeline } from '../../src/style/model/timeline.ts';
import { makeClip, readNumber, temporaryFolder } from '../support/clips.ts';
import { timelineClip as clip, timelineOf } from '../support/timeline-clip.ts';

const folder = temporaryFolder();
const none = () => {};

/** Clips that follow each other at these cuts, in seconds. */
const cutAt = (...cuts: number[]) => cuts.slice(1).map((to, index) => clip(cuts[index], to));

describe('where a plan is divided', () => {
  const dissolve = { clipIndex: 1, type: 'dissolve', durationSeconds: 4, easing: 'linear' } as const;
  const table: [string, Timeline, number[]][] = [
    ['half a minute is one segment', timelineOf(cutAt(0, 30)), [0]],
    [
      'one shot of two minutes: where the thirds and quarters are',
      timelineOf(cutAt(0, 120)),
      [0, 300, 600, 900],
    ],
    ['at cuts that are near', timelineOf(cutAt(0, 25, 70, 120)), [0, 250, 700, 900]],
    ['not at cuts that are far', timelineOf(cutAt(0, 45, 60)), [0, 300]],
    ['at the last cut that is near enough', timelineOf(cutAt(0, 42, 60)), [0, 420]],
    ['behind a transition, not within it', timelineOf(cutAt(0, 30, 60), [dissolve]), [0, 320]],
    ['the transition begins with the frame', timelineOf(cutAt(0, 32, 60), [dissolve]), [0, 300]],
    ['the frame is the second one of a transition', timelineOf(cutAt(0, 31.9, 60), [dissolve]), [0, 339]],
    ['the frame is the last one of a transition', timelineOf(cutAt(0, 28.1, 60), [dissolve]), [0, 301]],
    ['the transition ended with the frame before', timelineOf(cutAt(0, 28, 60), [dissolve]), [0, 300]],
    ['a fast edit: at the nearest of many cuts', timelineOf(cutAt(0, 28.7, 29.4, 30.2, 60)), [0, 302]],
  ];
  for (const [what, timeline, expected] of table) {
    test(what, () => {
      const ranges = segmentsOf(timeline, 30);
      assert.deepEqual(
        ranges.map(({ from }) => from),
        expected,
      );
      const { clips, frameRate } = timeline;
      assert.equal(ranges.at(-1)!.to, clips.at(-1)!.sourceEndSeconds * frameRate.numerator);
      for (const [index, { to }] of ranges.entries())
        if (index + 1 < ranges.length) assert.equal(to, ranges[index + 1].from);
    });
  }
});

describe('segments, joined', () => {
  const dissolve = { clipIndex: 2, type: 'dissolve', durationSeconds: 0.4, easing: 'linear' } as const;
  /** NTSC, so that times are no whole numbers; the sizes are multiples of 16, where x264 is exact. */
  const timeline: Timeline = {
    version: 2,
    frameRate: { numerator: 30000, denominator: 1001 },
    width: 320,
    height: 176,
    clips: [clip(0, 2), clip(2.5, 4, { reason: 'trim' }), clip(4, 6.5, { reason: 'source_cut' })],
    transitions: [dissolve],
    takes: [{ grade: null }],
    audio: { equalizer: [], compressor: null, targetLufs: -20, truePeakDbtp: -1 },
    captions: [],
  };
  const whole = joinPath(folder, 'whole.mp4');
  const joined = joinPath(folder, 'joined.mp4');
  const soundPath = joinPath(folder, 'sound.mp4');
  /** At a cut, within a shot, behind a transition. */
  const ranges: FrameRange[] = [
    { from: 0, to: 60 },
    { from: 60, to: 77 },
    { from: 77, to: 120 },
    { from: 120, to: 180 },
  ];
  const settings = { timeline, preset: 'veryfast', crf: 18 };
  let sourcePath = '';
  let parts: Awaited<ReturnType<typeof segment>>[] = [];
  const rendered = async (ofTimeline: Timeline, range: FrameRange, outputPath: string) => {
    const request = { ...settings, timeline: ofTimeline, takePaths: [sourcePath] };
    const [segment] = await renderSegments({ ...request, segments: [{ range, outputPath }] }, none);
    return segment!;
  };
  const segment = async (range: FrameRange) => {
    const path = joinPath(folder, `segment-${range.from}.mp4`);
    return {
      path,
      ...(await rendered(timeline, range, path)),
    };
  };
  before(async () => {
    sourcePath = await makeClip(folder, { name: 'source', durationSeconds: 7 });
    await render({ ...settings, takePaths: [sourcePath], outputPath: whole }, none);
    // In any order, as workers would.
    for (const range of [ranges[2], ranges[0], ranges[3], ranges[1]]) parts.push(await segment(range));
    parts = parts.sort((one, other) => one.range.from - other.range.from);
    const outcome = await writeAudio(
      { takePaths: [sourcePath], timeline, plan: timeline.audio! },
      soundPath,
      none,
    );
    const request = { timeline, segments: parts, sound: { path: soundPath, outcome }, outputPath: joined };
    const result = await join(request, none);
    assert.equal(result.frameCount, 180);
  });

  const framesOf = async (path: string) => {
    using input = await openInput(path);
    using decoder = await StreamDecoder.open(input, input.video!);
    const frames: { seconds: number; samples: Uint8Array }[] = [];
    for (let frame = decoder.next(); frame !== null; frame = decoder.next())
      frames.push({ seconds: decoder.frameSeconds(frame), samples: lumaSamples(frame) });
    return frames;
  };
  /** Bytes of the packets of one kind, one after the other. */
  const packetsOf = async (path: string, kind: 'audio' | 'video') => {
    const { Packet } = await import('node-av/lib');
    using input = await openInput(path, 'mov');
    const packet = new Packet();
    packet.alloc();
    const all: { bytes: Buffer; seconds: number }[] = [];
    while (input.context.readFrameSync(packet) >= 0) {
      if (packet.streamIndex === input[kind]!.index) {
        const { num, den } = input[kind]!.timeBase;
        all.push({ bytes: Buffer.from(packet.data!), seconds: (Number(packet.pts) * num) / den });
      }
      packet.unref();
    }
    packet.free();
    return all;
  };

  test('every frame of the whole once, in order, at its time', async () => {
    const [expected, found] = [await framesOf(whole), await framesOf(joined)];
    assert.equal(found.length, expected.length);
    for (const [number, { seconds, samples }] of found.entries()) {
      assert.ok(Math.abs(seconds - (number * 1001) / 30000) < 1e-4, `frame ${number} at ${seconds} s`);
      const other = expected[number].samples;
      const apart = samples.reduce((sum, level, at) => sum + Math.abs(level - other[at]), 0) / samples.length;
      // Two encodings of one frame; two neighbouring frames of this source are 3 to 12 apart.
      assert.ok(apart < 1, `frame ${number} is ${apart.toFixed(2)} apart`);
    }
    const numbers = async (path: string) =>
      (await Array.fromAsync(openFrames(path))).map(({ grey }) => readNumber(grey));
    const [wanted, shown] = [await numbers(whole), await numbers(joined)];
    // Where the dissolve is, numbers cannot be read.
    for (const number of [58, 59, 60, 61, 75, 76, 77, 78, 118, 119, 120, 121])
      assert.equal(shown[number], wanted[number], `frame ${number}`);
  });

  test('the sound of the whole, packet for packet, at the same times', async () => {
    const [expected, found] = [await packetsOf(whole, 'audio'), await packetsOf(joined, 'audio')];
    assert.deepEqual(found, expected);
  });

  test('no packet of the picture is another than the segments’', async () => {
    const apart: Buffer[] = [];
    for (const { path } of parts) apart.push(...(await packetsOf(path, 'video')).map(({ bytes }) => bytes));
    assert.deepEqual(
      (await packetsOf(joined, 'video')).map(({ bytes }) => bytes),
      apart,
    );
  });

  test('segments of a single frame, which the encoder does not delay: first, between others and last', async () => {
    const borders = [0, 1, 60, 61, 62, 179, 180];
    const short: typeof parts = [];
    for (const [at, to] of borders.slice(1).entries()) {
      const path = joinPath(folder, `short-${at}.mp4`);
      short.push({ path, ...(await rendered(timeline, { from: borders[at], to }, path)) });
    }
    const outputPath = joinPath(folder, 'short.mp4');
    const { frameCount } = await join({ timeline, segments: short, sound: null, outputPath }, none);
    assert.equal(frameCount, 180);
    const [found, expected]: [number[], number[]] = [[], []];
    for await (const { color } of openFrames(outputPath)) found.push(readNumber(color));
    for await (const { color } of openFrames(whole)) expected.push(readNumber(color));
    assert.deepEqual(found, expected);
  });

  test('a segment of another size, a changed one, a missing one and a source that decodes otherwise are refused', async () => {
    const attempt = (segments: typeof parts) =>
      join({ timeline, segments, sound: null, outputPath: joinPath(folder, 'refused.mp4') }, none);
    const verify = (detail: RegExp) => ({ code: 'OUTPUT_VERIFY_FAILED', detail });
    const changed = (index: number, change: object) =>
      parts.map((part, at) => (at === index ? { ...part, ...change } : part));

    const small = joinPath(folder, 'small.mp4');
    await rendered({ ...timeline, width: 160 }, ranges[1], small);
    await assert.rejects(
      attempt(changed(1, { path: small })),
      verify(/from frame 60 on was encoded with other/),
    );

    const broken = joinPath(folder, 'broken.mp4');
    copyFileSync(parts[2].path, broken);
    const bytes = readFileSync(broken);
    bytes[bytes.length - 50] ^= 1;
    writeFileSync(broken, bytes);
    await assert.rejects(
      attempt(changed(2, { path: broken })),
      verify(/from frame 77 on differs from the packets/),
    );

    await assert.rejects(attempt(parts.filter((_, at) => at !== 1)), verify(/No segment holds frame 60/));
    const seams = { ...parts[3].seams, first: 1 };
    await assert.rejects(attempt(changed(3, { seams })), verify(/Frame 120 differs between decoding/));
  });
});
