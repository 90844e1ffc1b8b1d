import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Frame } from '../../src/domain/footage.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { gridSizes } from '../../src/media/decode/grids.ts';
import { openSamples } from '../../src/media/decode/samples.ts';
import { makeClip, readNumber, temporaryFolder } from '../support/clips.ts';
import type { DrawnClip } from '../support/drawn-clip.ts';
import { mediaPath } from '../support/media.ts';
import { remux } from '../support/remux.ts';

const folder = temporaryFolder();

/** A bright square that moves across a gradient. */
const drawSlowly: DrawnClip['draw'] = (rgb, seconds) => {
  for (let y = 0; y < 180; y++) {
    for (let x = 0; x < 320; x++) {
      const isSquare = Math.abs(x - 60 - 40 * seconds) < 30 && Math.abs(y - 90) < 30;
      rgb.fill(isSquare ? 220 : 40 + ((x + y) >> 3), 3 * (320 * y + x), 3 * (320 * y + x) + 3);
    }
  }
};

async function allFrames(path: string): Promise<Frame[]> {
  return Array.fromAsync(openFrames(path));
}

describe('openFrames', () => {
  test('hands out every frame once, in order, at its time', async () => {
    const frames = await allFrames(await makeClip(folder, { name: 'numbered' }));
    assert.equal(frames.length, 75);
    for (const [index, frame] of frames.entries()) {
      assert.equal(frame.index, index);
      assert.equal(readNumber(frame.grey), index);
      assert.ok(Math.abs(frame.timeSeconds - index / 25) < 0.0005);
    }
  });

  for (const container of ['mp4', 'matroska', 'mpegts']) {
    test(`hands out frames by their own numbers and times where it skips some, from ${container}`, async () => {
      const plain = await makeClip(folder, { name: `thinned-${container}`, draw: drawSlowly });
      const path = join(folder, `thinned.${container}`);
      await remux(plain, container, path);
      const whole = await allFrames(path);
      const thinned = await Array.fromAsync(openFrames(path, { thinned: true }));
      assert.ok(thinned.length < 0.7 * whole.length, `${thinned.length} of ${whole.length} are handed out`);
      const times: number[] = [];
      for (const { index, timeSeconds, grey, color, skippedSeconds } of thinned) {
        const same = whole[index];
        assert.equal(timeSeconds, same.timeSeconds);
        assert.deepEqual(grey.data, same.grey.data);
        assert.deepEqual(color.data, same.color.data);
        times.push(...(skippedSeconds ?? []));
        assert.equal(times.length, index);
        times.push(timeSeconds);
      }
      assert.deepEqual(
        times,
        whole.map((frame) => frame.timeSeconds),
      );
    });
  }

  test('may be left at any frame', async () => {
    const path = await makeClip(folder, { name: 'left' });
    for (const last of [0, 1, 7, 74]) {
      for await (const { index } of openFrames(path)) if (index === last) break;
    }
    const signal = AbortSignal.abort(new Error('enough'));
    await assert.rejects(async () => {
      for await (const _ of openFrames(path, { signal })) await new Promise((done) => setTimeout(done, 60));
    }, /enough/);
  });

  test('has details about three times a second', async () => {
    const frames = await allFrames(await makeClip(folder, { name: 'details' }));
    const details = frames.filter((frame) => frame.detail !== null);
    assert.ok(details.length >= 9 && details.length <= 11, `${details.length} in 3 s`);
    assert.deepEqual([details[0].detail!.width, details[0].detail!.height], [640, 360]);
  });

  test('colors are full-range BT.709', async () => {
    const table = [
      [255, 0, 0],
      [0, 255, 0],
      [0, 0, 255],
      [255, 255, 255],
      [0, 0, 0],
      [128, 64, 200],
    ] as const;
    for (const color of table) {
      const draw = (rgb: Uint8Array) => {
        for (let at = 0; at < rgb.length; at++) rgb[at] = color[at % 3];
      };
      const [frame] = await allFrames(
        await makeClip(folder, { name: `color-${color}`, draw, durationSeconds: 0.2, crf: 5 }),
      );
      for (let c = 0; c < 3; c++) {
        const observed = frame!.color.data[3 * 100 + c];
        assert.ok(Math.abs(observed - color[c]) <= 4, `${color}: channel ${c} is ${observed}`);
      }
    }
  });

  for (const [name, count, upright] of [
    ['video/rotated270_h264.mp4', 149, true],
    ['video/vertical_hdr10_av1.mp4', 127, true],
    ['video/screenrec_vfr.mp4', 63, false],
    ['hostile/bad_keyframes.mp4', 120, false],
  ] as const) {
    test(`${name}: ${count} frames, ${upright ? 'upright' : 'lying'}`, async (t) => {
      const path = mediaPath(name);
      if (path === null) return t.skip(`needs ../shared/media/${name}`);
      const frames = await allFrames(path);
      assert.equal(frames.length, count);
      assert.equal(frames[0].grey.height > frames[0].grey.width, upright);
      for (let i = 1; i < frames.length; i++) assert.ok(frames[i].timeSeconds >= frames[i - 1].timeSeconds);
    });
  }

  test('an HDR picture is tone-mapped into the middle of the range, not washed out', async (t) => {
    const path = mediaPath('video/vertical_hdr10_av1.mp4');
    if (path === null) return t.skip('needs ../shared/media/video/vertical_hdr10_av1.mp4');
    const [frame] = await allFrames(path);
    const sorted = [...frame!.grey.data].sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))];
    // Shown as if it were SDR, the same frame spans 100 grey levels.
    assert.ok(at(0.95) - at(0.05) > 140, `from ${at(0.05)} to ${at(0.95)}`);
  });
});

test('grids have the area and the ratio', () => {
  for (const ratio of [16 / 9, 9 / 16, 1, 2.39, 4 / 3, 1000, 0.0001]) {
    const { grey } = gridSizes(ratio);
    const bounded = Math.min(16, Math.max(1 / 16, ratio));
    assert.ok(Math.abs((grey.width * grey.height) / 14400 - 1) < 0.05);
    assert.ok(Math.abs(grey.width / grey.height / bounded - 1) < 0.05);
  }
});

describe('openSamples', () => {
  test('sound has its times: clicks each second', async () => {
    const path = await makeClip(folder, { name: 'clicks' });
    const found: number[] = [];
    for await (const { startSeconds, sampleRate, channels } of openSamples(path, {
      sampleRate: 44_100,
      channels: 'mono',
    })) {
      channels[0].forEach((sample, index) => {
        const seconds = startSeconds + index / sampleRate;
        if (Math.abs(sample) > 0.3 && seconds - (found.at(-1) ?? -1) > 0.5) found.push(seconds);
      });
    }
    assert.equal(found.length, 3);
    found.forEach((seconds, index) => {
      assert.ok(Math.abs(seconds - index) < 0.002, `click ${index} at ${seconds}`);
    });
  });

  test('a file without sound reports it', async () => {
    const path = await makeClip(folder, { name: 'silent', silent: true, durationSeconds: 1 });
    await assert.rejects(Array.fromAsync(openSamples(path, { sampleRate: 44_100, channels: 'mono' })), {
      code: 'INPUT_UNSUPPORTED',
    });
  });
});
