/** Faults put into real files: each must be found, and named. */
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import type { Frame } from 'node-av/lib';
import { isFailure } from '../../src/domain/errors.ts';
import { emptyFrame } from '../../src/media/av/empty-frame.ts';
import { openInput } from '../../src/media/av/open-input.ts';
import { Mp4Writer } from '../../src/media/encode/encode.ts';
import { OneTakeReader } from '../../src/render/picture/one-take-reader.ts';
import { planesOf } from '../../src/render/picture/planes.ts';
import { SourceFrames } from '../../src/render/picture/source-frames.ts';
import { VideoRenderer } from '../../src/render/render-video.ts';
import { SampleLog } from '../../src/render/verify/sample-log.ts';
import { chosenPackets, type OutputExpectation, verifyOutput } from '../../src/render/verify/verify.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { timelineClip } from '../support/timeline-clip.ts';

const folder = temporaryFolder();
const FRAME_RATE = { numerator: 25, denominator: 1 };
const [SECONDS, WIDTH, HEIGHT] = [16, 160, 96];
const FRAMES = SECONDS * 25;

/** A row of stripes, long enough to be read from any offset. */
const STRIPES = Uint8Array.from({ length: 4096 }, (_, x) => 40 + ((x * 2) % 160));

/** Stripes that wander; black where the number is negative. */
function paint(frame: Frame, number: number): void {
  const [luma, ...chroma] = planesOf(frame);
  for (let y = 0; y < HEIGHT; y++) {
    const row = luma.data.subarray(y * luma.stride, y * luma.stride + WIDTH);
    if (number < 0) row.fill(16);
    else row.set(STRIPES.subarray(y + 3 * number, y + 3 * number + WIDTH));
  }
  for (const plane of chroma) plane.data.fill(128);
}

const TONE = Float32Array.from({ length: 1920 }, (_, i) => 0.1 * Math.sin((2 * Math.PI * 41 * i) / 1920));

/** Writes a clip whose frame n shows `shown(n)`, while frame n was meant to show n. */
async function write(name: string, shown: (number: number) => number): Promise<[string, OutputExpectation]> {
  const path = join(folder, name);
  const encoding = { width: WIDTH, height: HEIGHT, frameRate: FRAME_RATE, preset: 'ultrafast', crf: 28 };
  using writer = await Mp4Writer.open(path, encoding, true);
  const drawn = new SampleLog(25);
  const frame = emptyFrame(WIDTH, HEIGHT);
  for (let number = 0; number < FRAMES; number++) {
    paint(frame, number);
    drawn.push(frame);
    paint(frame, shown(number));
    writer.writeFrame(frame);
    writer.writeSamples(TONE, TONE);
  }
  frame.free();
  const written = await writer.finish();
  const audio = { integratedLufs: -20, truePeakDbtp: -20 };
  const size = { width: WIDTH, height: HEIGHT };
  const times = { frameRate: FRAME_RATE, frameCount: FRAMES, durationSeconds: SECONDS };
  return [path, { ...size, ...times, written, drawn, audio }];
}

const complaint = async (path: string, expected: OutputExpectation): Promise<string> => {
  try {
    await verifyOutput(path, expected, () => {});
    return 'nothing';
  } catch (error) {
    assert.ok(isFailure(error) && error.code === 'OUTPUT_VERIFY_FAILED', String(error));
    return error.detail;
  }
};

describe('verifyOutput', () => {
  let path = '';
  let expected: OutputExpectation;
  before(async () => {
    [path, expected] = await write('good.mp4', (number) => number);
  });

  test('passes correct outputs, and measures them', async () => {
    const { integratedLufs, truePeakDbtp } = await verifyOutput(path, expected, () => {});
    assert.ok(Math.abs(integratedLufs! + 20) < 1, `${integratedLufs} LUFS`);
    assert.ok(Math.abs(truePeakDbtp! + 20) < 1, `${truePeakDbtp} dBTP`);
  });

  test('any changed byte of the streams is detected', async () => {
    const whole = readFileSync(path);
    const start = whole.indexOf('mdat') + 4;
    for (let share = 0.01; share < 1; share += 0.14) {
      const damaged = Buffer.from(whole);
      damaged[start + Math.floor(share * (whole.length - start))] ^= 1;
      const copy = join(folder, 'damaged.mp4');
      writeFileSync(copy, damaged);
      assert.match(await complaint(copy, expected), /differs from the encoder/);
    }
  });

  test('a file that was cut off', async () => {
    const copy = join(folder, 'cut.mp4');
    copyFileSync(path, copy);
    truncateSync(copy, readFileSync(path).length - 3000);
    assert.match(await complaint(copy, expected), /packets, not|damaged|differs from the encoder/);
  });

  const changed: [string, Partial<OutputExpectation>, RegExp][] = [
    ['too few frames', { frameCount: FRAMES + 1 }, /has 400 frames, not 401/],
    ['another size', { width: WIDTH + 2 }, /frames are 160x96/],
    ['another rate', { frameRate: { numerator: 24, denominator: 1 } }, /not at their times/],
    ['another length of sound', { durationSeconds: SECONDS + 0.2 }, /sound differs from the plan by 0\.2/],
    [
      'another loudness',
      { audio: { integratedLufs: -14, truePeakDbtp: -1 } },
      /loudness is -\d\d\.\d LUFS, not -14/,
    ],
  ];
  for (const [name, change, words] of changed) {
    test(name, async () => assert.match(await complaint(path, { ...expected, ...change }), words));
  }

  test('sound that should not be there', async () => {
    const written = { ...expected.written, audio: null };
    assert.match(await complaint(path, { ...expected, written }), /it has a sound/);
  });

  for (const [name, shown, words] of [
    [
      'an encoder that got stuck',
      (n: number) => Math.min(n, 240),
      /differs from the one that was drawn|frozen/,
    ],
    [
      'an encoder that gave black',
      (n: number) => (n > 240 ? -1 : n),
      /differs from the one that was drawn|black/,
    ],
    [
      'an encoder that swapped frames',
      (n: number) => (n < 240 ? n : n + 20),
      /differs from the one that was drawn/,
    ],
  ] as const) {
    test(name, async () => assert.match(await complaint(...(await write('stuck.mp4', shown))), words));
  }
});

test('of a long picture the first group is decoded, every fifth and the last; a short one whole', () => {
  const keys = Array.from({ length: 18 }, (_, group) => group * 50);
  const chosen = chosenPackets(keys, 900, 25);
  const groups = keys.filter((start) => chosen.slice(start, start + 50).every(Boolean));
  assert.deepEqual(groups, [0, 250, 500, 750, 850]);
  assert.equal(chosen.filter(Boolean).length, 250);
  assert.ok(chosenPackets([0, 30, 60], 100, 25).every(Boolean), 'four seconds are decoded whole');
  const short = chosenPackets([0, 30, 60], 101, 25);
  assert.deepEqual([short.indexOf(false), short.lastIndexOf(false)], [30, 59]);
});

describe('drawing', async () => {
  const source = await makeClip(folder, { name: 'source', durationSeconds: 2 });
  const timeline = {
    ...{ version: 2 as const, frameRate: FRAME_RATE, width: 320, height: 180, clips: [timelineClip(0, 2)] },
    ...{ takes: [{ grade: null }], transitions: [], audio: null, captions: [] },
  };
  for (const [name, filter, words] of [
    ['a sound chain', '', null],
    [
      'a frozen filter chain',
      "select='lt(n,10)',fps=25,tpad=stop=-1:stop_mode=clone,trim=end_frame=50,",
      /^it is frozen/,
    ],
    ['a chain that gives black', 'lutyuv=y=16:u=128:v=128,', /^it is (black|frozen)/],
    ['a chain that gives white', 'lutyuv=y=235:u=128:v=128,', /^it is frozen/],
  ] as const) {
    test(`${name}: ${words === null ? 'nothing is wrong' : 'noticed'}`, async () => {
      using input = await openInput(source);
      using frames = await SourceFrames.open(input);
      frames.at(0, 0.02, 0);
      // Each frame brings its own colors: the filter is put into all of them.
      const video = { ...frames.video, colors: filter };
      Object.defineProperty(frames, 'video', { get: () => video, set: () => {} });
      using renderer = new VideoRenderer(timeline, new OneTakeReader(timeline, frames));
      for (let number = 0; number < renderer.frameCount; number++) renderer.draw(number, () => {});
      if (words === null) assert.equal(renderer.fault, null);
      else assert.match(renderer.fault ?? '', words);
    });
  }
});
