import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { AV_PIX_FMT_YUV420P } from 'node-av/constants';
import { FormatContext, Rational } from 'node-av/lib';
import { emptyFrame } from '../../src/media/av/empty-frame.ts';
import { checkResult } from '../../src/media/av/ffmpeg-result.ts';
import { HardwareFrameConverter } from '../../src/media/encode/hardware-encoder.ts';
import { lengthPrefixed } from '../../src/media/encode/length-prefixed.ts';
import { allocateEncoder, openEncoder } from '../../src/media/encode/stream-encoder.ts';
import { readPackets } from '../../src/render/verify/verify-packets.ts';
import { temporaryFolder } from '../support/clips.ts';

const folder = temporaryFolder();

describe('units behind start codes, behind their lengths', () => {
  for (const [what, bytes, expected] of [
    ['a start code of three bytes', [0, 0, 1, 9, 8], [0, 0, 0, 2, 9, 8]],
    ['of four', [0, 0, 0, 1, 9, 8], [0, 0, 0, 2, 9, 8]],
    ['two units', [0, 0, 0, 1, 9, 0, 0, 1, 7, 6, 5], [0, 0, 0, 1, 9, 0, 0, 0, 3, 7, 6, 5]],
    ['zeros within a unit', [0, 0, 1, 9, 0, 0, 3, 1], [0, 0, 0, 5, 9, 0, 0, 3, 1]],
    ['a zero that belongs to the next code', [0, 0, 1, 9, 0, 0, 0, 1, 7], [0, 0, 0, 1, 9, 0, 0, 0, 1, 7]],
    ['none', [], []],
  ] as const) {
    test(what, () => {
      assert.deepEqual([...lengthPrefixed(Uint8Array.from(bytes))], expected);
    });
  }
});

test('the checksum of packets with start codes, as hardware encoders return them, matches the file', async () => {
  const path = join(folder, 'annexb.mp4');
  const [width, height] = [320, 180];
  const output = new FormatContext();
  checkResult(output.allocOutputContext2(null, 'mp4', path), 'Opening');
  const codec = allocateEncoder('libx264');
  const { context } = codec;
  Object.assign(context, { width, height, pixelFormat: AV_PIX_FMT_YUV420P, gopSize: 10 });
  context.timeBase = new Rational(1, 25);
  context.framerate = new Rational(25, 1);
  using encoder = await openEncoder(
    output,
    codec,
    { preset: 'veryfast' },
    context.timeBase,
    new HardwareFrameConverter('nvenc', context),
  );
  checkResult(await output.openOutput(), 'Opening');
  checkResult(await output.writeHeader(null), 'Writing');
  for (let number = 0; number < 25; number++) {
    const frame = emptyFrame(width, height);
    for (const [index, plane] of frame.data!.entries()) plane?.fill(index === 0 ? 20 + 7 * number : 128);
    frame.pts = BigInt(number);
    encoder.send(frame);
    frame.free();
  }
  encoder.send(null);
  checkResult(await output.writeTrailer(), 'Writing');
  await output.closeOutput();
  const written = { video: encoder.written, audio: null };
  assert.equal(written.video.packetCount, 25);
  const { fault, keyPackets } = await readPackets(path, written, { numerator: 25, denominator: 1 });
  assert.equal(fault, null);
  assert.deepEqual(keyPackets.slice(0, 2), [0, 10]);
  output.freeContext();
});
