/** Picture and sound that are in a file but cannot be decoded are reported in seconds. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Studio } from '../../src/library.ts';
import { openInput } from '../../src/media/av/open-input.ts';
import { probeFile } from '../../src/media/read/probe.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { damage } from '../support/damage.ts';
import { flashingClip } from '../support/flash-and-beep.ts';
import { writeOddClip } from '../support/odd-clips.ts';
import { remux } from '../support/remux.ts';
import { remuxWithout } from '../support/remux-tracks.ts';

const folder = temporaryFolder();
const studio = new Studio({ workRoot: join(folder, 'work') });
const clip = await flashingClip(folder, 'clip', 4, [0.6, 3.4]);
const tone = await makeClip(folder, {
  name: 'tone',
  durationSeconds: 4,
  ...{ width: 160, height: 90 },
  draw: (rgb, seconds) => {
    rgb.fill(60 + Math.round(20 * seconds));
  },
  audio: (seconds) => 0.3 * Math.sin(2 * Math.PI * 440 * seconds),
});
/** Bytes that neither H.264 nor AAC accepts. */
const INVALID = 0xff;

async function applied(source: string) {
  const output = `${source}-output.mp4`;
  const { warnings } = await studio.apply({ source, output, look: null, config: { quality: 'low' } });
  return { output, warnings };
}

/** Warnings of the analysis, which each edit of the file repeats. */
async function fileWarnings(source: string) {
  const analysis = await studio.analyze(source);
  assert.equal(analysis.kind, 'clip');
  const { video, audio } = analysis.facts;
  return [...(video.fileWarnings ?? []), ...(audio?.fileWarnings ?? [])];
}

/** Seconds that a warning of this code names. */
function lostSeconds(warnings: readonly { code: string; message: string }[], code: string): number {
  const warning = warnings.find((one) => one.code === code);
  assert.ok(warning !== undefined, `no ${code} in ${JSON.stringify(warnings)}`);
  return Number(/(\d+\.\d) s of/.exec(warning.message)?.[1]);
}

test('a whole file loses nothing', async () => {
  const { warnings } = await applied(clip);
  assert.deepEqual(warnings, []);
  assert.deepEqual((await probeFile(clip, { maxDurationSeconds: 60 })).warnings, []);
});

test('a damaged span of the picture', async () => {
  const path = await damage(clip, 'picture', [1, 2], join(folder, 'picture.mp4'), INVALID);
  const { warnings } = await applied(path);
  // A second of packets, and up to .3 s of pictures that refer to them.
  const lost = lostSeconds(warnings, 'PICTURE_NOT_DECODED');
  assert.ok(lost >= 1 && lost <= 1.3, JSON.stringify(warnings));
});

test('pictures before the first that can be decoded, at the upload too', async () => {
  const path = await damage(clip, 'picture', [0, 1], join(folder, 'start.mp4'), INVALID);
  const { warnings } = await probeFile(path, { maxDurationSeconds: 60 });
  const lost = lostSeconds(warnings, 'PICTURE_NOT_DECODED');
  assert.ok(lost >= 0.85, `${lost} s`);
  const ofJob = lostSeconds((await applied(path)).warnings, 'PICTURE_NOT_DECODED');
  assert.ok(ofJob >= lost, `${ofJob} s, at the upload ${lost} s`);
});

test('a damaged span of the sound', async () => {
  const path = await damage(clip, 'sound', [1, 2], join(folder, 'sound.mp4'), INVALID);
  const { warnings } = await applied(path);
  assert.ok(Math.abs(lostSeconds(warnings, 'SOUND_NOT_DECODED') - 1) < 0.15, JSON.stringify(warnings));
});

describe('a gap that a person notices is reported in seconds, in its container and copied into MP4', () => {
  for (const [kind, code, gap] of [
    ['picture', 'PICTURE_GAP', 1],
    ['picture', 'PICTURE_GAP', 0.4],
    ['sound', 'SOUND_GAP', 1],
    ['sound', 'SOUND_GAP', 0.2],
  ] as const)
    test(`${gap} s of ${kind}`, async () => {
      const gapped = join(folder, `${kind}-${gap}.ts`);
      await remuxWithout(tone, 'mpegts', gapped, kind, [1.5, 1.5 + gap]);
      const copied = join(folder, `${kind}-${gap}.mp4`);
      await remux(gapped, 'mp4', copied);
      for (const path of gap === 1 ? [gapped, copied] : [gapped]) {
        const warnings = await fileWarnings(path);
        assert.deepEqual(
          warnings.map((one) => one.code),
          [code],
        );
        assert.ok(Math.abs(Number(/for (\d+\.\d) s/.exec(warnings[0].message)?.[1]) - gap) <= 0.11);
      }
    });
});

describe('a gap that nobody notices is not reported', () => {
  for (const [what, source, kind, span] of [
    ['of two pictures', tone, 'picture', [1.5, 1.58]],
    ['of .04 s of sound', tone, 'sound', [1.5, 1.54]],
    ['of a second of sound between silences', clip, 'sound', [1.5, 2.5]],
  ] as const)
    test(what, async () => {
      const path = join(folder, `${what.replaceAll(' ', '-')}.ts`);
      await remuxWithout(source, 'mpegts', path, kind, span);
      assert.deepEqual(await fileWarnings(path), []);
    });
  test('of pictures in a screen recording, whose rate varies', async () => {
    const path = await writeOddClip(join(folder, 'screen.mkv'), {
      container: 'matroska',
      ...{ width: 160, height: 96 },
      timesSeconds: Array.from({ length: 40 }, (_, n) => 0.04 * n + 0.7 * Math.floor(n / 5)),
      luma: (x, _y, frame) => ((x + 3 * frame) % 50) / 50,
      audioStreams: [],
    });
    assert.deepEqual(await fileWarnings(path), []);
  });
});

test('a sound track that gives no samples: the film without sound', async () => {
  const path = await damage(clip, 'sound', [-1, 9], join(folder, 'silent.mp4'), INVALID);
  const { warnings: ofUpload } = await probeFile(path, { maxDurationSeconds: 60 });
  const { output, warnings } = await applied(path);
  for (const all of [ofUpload, warnings])
    assert.deepEqual(
      all.map(({ code }) => code),
      ['SOUND_NOT_DECODABLE'],
    );
  using rendered = await openInput(output);
  assert.equal(rendered.audio, null);
});
