import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openFrames } from '../../src/media/decode/frames.ts';
import { openSamples } from '../../src/media/decode/samples.ts';
import { render } from '../../src/render/render.ts';
import type { AudioPlan, Grade, Timeline } from '../../src/style/model/timeline.ts';
import { makeClip, readNumber, temporaryFolder } from '../support/clips.ts';
import { timelineClip as clip } from '../support/timeline-clip.ts';

const folder = temporaryFolder();
const FLAT: AudioPlan = {
  equalizer: [
    { hz: 100, gainDb: 4 },
    { hz: 1000, gainDb: 0 },
    { hz: 8000, gainDb: -4 },
  ],
  compressor: { rangeLu: 2, crestDb: 10 },
  targetLufs: -20,
  truePeakDbtp: -1,
};

const COOLER: Grade = {
  lightness: [
    { in: 0, out: 5 },
    { in: 100, out: 95 },
  ],
  chroma: 0.9,
  offsets: [{ at: 50, a: 0, b: -8 }],
  skinGuardDegrees: 10,
};

async function rendered(name: string, sourcePath: string, change: Partial<Timeline>) {
  const timeline: Timeline = {
    version: 2,
    frameRate: { numerator: 25, denominator: 1 },
    width: 320,
    height: 180,
    clips: [clip(0, 3)],
    transitions: [],
    takes: [{ grade: null }],
    audio: null,
    captions: [],
    ...change,
  };
  const outputPath = join(folder, `${name}-out.mp4`);
  const fractions: number[] = [];
  const request = { takePaths: [sourcePath], timeline, preset: 'veryfast', crf: 18, outputPath };
  const result = await render({ ...request, posterPath: join(folder, `${name}.jpg`) }, (f) =>
    fractions.push(f),
  );
  assert.deepEqual(
    fractions,
    [...fractions].sort((a, b) => a - b),
    'progress never falls',
  );
  const frames = await Array.fromAsync(openFrames(outputPath));
  return { result, outputPath, frames, numbers: frames.map(({ grey }) => readNumber(grey)) };
}

describe('render', async () => {
  const source = await makeClip(folder, { name: 'source' });

  test('one clip at equal rates: every frame once, in order, at its time', async () => {
    const { result, frames, numbers } = await rendered('plain', source, {});
    assert.equal(result.frameCount, 75);
    assert.deepEqual(
      numbers,
      Array.from({ length: 75 }, (_, n) => n),
    );
    for (const { index, timeSeconds } of frames) assert.ok(Math.abs(timeSeconds - index / 25) < 0.001);
  });

  for (const [name, numerator, denominator] of [
    ['twice the rate', 50, 1],
    ['NTSC', 30000, 1001],
    ['half the rate', 25, 2],
  ] as const) {
    test(`${name}: frames are repeated or dropped by their times`, async () => {
      const { numbers } = await rendered(`rate-${numerator}`, source, {
        frameRate: { numerator, denominator },
      });
      const rate = numerator / denominator;
      assert.equal(numbers.length, Math.round(3 * rate));
      for (const [n, number] of numbers.entries())
        assert.ok(Math.abs(number / 25 - n / rate) <= 0.5 / rate + 0.021);
    });
  }

  test('parts left out: the clips follow each other', async () => {
    const { numbers } = await rendered('trim', source, {
      clips: [clip(0, 1), clip(2, 3, { reason: 'trim' })],
    });
    assert.deepEqual(numbers, [...Array(25).keys(), ...Array.from({ length: 25 }, (_, n) => 50 + n)]);
  });

  test('a transition changes nothing outside itself', async () => {
    const clips = [clip(0, 1), clip(1, 3, { reason: 'source_cut' })];
    const wipe = {
      clipIndex: 1,
      type: 'wipe',
      direction: 'right',
      durationSeconds: 0.4,
      easing: 'linear',
    } as const;
    const { numbers } = await rendered('wipe', source, { clips, transitions: [wipe] });
    assert.equal(numbers.length, 75);
    for (const n of [...Array(20).keys(), ...Array.from({ length: 45 }, (_, k) => 30 + k)])
      assert.equal(numbers[n], n);
  });

  test('a fade through a color shows that color in its middle', async () => {
    const clips = [clip(0, 1), clip(1, 3, { reason: 'source_cut' })];
    for (const color of ['#0040ff', '#c81e1e', '#7f7f7f']) {
      const fade = {
        clipIndex: 1,
        type: 'fade_color',
        color,
        durationSeconds: 0.44,
        easing: 'linear',
      } as const;
      const { frames, numbers } = await rendered(`fade-${color.slice(1)}`, source, {
        clips,
        transitions: [fade],
      });
      assert.equal(numbers[19], 19);
      assert.equal(numbers[31], 31);
      const wanted = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
      const distances = frames.map(({ color: { data } }) =>
        data.reduce((most, level, at) => Math.max(most, Math.abs(level - wanted[at % 3])), 0),
      );
      const middle = distances.indexOf(Math.min(...distances));
      assert.ok(middle === 24 || middle === 25, `${color}: frame ${middle}`);
      assert.ok(distances[middle] <= 8, `${color}: ${distances[middle]} levels off`);
    }
  });

  test('a padded picture shows the whole source in the middle', async () => {
    const { frames } = await rendered('pad', source, {
      width: 180,
      height: 320,
      clips: [clip(0, 3, { fit: 'pad' })],
    });
    const { grey } = frames[30];
    assert.ok(grey.height > grey.width);
    assert.equal(readNumber(grey), 30);
  });

  for (const [what, size] of [
    ['above and below', { width: 180, height: 320 }],
    ['on either side', { width: 640, height: 180 }],
  ] as const) {
    test(`what is extended ${what} shows the whole source, and about it the colors of its edges`, async () => {
      const clips = [clip(0, 3, { fit: 'extend' })];
      const { frames } = await rendered(`extend ${size.width}`, source, { ...size, clips });
      const { grey } = frames[30];
      const upright = size.height > size.width;
      if (upright) assert.equal(readNumber(grey), 30);
      const at = (x: number, y: number) =>
        grey.data[Math.floor(y * grey.height) * grey.width + Math.floor(x * grey.width)];
      // Along a line from the outer edge to where the source begins nothing changes.
      const line = [0.01, 0.08, 0.16, 0.24].map((place) => (upright ? at(0.5, place) : at(place, 0.5)));
      assert.ok(Math.max(...line) - Math.min(...line) <= 6, line.join(' '));
    });
  }

  test('extended sides keep their color over the whole height', async () => {
    const size = { width: 640, height: 720 };
    const path = await makeClip(folder, {
      ...{ name: 'flat', durationSeconds: 0.2, ...size },
      draw: (rgb) => rgb.set(Buffer.alloc(rgb.length, Buffer.from([215, 205, 190]))),
    });
    const clips = [clip(0, 0.2, { fit: 'extend' })];
    const { frames } = await rendered('flat extended', path, { width: 1280, height: 720, clips });
    const { data } = frames[2].grey;
    assert.ok(Math.max(...data) - Math.min(...data) <= 1, `${Math.min(...data)} to ${Math.max(...data)}`);
  });

  test('a moving framing ends at its last key', async () => {
    const to = { x: 0.25, y: 0.25, width: 0.5, height: 0.5 };
    const { frames } = await rendered('push', source, { clips: [clip(0, 3, { to })] });
    const bars = (index: number) => {
      const { grey } = frames[index];
      const row = grey.data.subarray(grey.width * 40, grey.width * 41);
      return row.reduce(
        (changes, level, x) => changes + (x > 0 && Math.abs(level - row[x - 1]) > 40 ? 1 : 0),
        0,
      );
    };
    // Frame 42 (101010) has bars throughout its lower bits; at the end only the middle half of the picture is left.
    assert.equal(readNumber(frames[0].grey), 0);
    assert.ok(bars(42) >= 3, `${bars(42)} edges in frame 42`);
    assert.equal(frames.length, 75);
  });

  test('the same plan gives the same bytes', async () => {
    const to = { x: 0.1, y: 0.1, width: 0.8, height: 0.8 };
    const change = {
      clips: [clip(0, 1, { to }), clip(1, 3, { reason: 'source_cut' })],
      transitions: [{ clipIndex: 1, type: 'zoom', durationSeconds: 0.4, easing: 'ease_in' }],
      grade: COOLER,
      audio: FLAT,
    } as const;
    const [first, second] = [await rendered('once', source, change), await rendered('twice', source, change)];
    assert.deepEqual(readFileSync(first.outputPath), readFileSync(second.outputPath));
  });

  test('sound stays in sync through equaliser, compressor, gain and limiter', async () => {
    const { outputPath } = await rendered('sound', source, { audio: FLAT });
    const peaks = Array.from({ length: 4 }, () => ({ at: 0, level: 0 }));
    for await (const { startSeconds, sampleRate, channels } of openSamples(outputPath, {
      sampleRate: 48_000,
      channels: 'mono',
    })) {
      channels[0].forEach((sample, index) => {
        const at = startSeconds + index / sampleRate;
        const second = Math.floor(at + 0.2);
        if (Math.abs(sample) > peaks[second].level) peaks[second] = { at, level: Math.abs(sample) };
      });
    }
    for (let second = 0; second < 3; second++) {
      assert.ok(
        Math.abs(peaks[second].at - second) < 0.005,
        `the click of second ${second} is at ${peaks[second].at}`,
      );
    }
  });

  test('loudness and true peak match the plan', async () => {
    const path = await makeClip(folder, {
      name: 'tone',
      durationSeconds: 6,
      audio: (t) => 0.05 * Math.sin(2 * Math.PI * 997 * t) * (1 + 0.5 * Math.sin(2 * Math.PI * 0.5 * t)),
    });
    const { result } = await rendered('tone', path, {
      clips: [clip(0, 6)],
      audio: { ...FLAT, targetLufs: -16 },
    });
    assert.ok(Math.abs(result.integratedLufs! + 16) < 0.5, `${result.integratedLufs} LUFS`);
    assert.ok(result.truePeakDbtp! <= -1, `${result.truePeakDbtp} dBTP`);
  });
});
