/** Proxies: the renderer's picture of a source before crops and grade, at a constant rate, in the source's time. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Packet } from 'node-av/lib';
import { framesPerSecond } from '../../src/domain/time.ts';
import { openInput } from '../../src/media/av/open-input.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { makeProxy } from '../../src/pipeline/engine/proxy-task.ts';
import type { Plane } from '../../src/render/picture/composite.ts';
import { readMomentFrames } from '../../src/render/picture/moment-frames.ts';
import { planesOf } from '../../src/render/picture/planes.ts';
import { rgbToLab } from '../../src/signal/color-space.ts';
import { makeClip, readNumber, temporaryFolder } from '../support/clips.ts';
import { deltaE2000 } from '../support/color-difference.ts';
import { setDisplayMatrix } from '../support/display-matrix.ts';
import { beepsOf, flashesOf, flashingClip } from '../support/flash-and-beep.ts';
import { encodeImage, withOrientation } from '../support/image.ts';
import { decodeJpeg } from '../support/jpeg.ts';
import { mediaPath } from '../support/media.ts';
import { writeOddClip } from '../support/odd-clips.ts';
import { remux } from '../support/remux.ts';
import { writeSong } from '../support/songs.ts';

const folder = temporaryFolder();

async function proxyOf(sourcePath: string, name: string, durationSeconds = 1) {
  const path = join(folder, `${name}.proxy`);
  const fractions: number[] = [];
  const outline = await makeProxy({ sourcePath, proxyPath: path, durationSeconds }, (part) =>
    fractions.push(part),
  );
  assert.deepEqual(
    fractions,
    [...fractions].sort((a, b) => a - b),
  );
  return { path, ...outline };
}

async function timesAndNumbers(path: string) {
  const frames: { seconds: number; number: number }[] = [];
  for await (const { timeSeconds, grey } of openFrames(path))
    frames.push({ seconds: timeSeconds, number: readNumber(grey) });
  return frames;
}

type Color = [number, number, number];

/** Mean colors of blocks of a 4:2:0 frame of BT.709, limited range, in CIELAB. */
function blocksOf([luma, blue, red]: readonly [Plane, Plane, Plane], side: number): Color[] {
  const lab: Color[] = [];
  const out = new Float64Array(3);
  for (let top = 0; top + side <= luma.height; top += side)
    for (let left = 0; left + side <= luma.width; left += side) {
      const sum = [0, 0, 0];
      for (let y = top; y < top + side; y++)
        for (let x = left; x < left + side; x++) {
          sum[0]! += (luma.data[y * luma.stride + x] - 16) / 219;
          sum[1]! += (blue.data[(y >> 1) * blue.stride + (x >> 1)] - 128) / 224;
          sum[2]! += (red.data[(y >> 1) * red.stride + (x >> 1)] - 128) / 224;
        }
      const [light, cb, cr] = sum.map((one) => one / side ** 2) as Color;
      const [r, b] = [light + 1.5748 * cr, light + 1.8556 * cb];
      rgbToLab(clamped(r), clamped((light - 0.2126 * r - 0.0722 * b) / 0.7152), clamped(b), out);
      lab.push([...out] as Color);
    }
  return lab;
}

const clamped = (value: number) => Math.min(1, Math.max(0, value));

/** Mean ΔE2000 of the blocks of two frames. */
function distance(one: readonly Color[], other: readonly Color[]): number {
  assert.equal(one.length, other.length);
  return one.reduce((sum, color, at) => sum + deltaE2000(color, other[at]!), 0) / one.length;
}

/** The frame at a time, as pixels and as blocks of 8×8. */
async function colorsAt(path: string, seconds: number, size: { width: number; height: number }) {
  const [frame] = await readMomentFrames(path, [seconds], size, () => {});
  const planes = planesOf(frame!) as unknown as [Plane, Plane, Plane];
  const colors = { pixels: blocksOf(planes, 1), blocks: blocksOf(planes, 8) };
  frame!.free();
  return colors;
}

describe('time', () => {
  test('frames at uneven times become a constant rate that shows the same at each moment', async () => {
    // 30 frames a second with gaps of one to seven frames, as a phone drops them in the dark.
    const kept = Array.from({ length: 120 }, (_, n) => n).filter((n) => n % 11 !== 4 && !(n > 60 && n < 68));
    const times = kept.map((n) => Math.round((n * 1000) / 30) / 1000);
    const clip = await writeOddClip(join(folder, 'uneven.mkv'), {
      ...{ width: 320, height: 180, timesSeconds: times, audioStreams: [] },
      luma: (x, _y, frame) => ((frame >> Math.floor((10 * x) / 320)) & 1 ? 0.85 : 0.15),
    });
    const proxy = await proxyOf(clip, 'uneven');
    assert.deepEqual(proxy.frameRate, { numerator: 30, denominator: 1 });
    const shown = await timesAndNumbers(proxy.path);
    assert.equal(shown.length, Math.round(proxy.durationSeconds * 30));
    for (const [n, { seconds, number }] of shown.entries()) {
      assert.ok(Math.abs(seconds - n / 30) < 1e-3, `frame ${n} at ${seconds} s`);
      const wanted = times.findLastIndex((time) => time <= n / 30 + 0.5 / 30);
      assert.equal(number, wanted, `frame ${n}`);
    }
  });

  test('flashes and beeps stay together at any start time of the container', async () => {
    const moments = [0.4, 1.6, 2.92];
    const clip = await flashingClip(folder, 'flashing', 4, moments);
    const shifted = join(folder, 'from-10-s.ts');
    await remux(clip, 'mpegts', shifted, () => 0, 10);
    for (const path of [clip, shifted]) {
      const proxy = await proxyOf(path, 'flashing');
      const [{ seconds, frames }, beeps] = [await flashesOf(proxy.path), await beepsOf(proxy.path)];
      assert.equal(frames, 100);
      assert.equal(seconds.length, moments.length);
      assert.equal(beeps.length, moments.length);
      for (const [index, moment] of moments.entries()) {
        assert.ok(Math.abs(seconds[index]! - moment) < 0.001, `flash at ${seconds[index]} s`);
        assert.ok(Math.abs(beeps[index]! - moment) < 0.003, `beep at ${beeps[index]} s`);
      }
    }
  });

  test('every twelfth frame is a key frame, and each group decodes alone', async () => {
    const proxy = await proxyOf(await makeClip(folder, { name: 'keys', durationSeconds: 3 }), 'keys');
    using input = await openInput(proxy.path);
    const packet = new Packet();
    packet.alloc();
    const keys: number[] = [];
    let count = 0;
    while (input.read(packet)) {
      if (packet.streamIndex === input.video!.index) {
        if (packet.isKeyframe) keys.push(count);
        count++;
      }
      packet.unref();
    }
    packet.free();
    assert.equal(count, 75);
    for (const [index, at] of keys.entries()) assert.ok(at - (keys[index - 1] ?? 0) <= 12, keys.join(' '));
    assert.equal(keys[0], 0);
    const [index, media] = ['moov', 'mdat'].map((box) => readFileSync(proxy.path).indexOf(box)) as [
      number,
      number,
    ];
    assert.ok(index < media, 'the index is in front');
  });
});

describe('picture', () => {
  test('is upright', async () => {
    const clip = await makeClip(folder, { name: 'turned', durationSeconds: 1 });
    setDisplayMatrix(clip, [0, 1, -1, 0]);
    const { width, height } = await proxyOf(clip, 'turned');
    assert.deepEqual([width, height], [180, 320]);
  });

  for (const [name, seconds] of [
    ['edits/edit_vertical_a.mp4', 1],
    ['video/vertical_hdr10_av1.mp4', 2],
    ['video/rotated270_h264.mp4', 1],
    ['more/video/mdn_monster.mp4', 5],
  ] as const) {
    test(`${name} looks as the renderer draws it`, async (t) => {
      const source = mediaPath(name);
      if (source === null) return t.skip(`needs ${name}`);
      const proxy = await proxyOf(source, 'look');
      const rate = framesPerSecond(proxy.frameRate!);
      // Within a frame, whatever the source's times are rounded to.
      const within = (Math.round(seconds * rate) + 0.25) / rate;
      const drawn = await colorsAt(source, within, proxy);
      const shown = await colorsAt(proxy.path, within, proxy);
      const [pixels, blocks] = [distance(drawn.pixels, shown.pixels), distance(drawn.blocks, shown.blocks)];
      t.diagnostic(`ΔE2000 of pixels ${pixels.toFixed(2)}, of blocks ${blocks.toFixed(2)}`);
      // Pixels differ by the noise that the encoder leaves out, blocks by their colors alone.
      assert.ok(pixels <= 1.6, `pixels ${pixels}`);
      assert.ok(blocks <= 1, `blocks ${blocks}`);
    });
  }

  test('fields are joined', async () => {
    // Every field shows a bar further to the right: woven, its edges would be combs.
    const clip = await writeOddClip(join(folder, 'fields.mkv'), {
      ...{ width: 320, height: 192, interlaced: true, audioStreams: [] },
      timesSeconds: Array.from({ length: 25 }, (_, n) => n / 25),
      luma: (x, y, frame) => (Math.abs(x - (20 + 4 * (2 * frame + (y % 2)))) < 12 ? 0.9 : 0.1),
    });
    const proxy = await proxyOf(clip, 'fields');
    const [frame] = await readMomentFrames(proxy.path, [0.5], proxy, () => {});
    const [{ data, stride, width, height }] = planesOf(frame!) as unknown as [Plane];
    let comb = 0;
    for (let y = 21; y < height - 20; y++)
      for (let x = 0; x < width; x++)
        comb += Math.abs(2 * data[y * stride + x] - data[(y - 1) * stride + x] - data[(y + 1) * stride + x]);
    frame!.free();
    assert.ok(comb / (width * height) < 1.5, `${comb / (width * height)} levels of comb`);
  });

  test('a photo becomes an upright JPEG', async () => {
    const size = { width: 1600, height: 1200 };
    const photo = join(folder, 'photo.jpg');
    // Red on the left, blue on the right; turned by 90°, red is above.
    const encoded = await encodeImage('jpeg', size, (x) => (x < 800 ? [200, 40, 40] : [40, 40, 200]));
    writeFileSync(photo, withOrientation(encoded, 6));
    const proxy = await proxyOf(photo, 'photo');
    assert.deepEqual(
      [proxy.kind, proxy.width, proxy.height, proxy.frameRate, proxy.durationSeconds, proxy.hasSound],
      ['image', 1080, 1440, null, 0, false],
    );
    const picture = await decodeJpeg(readFileSync(proxy.path));
    assert.deepEqual([picture.width, picture.height], [1080, 1440]);
    const middleOf = (y: number) => [...picture.data.subarray(3 * (y * 1080 + 540), 3 * (y * 1080 + 541))];
    assert.ok(middleOf(300)[0]! > 180 && middleOf(1100)[2]! > 180, `${middleOf(300)} ${middleOf(1100)}`);
  });
});

test('a sound file, also one with a cover, becomes AAC in the same time', async () => {
  const moments = [0.5, 2];
  const clip = await flashingClip(folder, 'heard', 3, moments);
  const cover = await encodeImage('jpeg', { width: 64, height: 64 }, () => [200, 40, 40]);
  const song = await writeSong(clip, 'ipod', join(folder, 'song.m4a'), cover);
  const proxy = await proxyOf(song, 'song', 3);
  assert.deepEqual([proxy.kind, proxy.width, proxy.frameRate, proxy.hasSound], ['audio', 0, null, true]);
  assert.ok(Math.abs(proxy.durationSeconds - 3) < 0.05, `${proxy.durationSeconds} s`);
  const beeps = await beepsOf(proxy.path);
  assert.equal(beeps.length, 2);
  for (const [index, moment] of moments.entries())
    assert.ok(Math.abs(beeps[index]! - moment) < 0.003, `beep at ${beeps[index]} s`);
});
