import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { probeFile } from '../../src/media/read/probe.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { flashingOddClip } from '../support/flash-and-beep.ts';
import { mediaPath } from '../support/media.ts';
import { remux } from '../support/remux.ts';

const folder = temporaryFolder();
const PICTURE = Buffer.from([0, 0, 1, 0xe0]);
const LIMITS = { maxDurationSeconds: 14_400 };

describe('probeFile', () => {
  test('measures the properties of the file', async () => {
    const path = await makeClip(folder, { name: 'probe' });
    const probed = await probeFile(path, LIMITS);
    assert.deepEqual(
      { ...probed, durationSeconds: Math.round(probed.durationSeconds * 100) / 100 },
      {
        contentType: 'video/mp4',
        container: 'mp4',
        durationSeconds: 3,
        width: 320,
        height: 180,
        rotation: 0,
        frameRate: 25,
        videoCodec: 'h264',
        audioCodec: 'aac',
        warnings: [],
      },
    );
  });

  test('measures a transport stream in which some pictures have no stamps', async () => {
    const path = join(folder, 'unstamped.ts');
    await remux(await makeClip(folder, { name: 'stamped' }), 'mpegts', path);
    const bytes = readFileSync(path);
    // Every seventh packet of the picture, by its start code and stream id; two bits select the stamps that follow.
    for (let at = bytes.indexOf(PICTURE), n = 0; at >= 0; at = bytes.indexOf(PICTURE, at + 1), n++)
      if (n % 7 === 3) bytes[at + 7] &= 0x3f;
    writeFileSync(path, bytes);
    const { durationSeconds, frameRate } = await probeFile(path, LIMITS);
    assert.ok(Math.abs(durationSeconds - 3) < 0.05, `${durationSeconds} s`);
    assert.ok(Math.abs(frameRate - 25) < 0.5, `${frameRate} frames/s`);
  });

  for (const format of ['mp4', 'flv', 'asf', 'ogg'])
    test(`reports a second file behind an ${format} in seconds`, async () => {
      const path = join(folder, `single.${format}`);
      const part =
        format === 'ogg'
          ? await flashingOddClip(folder, 'part-ogg', 3, [1], { channels: 2 }, format)
          : await makeClip(folder, { name: `part-${format}` });
      await remux(part, format, path);
      assert.deepEqual((await probeFile(path, LIMITS)).warnings, []);
      // The second Ogg file has other stream numbers, like another recording.
      const [second, joined] = [join(folder, `second.${format}`), join(folder, `joined.${format}`)];
      await remux(part, format, second);
      writeFileSync(joined, Buffer.concat([readFileSync(path), readFileSync(second)]));
      const [warning, ...others] = (await probeFile(joined, LIMITS)).warnings;
      assert.deepEqual(others, []);
      assert.equal(warning?.code, 'JOINED_FILE_LEFT_OUT');
      const seconds = Number(/about (\d+\.\d) s/.exec(warning.message)?.[1]);
      assert.ok(Math.abs(seconds - 3) < 0.3, warning.message);
    });

  for (const isIndexFirst of [false, true])
    test(`reports a second file behind an old MOV with its index ${isIndexFirst ? 'first' : 'last'}`, async () => {
      const part = join(folder, `old-${isIndexFirst}.mov`);
      const clip = await makeClip(folder, { name: `part-mov-${isIndexFirst}` });
      if (!isIndexFirst) await remux(clip, 'mov', part);
      const bytes = readFileSync(isIndexFirst ? clip : part);
      assert.equal(bytes.indexOf('moov') < bytes.indexOf('mdat'), isIndexFirst);
      // Cameras before `ftyp` wrote another first box; this one has the same length.
      bytes.write('free', bytes.indexOf('ftyp'), 'latin1');
      writeFileSync(part, Buffer.concat([bytes, bytes]));
      const [warning, ...others] = (await probeFile(part, LIMITS)).warnings;
      assert.deepEqual([warning?.code, others], ['JOINED_FILE_LEFT_OUT', []]);
      const seconds = Number(/about (\d+\.\d) s/.exec(warning!.message)?.[1]);
      assert.ok(Math.abs(seconds - 3) < 0.3, warning!.message);
    });

  test('counts an empty place of an AVI as a repeated picture', async () => {
    // A place for each millisecond, and a picture in every fortieth.
    const path = await flashingOddClip(folder, 'repeats', 3, [], { channels: 2 }, 'avi');
    const { durationSeconds, warnings } = await probeFile(path, LIMITS);
    assert.ok(Math.abs(durationSeconds - 3) < 0.05, `${durationSeconds} s`);
    assert.deepEqual(warnings, []);
  });

  test('names the tag of a codec that FFmpeg does not know', async () => {
    const path = await flashingOddClip(folder, 'unknown', 1, [], { channels: 2 }, 'avi');
    // An early test version of HEVC, by its tag in the stream's header and format.
    writeFileSync(
      path,
      Buffer.from(readFileSync(path).toString('latin1').replaceAll('H264', 'HM10'), 'latin1'),
    );
    await assert.rejects(probeFile(path, LIMITS), {
      code: 'INVALID_VIDEO',
      detail: 'Stream 0 has no decoder (codec: unknown, tag "HM10")',
    });
  });

  test('names the codec of a header that is wrong, as of HEVC in an AVI without a tag', async () => {
    const path = await flashingOddClip(folder, 'untagged', 1, [], { channels: 2 }, 'avi');
    const untagged = readFileSync(path).toString('latin1').replaceAll('H264', '\0\0\0\0');
    writeFileSync(path, Buffer.from(untagged, 'latin1'));
    await assert.rejects(probeFile(path, LIMITS), {
      code: 'INVALID_VIDEO',
      detail: /its codec, rawvideo; .* wrong codec/,
    });
  });

  test('errors about the running time contain the value and the limit', async () => {
    const path = await makeClip(folder, { name: 'long' });
    await assert.rejects(probeFile(path, { maxDurationSeconds: 2 }), {
      code: 'VIDEO_LIMIT_EXCEEDED',
      detail: 'The video lasts 3 s; at most 2 s are accepted',
    });
    const short = await makeClip(folder, { name: 'short', durationSeconds: 0.2 });
    await assert.rejects(probeFile(short, LIMITS), {
      code: 'VIDEO_LIMIT_EXCEEDED',
      detail: /lasts 0\.200 s/,
    });
  });

  /** `media/hostile/EXPECT.json`: the expected error of each; a duration if it is accepted. */
  const table: Readonly<Record<string, string | number>> = {
    'all_black_no_audio.mp4': 5,
    'audio_only.mp4': 'INVALID_VIDEO',
    'avc1_claims_65535x65535.mp4': 2,
    'bad_keyframes.mp4': 5,
    'bipbop_nonfragment_header.mp4': 'INVALID_VIDEO',
    'chunk_out_of_range.mp4': 'INVALID_VIDEO',
    'concat_etc_passwd.mp4': 'UNSUPPORTED_VIDEO_FORMAT',
    'hls_reads_etc_passwd.mp4': 'UNSUPPORTED_VIDEO_FORMAT',
    'hls_ssrf_loopback_as.mp4': 'UNSUPPORTED_VIDEO_FORMAT',
    'invalid_userdata.mp4': 'INVALID_VIDEO',
    'malformed-join.mp3': 8.59,
    'minimal.mp4': 'VIDEO_LIMIT_EXCEEDED',
    'mvhd_duration_4294967294.mp4': 2,
    'no_duration.webm': 4.94,
    'no_timescale.mp4': 6.04,
    'one_frame_2x2.mp4': 'VIDEO_LIMIT_EXCEEDED',
    'short-cenc.mp4': 'INVALID_VIDEO',
    'test_case_1185230.mp4': 'INVALID_VIDEO',
    'text.mp4': 'UNSUPPORTED_VIDEO_FORMAT',
    'truncated_half.mp4': 'INVALID_VIDEO',
    'truncated_moov_missing.mp4': 'INVALID_VIDEO',
    'zero_bytes.mp4': 'INVALID_VIDEO',
    'zero_empty_stsc.mp4': 'INVALID_VIDEO',
  };
  for (const [name, expected] of Object.entries(table)) {
    test(`hostile/${name}: ${expected}`, async (t) => {
      const path = mediaPath(`hostile/${name}`);
      if (path === null) return t.skip(`needs ../shared/media/hostile/${name}`);
      if (typeof expected === 'string') await assert.rejects(probeFile(path, LIMITS), { code: expected });
      else assert.ok(Math.abs((await probeFile(path, LIMITS)).durationSeconds - expected) < 0.05);
    });
  }
});
