/** An edit of several takes: every output frame shows the frame of the take that the timeline names, and every sound is in its place. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { before, describe, test } from 'node:test';
import { openFrames } from '../../src/media/decode/frames.ts';
import { openSamples } from '../../src/media/decode/samples.ts';
import { outlineOf } from '../../src/media/read/outline.ts';
import { join } from '../../src/render/join.ts';
import { joinedPictures } from '../../src/render/previews/joined-pictures.ts';
import { render } from '../../src/render/render.ts';
import { renderSegments } from '../../src/render/segment.ts';
import { MixedSound } from '../../src/render/sound/mixed-sound.ts';
import { FrameSchedule } from '../../src/render/timeline/frame-schedule.ts';
import type { Clip, SoundSpan, Timeline, TimelineTransition } from '../../src/style/model/timeline.ts';
import { drawNumber, makeClip, readNumber, temporaryFolder } from '../support/clips.ts';
import { encodeImage } from '../support/image.ts';
import { timelineClip, timelineOf } from '../support/timeline-clip.ts';
import { writeWave } from '../support/wave-file.ts';

const folder = temporaryFolder();
const none = () => {};
const SIZE = { width: 320, height: 180 };
const RATE = 25;
/** Frames of take n are numbered from n × 200; the photo's number is 1000. */
const NUMBERS_PER_TAKE = 200;
const PHOTO_NUMBER = 1000;

async function numberedTake(take: number): Promise<string> {
  const draw = drawNumber(SIZE.width, SIZE.height);
  return makeClip(folder, {
    name: `take-${take}`,
    durationSeconds: 6,
    draw: (rgb, seconds, index) => draw(rgb, seconds, index + take * NUMBERS_PER_TAKE),
  });
}

async function numberedPhoto(): Promise<string> {
  const rgb = new Uint8Array(3 * SIZE.width * SIZE.height);
  drawNumber(SIZE.width, SIZE.height)(rgb, 0, PHOTO_NUMBER);
  const path = joinPath(folder, 'photo.png');
  const at = (x: number, y: number) => [
    ...rgb.subarray(3 * (y * SIZE.width + x), 3 * (y * SIZE.width + x) + 3),
  ];
  writeFileSync(path, await encodeImage('png', SIZE, (x, y) => at(x, y) as [number, number, number]));
  return path;
}

function slot(take: number, startSeconds: number, endSeconds: number): Clip {
  return timelineClip(startSeconds, endSeconds, { take, reason: 'slot' });
}

async function numbersOf(path: string): Promise<number[]> {
  const numbers: number[] = [];
  for await (const frame of openFrames(path)) numbers.push(readNumber(frame.color));
  return numbers;
}

describe('takes in any order, one of them twice, and a photo', () => {
  const clips = [
    slot(1, 2, 3.2),
    slot(0, 4, 5),
    slot(2, 0, 1),
    slot(1, 0.4, 1.4),
    slot(0, 5.2, 6),
    slot(0, 1, 2),
  ];
  const timeline: Timeline = {
    ...timelineOf(clips),
    ...SIZE,
    frameRate: { numerator: RATE, denominator: 1 },
    takes: [{ grade: null }, { grade: null }, { grade: null }],
  };
  const expected = clips.flatMap(({ take, sourceStartSeconds, sourceEndSeconds }) => {
    const first = Math.round(sourceStartSeconds * RATE);
    const count = Math.round((sourceEndSeconds - sourceStartSeconds) * RATE);
    return Array.from({ length: count }, (_, at) =>
      take === 2 ? PHOTO_NUMBER : take * NUMBERS_PER_TAKE + first + at,
    );
  });
  const outputPath = joinPath(folder, 'whole.mp4');
  const settings = { timeline, preset: 'veryfast', crf: 12 } as const;
  let takePaths: readonly string[] = [];
  before(async () => {
    takePaths = [await numberedTake(0), await numberedTake(1), await numberedPhoto()];
  });

  test('each output frame is the right frame of the right take', async () => {
    await render({ ...settings, takePaths, outputPath }, none);
    assert.deepEqual(await numbersOf(outputPath), expected);
  });

  test('rendered in segments and joined: the same frames, within a slot too', async () => {
    const bounds = [0, 30, 64, 110, expected.length];
    const files = bounds.slice(1).map((to, index) => ({
      range: { from: bounds[index]!, to },
      outputPath: joinPath(folder, `segment-${index}.mp4`),
    }));
    const rendered = await renderSegments({ ...settings, takePaths, segments: files }, none);
    const segments = rendered.map((segment, index) => ({ ...segment, path: files[index]!.outputPath }));
    const joined = joinPath(folder, 'joined.mp4');
    await join({ timeline, segments, sound: null, outputPath: joined }, none);
    assert.deepEqual(await numbersOf(joined), expected);
  });

  test('pictures of segments make stills, poster and filmstrip of the output', async () => {
    const bounds = [0, 30, expected.length];
    const files = bounds.slice(1).map((to, index) => ({
      range: { from: bounds[index]!, to },
      outputPath: joinPath(folder, `pictured-${index}.mp4`),
      picturesPath: joinPath(folder, `pictured-${index}.jpg`),
    }));
    await renderSegments({ ...settings, takePaths, segments: files }, none);
    const [posterPath, filmstripPath] = [joinPath(folder, 'poster.jpg'), joinPath(folder, 'filmstrip.jpg')];
    const request = { segments: files, size: SIZE, rate: RATE, posterPath, filmstripPath };
    // The first segment has one picture, in its middle; the second two.
    const timesSeconds = [0, 29.9, 30, 62, 110, 149].map((frame) => frame / RATE);
    const stills = await joinedPictures({ ...request, stills: { timesSeconds, areaPixels: 256 * 144 } });
    assert.deepEqual(
      stills.map(({ timeSeconds }) => timeSeconds),
      timesSeconds,
    );
    const shown: number[] = [];
    for (const { jpeg, width, height } of stills) {
      assert.deepEqual([width, height], [256, 144]);
      writeFileSync(joinPath(folder, 'still.jpg'), jpeg);
      shown.push(...(await numbersOf(joinPath(folder, 'still.jpg'))));
    }
    assert.deepEqual(
      shown,
      [15, 15, 60, 60, 120, 120].map((frame) => expected[frame]),
    );
    const poster = await numbersOf(posterPath);
    assert.ok([15, 60, 120].map((frame) => expected[frame]).includes(poster[0]));
    const filmstrip = await outlineOf(filmstripPath);
    assert.deepEqual([filmstrip.video?.width, filmstrip.video?.height], [12 * 214, 120]);
    writeFileSync(files[1]!.picturesPath, 'damaged');
    await assert.rejects(joinedPictures(request), { code: 'OUTPUT_VERIFY_FAILED' });
  });

  test('a transition with handles plays both takes on at full speed', async () => {
    const slide: TimelineTransition = {
      ...{ clipIndex: 2, type: 'wipe', durationSeconds: 0.8, easing: 'linear' },
      ...{ direction: 'left', hasHandles: true },
    };
    // The same take after its handle: its decoder has read beyond the clip's end.
    const ordered = [slot(0, 3, 4), slot(1, 2, 3.2), slot(0, 4, 5), slot(1, 3.4, 4.4)];
    const changed = { ...timeline, clips: ordered, transitions: [slide] };
    const schedule = new FrameSchedule(changed);
    const at = (index: number) => {
      const { first, second } = schedule.at(index);
      return [first, second].map((moment) => moment && Math.round(moment.sourceSeconds * RATE));
    };
    // The cut is at frame 55; each side continues for ten frames.
    assert.deepEqual(
      [at(45), at(54), at(55), at(64)],
      [
        [70, 90],
        [79, 99],
        [80, 100],
        [89, 109],
      ],
    );
    const path = joinPath(folder, 'handles.mp4');
    await render({ ...settings, timeline: changed, takePaths, outputPath: path }, none);
    const shown = await numbersOf(path);
    const plain = (index: number) => {
      const { clipIndex, sourceSeconds } = schedule.at(index).first;
      return ordered[clipIndex]!.take * NUMBERS_PER_TAKE + Math.round(sourceSeconds * RATE);
    };
    for (const [index, number] of shown.entries())
      if (index < 45 || index >= 65) assert.equal(number, plain(index), `frame ${index}`);
  });

  test('a dissolve mixes the ends of two takes', async () => {
    const dissolve = { clipIndex: 1, type: 'dissolve', durationSeconds: 0.4, easing: 'linear' } as const;
    const path = joinPath(folder, 'dissolve.mp4');
    await render(
      { ...settings, timeline: { ...timeline, transitions: [dissolve] }, takePaths, outputPath: path },
      none,
    );
    const numbers = await numbersOf(path);
    assert.equal(numbers.length, expected.length);
    assert.deepEqual(numbers.slice(0, 25), expected.slice(0, 25));
    assert.deepEqual(numbers.slice(35), expected.slice(35));
  });
});

describe('the mix', () => {
  const SAMPLE_RATE = 48_000;
  /** Constant signals: the sound at a time is the sum of the gains of its parts. */
  const level = (name: string, value: number, seconds: number) => {
    const channel = new Float32Array(seconds * SAMPLE_RATE).fill(value);
    return writeWave(joinPath(folder, `${name}.wav`), SAMPLE_RATE, [channel, channel]);
  };
  const span = (
    source: SoundSpan['source'],
    start: number,
    end: number,
    more: Partial<SoundSpan> = {},
  ): SoundSpan => ({
    source,
    ...{
      sourceStartSeconds: 0,
      startSeconds: start,
      endSeconds: end,
      gainDb: 0,
      fadeInSeconds: 0,
      fadeOutSeconds: 0,
    },
    ...more,
  });
  const mixed = async (
    spans: readonly SoundSpan[],
    musicGain: readonly { timeSeconds: number; gainDb: number }[] = [],
    pieceSeconds?: number,
  ) => {
    const timeline = timelineOf([slot(0, 0, 4)]);
    const paths = [level('take-0', 0.25, 10), level('take-1', 0.125, 10)];
    const sound = new MixedSound(
      timeline,
      { spans, musicGain },
      paths,
      level('music', 0.5, 10),
      pieceSeconds,
    );
    const left: number[] = [];
    for await (const [block] of sound.blocks()) left.push(...block);
    assert.equal(left.length, 4 * SAMPLE_RATE);
    return (seconds: number) => left[Math.round(seconds * SAMPLE_RATE)]!;
  };

  for (const [name, pieceSeconds] of [
    ['in one piece', undefined],
    ['piece by piece', 1],
  ] as const)
    test(`spans begin and end on their samples and are added, ${name}`, async () => {
      const spans = [span('music', 0, 4), span(0, 1, 2), span(1, 1.5, 3, { sourceStartSeconds: 5 })];
      const at = await mixed(spans, [], pieceSeconds);
      const expected: [number, number][] = [
        [0.5, 0.5],
        [0.9999, 0.5],
        [1, 0.75],
        [1.5, 0.875],
        [2, 0.625],
        [3, 0.5],
      ];
      for (const [seconds, value] of expected)
        assert.ok(Math.abs(at(seconds) - value) < 1e-4, `${seconds}: ${at(seconds)}`);
    });

  test('the music is ducked by its gain, linear in dB', async () => {
    const keys = [
      { timeSeconds: 1, gainDb: 0 },
      { timeSeconds: 2, gainDb: -12 },
      { timeSeconds: 3, gainDb: 0 },
    ];
    const at = await mixed([span('music', 0, 4)], keys);
    for (const [seconds, gainDb] of [
      [0.5, 0],
      [1.5, -6],
      [2, -12],
      [2.5, -6],
      [3.5, 0],
    ] as const)
      assert.ok(Math.abs(at(seconds) - 0.5 * 10 ** (gainDb / 20)) < 1e-3, `${seconds}: ${at(seconds)}`);
  });

  test('crossing fades add up to equal power', async () => {
    const at = await mixed([span(0, 0, 2, { fadeOutSeconds: 1 }), span(1, 1, 3, { fadeInSeconds: 1 })]);
    const [out, into] = [
      at(1.25),
      0.25 * Math.cos((0.25 * Math.PI) / 2) + 0.125 * Math.sin((0.25 * Math.PI) / 2),
    ];
    assert.ok(Math.abs(out - into) < 1e-3, `${out} for ${into}`);
  });

  test('sound far into a take is exact after a seek', async () => {
    const take = await makeClip(folder, {
      name: 'clicks',
      durationSeconds: 40,
      width: 64,
      height: 36,
      frameRate: { numerator: 5, denominator: 1 },
    });
    const timeline = timelineOf([slot(0, 0, 4)]);
    const sound = new MixedSound(
      timeline,
      { spans: [span(0, 0, 4, { sourceStartSeconds: 35.5 })], musicGain: [] },
      [take],
      undefined,
    );
    const direct: number[] = [];
    for await (const { channels } of openSamples(take, { sampleRate: SAMPLE_RATE, channels: 'stereo' }))
      direct.push(...channels[0]!);
    const heard: number[] = [];
    for await (const [block] of sound.blocks()) heard.push(...block);
    const peakNear = (samples: readonly number[], from: number) => {
      const part = samples.slice(from - 2000, from + 2000);
      return part.reduce((best, value, index) => (Math.abs(value) > Math.abs(part[best]!) ? index : best), 0);
    };
    assert.ok(Math.abs(peakNear(heard, 0.5 * SAMPLE_RATE) - peakNear(direct, 36 * SAMPLE_RATE)) <= 1);
  });
});
