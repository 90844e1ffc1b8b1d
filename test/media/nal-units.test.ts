import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_VP9 } from 'node-av/constants';
import type { Packet, Stream } from 'node-av/lib';
import { disposableTest } from '../../src/media/av/nal-units.ts';
import { openInput } from '../../src/media/av/open-input.ts';
import { StreamDecoder } from '../../src/media/av/stream-decoder.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { writePhoneClip } from '../support/phone-clip.ts';
import { remux } from '../support/remux.ts';

/** Configurations of which only the bytes that are read are right. */
const AVC_LENGTHS_OF_4 = Buffer.from([1, 0x64, 0, 0x1f, 0xff]);
const AVC_LENGTHS_OF_2 = Buffer.from([1, 0x64, 0, 0x1f, 0xfd]);
const HEVC_LENGTHS_OF_4 = Buffer.concat([Buffer.from([1]), Buffer.alloc(20), Buffer.from([0x0f])]);
const [H264, HEVC] = [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC];

const CASES: readonly (readonly [string, number, Buffer | null, number[] | null, boolean])[] = [
  ['a slice of reference 0', H264, AVC_LENGTHS_OF_4, [0, 0, 0, 2, 0x01, 9], true],
  ['a slice of reference 2', H264, AVC_LENGTHS_OF_4, [0, 0, 0, 2, 0x41, 9], false],
  ['lengths of two bytes', H264, AVC_LENGTHS_OF_2, [0, 2, 0x01, 9, 0, 2, 0x01, 9], true],
  ['one slice of two is referred to', H264, AVC_LENGTHS_OF_2, [0, 2, 0x01, 9, 0, 2, 0x61, 9], false],
  ['a message before the slice', H264, AVC_LENGTHS_OF_4, [0, 0, 0, 1, 0x06, 0, 0, 0, 1, 0x01], true],
  ['a message alone', H264, AVC_LENGTHS_OF_4, [0, 0, 0, 1, 0x06], false],
  ['a length past the end', H264, AVC_LENGTHS_OF_4, [0xff, 0xff, 0xff, 0xff, 0x41], false],
  ['start codes', H264, null, [0, 0, 0, 1, 0x09, 0x10, 0, 0, 1, 0x01, 9], true],
  ['start codes, referred to', H264, null, [0, 0, 1, 0x65, 9], false],
  ['a packet of nothing', H264, null, [], false],
  ['no packet', H264, null, null, false],
  ['HEVC, TRAIL_N', HEVC, HEVC_LENGTHS_OF_4, [0, 0, 0, 2, 0x00, 1], true],
  ['HEVC, TRAIL_R', HEVC, HEVC_LENGTHS_OF_4, [0, 0, 0, 2, 0x02, 1], false],
  ['HEVC, RASL_N behind a delimiter', HEVC, null, [0, 0, 1, 0x46, 1, 0x50, 0, 0, 1, 0x10, 1], true],
  ['HEVC, IDR_W_RADL', HEVC, HEVC_LENGTHS_OF_4, [0, 0, 0, 2, 0x26, 1], false],
];

describe('pictures that no other refers to', () => {
  for (const [name, codecId, extradata, bytes, expected] of CASES) {
    test(name, () => {
      const isDisposable = disposableTest({ codecpar: { codecId, extradata } } as unknown as Stream);
      const data = bytes === null ? null : Buffer.from(bytes);
      assert.equal(isDisposable?.({ data } as Packet), expected);
    });
  }

  test('are not known of other codecs', () => {
    const stream = { codecpar: { codecId: AV_CODEC_ID_VP9, extradata: null } } as unknown as Stream;
    assert.equal(disposableTest(stream), null);
  });

  const folder = temporaryFolder();
  const avc = makeClip(folder, { name: 'avc' });
  const inContainer = async (container: string) => {
    const path = join(folder, `avc.${container}`);
    await remux(await avc, container, path);
    return path;
  };
  const CLIPS: Readonly<Record<string, () => Promise<string>>> = {
    'H.264 in MP4': () => avc,
    'H.264 in Matroska': () => inContainer('matroska'),
    'H.264 in MPEG-TS': () => inContainer('mpegts'),
    'HEVC in MP4': () =>
      writePhoneClip(join(folder, 'hevc.mp4'), {
        width: 320,
        height: 180,
        framesPerSecond: 30,
        frameCount: 40,
      }),
  };
  for (const [name, make] of Object.entries(CLIPS)) {
    test(`without them the others are the same: ${name}`, async () => {
      const path = await make();
      const whole = await picturesOf(path, false);
      const others = await picturesOf(path, true);
      assert.ok(others.size < 0.8 * whole.size, `${others.size} of ${whole.size} frames are left`);
      for (const [time, picture] of others) assert.equal(picture, whole.get(time), `at ${time}`);
    });
  }
});

/** Digests of the decoded frames by their time. */
async function picturesOf(path: string, withoutDisposable: boolean): Promise<Map<number, string>> {
  using input = await openInput(path);
  const isDisposable = disposableTest(input.video!)!;
  const choose = (packet: Packet) => !(withoutDisposable && isDisposable(packet));
  using decoder = await StreamDecoder.open(input, input.video!, { choose });
  const pictures = new Map<number, string>();
  for (let frame = decoder.next(); frame !== null; frame = decoder.next()) {
    const digest = createHash('sha256');
    for (const plane of frame.data!) digest.update(plane);
    pictures.set(decoder.frameSeconds(frame), digest.digest('hex'));
  }
  return pictures;
}
