/** Uncompressed AVI of 32 bits: the fourth byte of a pixel has no meaning. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  AV_CODEC_ID_RAWVIDEO,
  AV_PIX_FMT_BGRA,
  AV_PKT_FLAG_KEY,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import { FormatContext, Packet, Rational } from 'node-av/lib';
import { openFrames } from '../../src/media/decode/frames.ts';
import { temporaryFolder } from '../support/clips.ts';
import { check, finish } from '../support/remux.ts';

const SIZE = { width: 64, height: 48 };

async function rawAvi(path: string, [red, green, blue, fourth]: readonly number[]): Promise<string> {
  const output = new FormatContext();
  check(output.allocOutputContext2(null, 'avi', path));
  const stream = output.newStream(null);
  stream.timeBase = new Rational(1, 10);
  stream.avgFrameRate = new Rational(10, 1);
  const codec = { codecType: AVMEDIA_TYPE_VIDEO, codecId: AV_CODEC_ID_RAWVIDEO, format: AV_PIX_FMT_BGRA };
  Object.assign(stream.codecpar, { ...codec, bitsPerCodedSample: 32, ...SIZE });
  check(await output.openOutput());
  check(await output.writeHeader());
  const packet = new Packet();
  packet.alloc();
  for (let number = 0n; number < 10n; number++) {
    packet.data = Buffer.alloc(4 * SIZE.width * SIZE.height, Buffer.from([blue!, green!, red!, fourth!]));
    const times = { pts: number, dts: number, duration: 1n };
    Object.assign(packet, { streamIndex: 0, flags: AV_PKT_FLAG_KEY, ...times });
    check(output.interleavedWriteFrameSync(packet));
    packet.unref();
  }
  await finish(output, packet);
  return path;
}

for (const fourth of [0, 100, 255]) {
  test(`${fourth} changes no color`, async () => {
    const path = await rawAvi(join(temporaryFolder(), 'raw.avi'), [200, 120, 40, fourth]);
    const frames = await Array.fromAsync(openFrames(path));
    assert.equal(frames.length, 10);
    const found = [...frames[0]!.color.data.subarray(0, 3)];
    for (const [axis, wanted] of [200, 120, 40].entries())
      assert.ok(Math.abs(found[axis]! - wanted) <= 3, `${found}`);
  });
}
