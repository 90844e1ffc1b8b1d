/** Flashes and beeps stay synchronous for any start and any jump of the container's clock. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { DecodeLosses } from '../../src/media/av/decode-losses.ts';
import { openInput } from '../../src/media/av/open-input.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { samplesForAll } from '../../src/media/decode/samples.ts';
import { probeFile } from '../../src/media/read/probe.ts';
import { temporaryFolder } from '../support/clips.ts';
import { beepsOf, flashesOf, flashingClip, flashingOddClip } from '../support/flash-and-beep.ts';
import { mediaPath } from '../support/media.ts';
import { writeOddClip } from '../support/odd-clips.ts';
import { remux } from '../support/remux.ts';
import { type CopiedTrack, remuxTracks } from '../support/remux-tracks.ts';

const folder = temporaryFolder();
const FRAME_SECONDS = 1 / 25;
const RATE = 8000;
/** 2³³ ticks of 90 kHz, where MPEG's clock begins again (ISO/IEC 13818-1, section 2.4.3.7). */
const WRAP_SECONDS = 2 ** 33 / 90_000;
const clip = await flashingClip(folder, 'flashes', 4, [1, 3]);

async function assertTogether(path: string, moments: readonly number[], frames?: number) {
  const [flashes, beeps] = [await flashesOf(path), await beepsOf(path)];
  if (frames !== undefined) assert.ok(Math.abs(flashes.frames - frames) <= 1, `${flashes.frames} frames`);
  for (const [what, found] of [
    ['flashes', flashes.seconds],
    ['beeps', beeps],
  ] as const) {
    assertNear(found, moments, what);
  }
}

function assertNear(found: readonly number[], moments: readonly number[], what = 'found'): void {
  assert.equal(found.length, moments.length, `${what} at ${found}`);
  for (const [n, moment] of moments.entries())
    assert.ok(Math.abs(found[n] - moment) <= FRAME_SECONDS, `${what} at ${found}, not ${moments}`);
}

const pictureFirst = (one: CopiedTrack, other: CopiedTrack) => one.kind.localeCompare(other.kind);

async function startingAt(startSeconds: number, format = 'mpegts'): Promise<string> {
  const path = join(folder, `${format}-${startSeconds}.bin`);
  await remux(clip, format, path, () => 0, startSeconds);
  return path;
}

describe('a container that does not start at 0', () => {
  for (const format of ['mpegts', 'flv', 'matroska', 'mp4', 'mov', 'asf'])
    for (const start of [0, 3.2, 20])
      test(`${format} from ${start} s`, async () => {
        await assertTogether(await startingAt(start, format), [1, 3], 100);
      });
  test('avi, which has no times, with reordered pictures, to its last picture', async () => {
    const avi = await flashingOddClip(folder, 'avi', 4, [1, 3], { channels: 2 }, 'avi');
    await assertTogether(avi, [1, 3], 100);
    const times = (await Array.fromAsync(openFrames(avi))).map(({ timeSeconds }) => timeSeconds);
    assert.ok(Math.abs(times.at(-1)! - 3.96) < 0.005, `${times.slice(-4)}`);
  });
  test('mpegts across the end of its 33 bits', async () => {
    await assertTogether(await startingAt(WRAP_SECONDS - 3.5), [1, 3], 100);
  });
});

describe('a transport stream whose clock', () => {
  for (const { what, starts } of [
    { what: 'restarts', starts: [1, 1] },
    { what: 'restarts twice', starts: [1, 1, 1] },
    { what: 'jumps forward by hours', starts: [1, 7201] },
    { what: 'jumps back by seconds', starts: [9, 6.5] },
    { what: 'jumps back by hours', starts: [7200, 30] },
  ])
    test(`${what} loses nothing, and the probe reports it`, async () => {
      const path = join(folder, `${what.replaceAll(' ', '-')}.ts`);
      const parts = [];
      for (const start of starts) parts.push(readFileSync(await startingAt(start)));
      writeFileSync(path, Buffer.concat(parts));
      const moments = starts.flatMap((_, n) => [4 * n + 1, 4 * n + 3]);
      await assertTogether(path, moments, 100 * starts.length);
      const { durationSeconds, warnings } = await probeFile(path, { maxDurationSeconds: 60 });
      assert.ok(Math.abs(durationSeconds - 4 * starts.length) <= 2 * FRAME_SECONDS, `${durationSeconds} s`);
      assert.match(warnings.find(({ code }) => code === 'CLOCK_JUMPS')!.message, /at 4\.0/);
    });
});

describe('a transport stream joined so that both streams have a gap', () => {
  for (const { gap, moments, frames, closed } of [
    { gap: 5, moments: [1, 3, 5, 7], frames: 200, closed: /gaps of 5\.\d s/ },
    { gap: 1, moments: [1, 3, 6, 8], frames: 200, closed: null },
  ])
    test(`of ${gap} s`, async () => {
      const path = join(folder, `gap-${gap}.ts`);
      const parts = [await startingAt(1), await startingAt(5 + gap)];
      writeFileSync(path, Buffer.concat(parts.map((part) => readFileSync(part))));
      await assertTogether(path, moments, frames);
      const { warnings } = await probeFile(path, { maxDurationSeconds: 60 });
      const messages = warnings.map(({ message }) => message);
      assert.equal(messages.length, closed === null ? 0 : 1);
      if (closed !== null) assert.match(messages[0], closed);
    });
});

test('a gap of the picture alone, or of the sound alone, stays in a transport stream', async () => {
  for (const gone of ['picture', 'sound'] as const) {
    const path = join(folder, `gap-of-${gone}.ts`);
    const [cut, first, second] = ['cut.mov', 'first.ts', 'second.ts'].map((name) => join(folder, name));
    // One track ends at 1.4 s; it continues in the second part.
    const whole = { kind: gone === 'picture' ? 'sound' : 'picture' } as const;
    await remuxTracks(clip, 'mov', cut, [{ kind: gone, toSeconds: 1.4 }, whole].sort(pictureFirst));
    await remux(cut, 'mpegts', first, () => 0, 1);
    await remux(clip, 'mpegts', second, () => 0, 5);
    writeFileSync(path, Buffer.concat([readFileSync(first), readFileSync(second)]));
    const [flashes, beeps] = [await flashesOf(path), await beepsOf(path)];
    const [gapped, other] = gone === 'picture' ? [flashes.seconds, beeps] : [beeps, flashes.seconds];
    assertNear(gapped, [1, 5, 7]);
    assertNear(other, [1, 3, 5, 7]);
  }
});

test('sound that begins in the second of two joined parts is played there', async () => {
  const [silent, path] = [join(folder, 'silent.ts'), join(folder, 'silent-first.ts')];
  // Longer than the 7 s that FFmpeg analyzes of a transport stream.
  const long = await flashingClip(folder, 'long', 9, [1]);
  await remuxTracks(long, 'mpegts', silent, [{ kind: 'picture' }]);
  writeFileSync(path, Buffer.concat([silent, await startingAt(1)].map((part) => readFileSync(part))));
  assertNear((await flashesOf(path)).seconds, [1, 10, 12]);
  assertNear(await beepsOf(path), [10, 12]);
});

test('a part of joined transport streams in other tracks is left out and reported in seconds', async () => {
  const path = join(folder, 'other-tracks.ts');
  const parts: Buffer[] = [];
  for (const id of [300, 400]) {
    const part = join(folder, `${id}.ts`);
    await remuxTracks(clip, 'mpegts', part, [
      { kind: 'picture', id },
      { kind: 'sound', id: id + 1 },
    ]);
    parts.push(readFileSync(part));
  }
  writeFileSync(path, Buffer.concat(parts));
  const { warnings } = await probeFile(path, { maxDurationSeconds: 60 });
  for (const code of ['PICTURE_TRACK_LEFT_OUT', 'SOUND_TRACK_LEFT_OUT'])
    assert.match(warnings.find((one) => one.code === code)?.message ?? '', /: (3\.9|4\.\d) s of it/);
});

describe('a joined transport stream whose second picture begins at the key frame before', () => {
  for (const [what, start] of [
    ['the stamps of the sound continue', 5],
    ['the stamps of the sound go back by less than jitter', 4.96],
  ] as const)
    test(what, async () => {
      // The second part's picture begins a second before its sound.
      const [cut, second] = [join(folder, 'late.mov'), join(folder, `second-${start}.ts`)];
      const late = await flashingClip(folder, 'late-flashes', 4, [1.5, 3]);
      await remuxTracks(late, 'mov', cut, [{ kind: 'picture' }, { kind: 'sound', fromSeconds: 1 }]);
      await remux(cut, 'mpegts', second, () => 0, start - 1);
      const path = join(folder, `overlap-${start}.ts`);
      writeFileSync(path, Buffer.concat([readFileSync(await startingAt(1)), readFileSync(second)]));
      await assertTogether(path, [1, 3, 5.5, 7], 200);
    });
});

describe('sound whose format changes within the stream stays in sync', () => {
  const six = { channels: 6 } as const;
  const stereo = { channels: 2 } as const;
  const mono = { channels: 1, sampleRate: 22_050 } as const;
  for (const [what, formats] of [
    ['5.1 to stereo', [six, stereo]],
    ['stereo to 5.1', [stereo, six]],
    ['stereo to mono of 22.05 kHz', [stereo, mono]],
    ['mono of 22.05 kHz to 5.1 to stereo', [mono, six, stereo]],
  ] as const)
    test(what, async () => {
      const name = what.replaceAll(' ', '-');
      const parts: Buffer[] = [];
      for (const [n, format] of formats.entries()) {
        const part = await flashingOddClip(folder, `${name}-${n}`, 2, [0.48, 1.4], format);
        const path = join(folder, `${name}-${n}.ts`);
        await remux(part, 'mpegts', path, () => 0, 1 + 2 * n);
        parts.push(readFileSync(path));
      }
      const path = join(folder, `${name}.ts`);
      writeFileSync(path, Buffer.concat(parts));
      const moments = formats.flatMap((_, n) => [2 * n + 0.48, 2 * n + 1.4]);
      await assertTogether(path, moments, 50 * formats.length);
    });
});

/** A second with a tone throughout: stereo, then mono of another rate, whose sound begins `earlier` seconds before its picture. */
async function changingTone(earlier: number): Promise<string> {
  const parts: Buffer[] = [];
  for (const [n, format] of ([{ channels: 2 }, { channels: 1, sampleRate: 22_050 }] as const).entries()) {
    const part = await writeOddClip(join(folder, `tone-part-${n}.piece`), {
      ...{ container: 'mpegts', width: 160, height: 96 },
      timesSeconds: Array.from({ length: 75 }, (_, frame) => frame / 25),
      luma: () => 0.2,
      audioStreams: [{ ...format, durationSeconds: 3, sample: (t) => 0.3 * Math.sin(2 * Math.PI * 400 * t) }],
    });
    const path = join(folder, `tone-part-${n}.ts`);
    await remux(part, 'mpegts', path, () => (n === 0 ? 0 : -earlier), 1 + 3 * n);
    parts.push(readFileSync(path));
  }
  const path = join(folder, `tone-${earlier}.ts`);
  writeFileSync(path, Buffer.concat(parts));
  return path;
}

for (const earlier of [0, 0.12])
  test(`sound of half the rate has no gaps, ${earlier} s of it before its picture`, async () => {
    const path = await changingTone(earlier);
    const losses = new DecodeLosses();
    using input = await openInput(path);
    let silent = 0;
    const all = [{ sampleRate: RATE, channels: 'mono' }] as const;
    for await (const [, { channels }] of samplesForAll(input, all, { losses }))
      for (let at = 0; at + RATE / 100 <= channels[0].length; at += RATE / 100)
        if (channels[0].subarray(at, at + RATE / 100).every((value) => Math.abs(value) < 0.05)) silent++;
    losses.finish();
    assert.deepEqual(losses.gaps, []);
    assert.ok(silent <= 5, `${silent} of 600 hundredths of a second are silent`);
    assert.deepEqual((await probeFile(path, { maxDurationSeconds: 60 })).warnings, []);
  });

test('sound that begins later or earlier than the picture has the same offset', async () => {
  for (const delay of [2, -2]) {
    const path = join(folder, `delay${delay}.ts`);
    await remux(clip, 'mpegts', path, () => delay, 5);
    const { seconds } = await flashesOf(path);
    const [first] = await beepsOf(path);
    assert.ok(Math.abs(first! - seconds[0] - delay) <= FRAME_SECONDS, `${seconds}, ${first}`);
    assert.ok(Math.abs(Math.min(first!, seconds[0]) - 1) <= FRAME_SECONDS, `${seconds}, ${first}`);
  }
});

describe('files after public reports', () => {
  for (const [name, flashes, delay] of [
    ['ts-start-1.4s.ts', [2, 5.5], 0],
    ['avchd-like-start-1.5s.MTS', [2, 5.5], 0],
    ['flv-start-3s.flv', [2, 5.5], 0],
    ['webm-mediarecorder-start-0.5s.webm', [2, 5.5], 0.12],
    ['aac-44k-mono-to-48k-stereo-at-4s.ts', [2, 5.433], 0],
    ['ts-joined-clock-restarts.ts', [2, 5.5], 0],
    ['apac_first.mov', [2], 0],
    ['thumb.wmv', [2.043, 5.543], 0],
  ] as const)
    test(name, async (t) => {
      const path = mediaPath(`wild/${name}`);
      if (path === null) return t.skip(`needs ../shared/media/wild/${name}`);
      const found = await flashesOf(path);
      const beeps = await beepsOf(path);
      assert.equal(beeps.length, flashes.length, `${beeps}`);
      for (const [n, seconds] of flashes.entries()) {
        assert.ok(Math.abs(found.seconds[n] - seconds) < 0.01, `${found.seconds}`);
        assert.ok(Math.abs(beeps[n] - seconds - delay) < 1 / 30, `${beeps}`);
      }
    });
  test('a sound track without a decoder is replaced by the next one, and the probe names it', async (t) => {
    const path = mediaPath('wild/apac_first.mov');
    if (path === null) return t.skip('needs ../shared/media/wild/apac_first.mov');
    const { audioCodec, warnings } = await probeFile(path, { maxDurationSeconds: 60 });
    assert.equal(audioCodec, 'aac');
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ['SOUND_TRACK_SKIPPED'],
    );
  });
  test('of a film and a thumbnail the film is used', async (t) => {
    const path = mediaPath('wild/thumb.wmv');
    if (path === null) return t.skip('needs ../shared/media/wild/thumb.wmv');
    const { durationSeconds, videoCodec } = await probeFile(path, { maxDurationSeconds: 60 });
    assert.equal(videoCodec, 'wmv2');
    assert.ok(durationSeconds > 7.9);
  });
});

test('an even clock is left as it is', async () => {
  using input = await openInput(await startingAt(3.2, 'matroska'));
  assert.equal(input.clock?.isContinuous, true);
  assert.deepEqual(input.clock.jumpsSeconds, []);
});
