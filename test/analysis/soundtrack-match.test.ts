import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { writeWave } from '../../bench/generate/wave-file.ts';
import { AudioAnalysis } from '../../src/analysis/audio.ts';
import { decodeFingerprint } from '../../src/analysis/soundtrack/chromaprint.ts';
import { matchSoundtracks, type SoundtrackFeatures } from '../../src/analysis/soundtrack/match.ts';
import { openSamples } from '../../src/media/decode/samples.ts';
import { FINGERPRINT_SAMPLES, Fingerprint } from '../../src/media/read/fingerprint.ts';
import { noiseSource } from '../support/audio.ts';
import { mediaPath } from '../support/media.ts';

const RATE = 44_100;

describe('a fingerprint', () => {
  it('is unpacked, the distances beyond three bits too', () => {
    // Two numbers: bit 0; then bits 2 and 9 changed (distances 3 and 7 + 0). In threes: 1 0 3 7 0.
    const bytes = [1, 0, 0, 2, 0b11_000_001, 0b0_000_111_0, 0];
    const text = Buffer.from(bytes).toString('base64url');
    assert.deepEqual(decodeFingerprint(text), Uint32Array.of(1, 1 ^ 0b10_0000_0100));
  });

  it('is refused when it is cut off or of another kind', () => {
    assert.equal(decodeFingerprint(Buffer.from([1, 0, 0, 9, 0xff]).toString('base64url')), null);
    assert.equal(decodeFingerprint(Buffer.from([2, 0, 0, 0]).toString('base64url')), null);
    assert.equal(decodeFingerprint(''), null);
  });
});

describe('a shared soundtrack', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'soundtrack-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function readSong(name: string, seconds: number): Promise<Float32Array | null> {
    const path = mediaPath(name);
    if (path === null) return null;
    const song = new Float32Array(seconds * RATE);
    let at = 0;
    for await (const { channels } of openSamples(path, { sampleRate: RATE, channels: 'mono' })) {
      if (at + channels[0].length > song.length) break;
      song.set(channels[0], at);
      at += channels[0].length;
    }
    return song;
  }

  async function tracesOf(name: string, samples: Float32Array): Promise<SoundtrackFeatures> {
    const path = join(folder, name);
    writeWave(path, [samples], RATE);
    const analysis = new AudioAnalysis({ sampleRate: RATE, channels: 1 });
    analysis.push({ startSeconds: 0, sampleRate: RATE, channels: [samples] });
    await using print = await Fingerprint.open(folder);
    for await (const block of openSamples(path, FINGERPRINT_SAMPLES)) print.push(block);
    const fingerprint = await print.finish();
    const { onsets, durationSeconds } = analysis.finish();
    return { fingerprint: fingerprint!, onsets, durationSeconds };
  }

  it('is found with its offset, in noise and quieter, and in no other song', async (t) => {
    const song = await readSong('music/feelings_95bpm_60s.ogg', 40);
    const other = await readSong('music/chaos_god_170bpm_60s.ogg', 20);
    if (song === null || other === null) return t.skip('needs ../shared/media/music');
    const whole = await tracesOf('whole.wav', song);
    const next = noiseSource(9);
    for (const offset of [3.3, 17.456]) {
      const start = Math.round(offset * RATE);
      const part = song.subarray(start, start + 12 * RATE).map((value) => 0.6 * value + 0.01 * next());
      const excerpt = await tracesOf('part.wav', part);
      const match = matchSoundtracks(excerpt, whole);
      assert.ok(match?.precise, JSON.stringify(match));
      assert.ok(Math.abs(match.offsetSeconds - offset) < 0.02, `${match.offsetSeconds}, not ${offset}`);
      assert.ok(match.sharedSeconds > 7 && match.confidence > 0.7, JSON.stringify(match));
      const back = matchSoundtracks(whole, excerpt);
      assert.ok(Math.abs(back!.offsetSeconds + offset) < 0.02, `${back!.offsetSeconds}`);
      assert.equal(matchSoundtracks(excerpt, await tracesOf('other.wav', other)), null);
    }
  });

  it('is shared whole by a clip with itself', async () => {
    const next = noiseSource(4);
    const bursts = Float32Array.from({ length: 10 * RATE }, (_, n) => {
      const pitch = 220 * 2 ** (((Math.floor(n / (RATE / 4)) * 7) % 12) / 12);
      return 0.3 * Math.sin((2 * Math.PI * pitch * n) / RATE) + 0.05 * next();
    });
    const traces = await tracesOf('self.wav', bursts);
    const match = matchSoundtracks(traces, traces);
    assert.ok(Math.abs(match!.sharedSeconds - 10) < 0.1, `${match!.sharedSeconds} of 10 s`);
  });

  it('lists the other offsets if the music repeats itself', async (t) => {
    const loop = await readSong('music/loop_garzul_x3_120bpm.flac', 24);
    if (loop === null) return t.skip('needs ../shared/media/music');
    const part = loop.slice(RATE, 8 * RATE);
    const match = matchSoundtracks(await tracesOf('part.wav', part), await tracesOf('loop.wav', loop));
    const offsets = [match!.offsetSeconds, ...match!.otherOffsetsSeconds];
    for (const expected of [1, 9]) {
      assert.ok(
        offsets.some((offset) => Math.abs(offset - expected) < 0.02),
        `${offsets}`,
      );
    }
  });

  it('finds none in silence', () => {
    const still = {
      fingerprint: Buffer.from([1, 0, 0, 60, ...new Uint8Array(23)]).toString('base64url'),
      onsets: [],
      durationSeconds: 10,
    };
    assert.equal(matchSoundtracks(still, still), null);
  });
});
