import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { probeFile } from '../../src/media/read/probe.ts';
import { readVideoPictures } from '../../src/media/read/video-pictures.ts';
import { sine } from '../support/audio.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { encodeImage } from '../support/image.ts';
import { decodeJpeg } from '../support/jpeg.ts';
import { mediaPath } from '../support/media.ts';
import { writeSong } from '../support/songs.ts';
import { writeWave } from '../support/wave-file.ts';

const folder = temporaryFolder();
const LIMITS = { maxDurationSeconds: 120 };
const clip = await makeClip(folder, { name: 'clip' });
const cover = await encodeImage('jpeg', { width: 64, height: 64 }, (x, y) => [4 * x, 4 * y, 128]);

async function assertSong(path: string, contentType: string, audioCodec: string, seconds: number) {
  const { durationSeconds, ...rest } = await probeFile(path, LIMITS);
  assert.ok(Math.abs(durationSeconds - seconds) < 0.1, `${durationSeconds} s`);
  const container = rest.container;
  assert.deepEqual(rest, {
    ...{ contentType, container, width: 0, height: 0, rotation: 0, frameRate: 0, videoCodec: '', audioCodec },
    warnings: [],
  });
}

describe('a song', () => {
  test('as M4A, with and without a cover', async () => {
    const path = await writeSong(clip, 'ipod', join(folder, 'song.m4a'));
    await assertSong(path, 'audio/mp4', 'aac', 3);
    const covered = await writeSong(clip, 'ipod', join(folder, 'covered.m4a'), cover);
    await assertSong(covered, 'audio/mp4', 'aac', 3);
  });

  test('as AAC and as WAV', async () => {
    await assertSong(await writeSong(clip, 'adts', join(folder, 'song.aac')), 'audio/aac', 'aac', 3);
    const wave = writeWave(join(folder, 'song.wav'), 44_100, [sine(440, -12, 2)]);
    await assertSong(wave, 'audio/wav', 'pcm_f32le', 2);
  });

  test('behind which another is joined: that one is reported in seconds', async () => {
    for (const song of [
      await writeSong(clip, 'ipod', join(folder, 'first.m4a')),
      writeWave(join(folder, 'first.wav'), 44_100, [sine(440, -12, 3)]),
      ...[mediaPath('wild/metro60_4.flac')].filter((path) => path !== null),
    ]) {
      const { durationSeconds } = await probeFile(song, LIMITS);
      const joined = join(folder, 'joined.song');
      writeFileSync(joined, Buffer.concat([readFileSync(song), readFileSync(song)]));
      const [warning, ...others] = (await probeFile(joined, LIMITS)).warnings;
      assert.deepEqual([warning?.code, others], ['JOINED_FILE_LEFT_OUT', []]);
      const seconds = Number(/about (\d+\.\d) s/.exec(warning!.message)?.[1]);
      assert.ok(Math.abs(seconds - durationSeconds) < 0.3, warning!.message);
    }
  });

  for (const [name, contentType, codec, seconds] of [
    ['music/808kick_120bpm.mp3', 'audio/mpeg', 'mp3', 10],
    ['music/loop_breakbeat_x10_126bpm.flac', 'audio/flac', 'flac', 19.05],
    ['music/chaos_god_170bpm_60s.ogg', 'audio/ogg', 'vorbis', 60],
  ] as const) {
    test(`as ${contentType}`, async (t) => {
      const path = mediaPath(name);
      if (path === null) return t.skip(`needs ../shared/media/${name}`);
      // A misleading name: the bytes decide.
      const copy = join(folder, 'upload.mp4');
      writeFileSync(copy, readFileSync(path));
      await assertSong(copy, contentType, codec, seconds);
    });
  }

  test('is refused as an MP4, which should have a picture, and where it is too long or too short', async () => {
    const path = await writeSong(clip, 'mp4', join(folder, 'silent-picture.mp4'));
    await assert.rejects(probeFile(path, LIMITS), { code: 'INVALID_VIDEO', detail: /no video stream.*M4A/ });
    const song = await writeSong(clip, 'ipod', join(folder, 'long.m4a'));
    await assert.rejects(probeFile(song, { maxDurationSeconds: 2 }), {
      code: 'VIDEO_LIMIT_EXCEEDED',
      detail: 'The sound lasts 3 s; at most 2 s are accepted',
    });
    const short = writeWave(join(folder, 'short.wav'), 44_100, [sine(440, -12, 0.1)]);
    await assert.rejects(probeFile(short, LIMITS), { code: 'VIDEO_LIMIT_EXCEEDED' });
  });

  for (const [what, bytes] of [
    [
      'an ID3 tag and text',
      Buffer.from(`ID3\u0004\u0000\u0000\u0000\u0000\u0000\u0010${'text '.repeat(500)}`),
    ],
    [
      'a sync word and text',
      Buffer.concat([Buffer.from([0xff, 0xfb, 0x90]), Buffer.from('text '.repeat(500))]),
    ],
    ['the head of a FLAC', Buffer.from(`fLaC${'\u0000'.repeat(38)}`)],
    ['the head of a WAV', Buffer.from('RIFF\u0010\u0000\u0000\u0000WAVEfmt ')],
    ['one byte', Buffer.from([0xff])],
  ] as const) {
    test(`is not ${what}`, async () => {
      const path = join(folder, 'no-song');
      writeFileSync(path, bytes);
      await assert.rejects(probeFile(path, LIMITS), ({ code }: { code: string }) =>
        ['INVALID_VIDEO', 'UNSUPPORTED_VIDEO_FORMAT', 'VIDEO_LIMIT_EXCEEDED'].includes(code),
      );
    });
  }

  test('has its waveform as poster and strip', async () => {
    const half = new Float32Array(44_100);
    const path = writeWave(join(folder, 'halves.wav'), 44_100, [
      Float32Array.from([...half, ...sine(440, -6, 1)]),
    ]);
    const { poster, filmstrip, tile, tileSeconds } = await readVideoPictures(path, 2, () => {});
    const picture = await decodeJpeg(poster);
    assert.deepEqual([picture.width, picture.height], [640, 360]);
    const lightAt = (x: number, y: number) => picture.data[(y * picture.width + x) * 3]!;
    assert.ok(lightAt(480, 60) - lightAt(160, 60) > 60, 'the loud half is high, the silent one flat');
    assert.ok(lightAt(160, 180) - lightAt(160, 60) > 40, 'silence is a line');
    const strip = await decodeJpeg(filmstrip);
    assert.deepEqual([strip.width, strip.height], [12 * tile.width, tile.height]);
    assert.equal(tileSeconds.length, 12);
  });
});
