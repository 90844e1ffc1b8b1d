/** Sounds of all forms through the plan, judged by what the encoded file decodes to. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { LoudnessMeter } from '../../src/analysis/loudness/loudness.ts';
import { openSamples } from '../../src/media/decode/samples.ts';
import { fitDynamics } from '../../src/render/sound/audio-dynamics.ts';
import { type AudioOutcome, writeAudio } from '../../src/render/sound/audio-file.ts';
import { AudioSpectrum } from '../../src/render/sound/audio-spectrum.ts';
import { AudioTrace } from '../../src/render/sound/audio-trace.ts';
import type { AudioPlan } from '../../src/style/model/timeline.ts';
import { temporaryFolder } from '../support/clips.ts';
import { noiseSource } from '../support/moving-picture.ts';
import { timelineClip } from '../support/timeline-clip.ts';
import { writeWave } from '../support/wave-file.ts';

const folder = temporaryFolder();
const PLAN: AudioPlan = { equalizer: [], compressor: null, targetLufs: -20, truePeakDbtp: -1 };

interface Result {
  readonly outcome: AudioOutcome;
  readonly left: Float32Array;
  readonly right: Float32Array;
}

async function written(
  name: string,
  seconds: number,
  audio: { readonly rate: number; readonly channels: readonly Float32Array[] },
  plan: Partial<AudioPlan> = {},
): Promise<Result> {
  const sourcePath = writeWave(join(folder, `${name}.wav`), audio.rate, audio.channels);
  const timeline = {
    version: 2,
    frameRate: { numerator: 25, denominator: 1 },
    width: 16,
    height: 16,
    clips: [timelineClip(0, seconds)],
    transitions: [],
    takes: [{ grade: null }],
    audio: null,
    captions: [],
  } as const;
  const path = join(folder, `${name}.mp4`);
  const outcome = await writeAudio(
    { takePaths: [sourcePath], timeline, plan: { ...PLAN, ...plan } },
    path,
    () => {},
  );
  const blocks = await Array.fromAsync(openSamples(path, { sampleRate: 48_000, channels: 'stereo' }));
  const joined = (channel: number) =>
    Float32Array.from(blocks.flatMap((block) => [...block.channels[channel]]));
  return { outcome, left: joined(0), right: joined(1) };
}

/** A chord that swells twice a second. */
function chord(rate: number, seconds: number, level = 0.05): Float32Array {
  return Float32Array.from({ length: rate * seconds }, (_, n) => {
    const t = n / rate;
    const tones = [220, 440, 1100, 2500].reduce((sum, hz) => sum + Math.sin(2 * Math.PI * hz * t), 0);
    return level * tones * (0.6 + 0.4 * Math.sin(4 * Math.PI * t));
  });
}

const quiet = (rate: number, seconds: number) => new Float32Array(rate * seconds);
const FORMS: readonly [string, number, readonly Float32Array[]][] = [
  ['mono at 8 kHz', 8000, [chord(8000, 4)]],
  ['stereo at 44.1 kHz', 44_100, [chord(44_100, 4), chord(44_100, 4)]],
  ['stereo at 96 kHz', 96_000, [chord(96_000, 4), chord(96_000, 4)]],
  [
    '5.1 with all of it in the middle',
    48_000,
    [0, 1, 2, 3, 4, 5].map((c) => (c === 2 ? chord(48_000, 4) : quiet(48_000, 4))),
  ],
];

describe('writeAudio', () => {
  for (const [name, rate, channels] of FORMS) {
    test(`${name}: equal channels, at the planned loudness, as long as the timeline`, async () => {
      const { outcome, left, right } = await written(name.replaceAll(/\W/g, '-'), 4, { rate, channels });
      assert.ok(Math.abs(outcome.integratedLufs! + 20) < 0.3, `${outcome.integratedLufs} LUFS`);
      assert.ok(Math.abs(left.length / 48_000 - 4) < 0.05, `${left.length} samples`);
      const power = (samples: Float32Array) => samples.reduce((sum, value) => sum + value * value, 0);
      assert.ok(Math.abs(10 * Math.log10(power(left) / power(right))) < 0.1);
    });
  }

  test('sound that ends before the picture is followed by silence', async () => {
    const { left } = await written('short', 4, { rate: 48_000, channels: [chord(48_000, 2)] });
    assert.ok(Math.abs(left.length / 48_000 - 4) < 0.05);
    assert.ok(left.subarray(2.1 * 48_000).every((value) => Math.abs(value) < 1e-4));
  });

  test('silence stays silence', async () => {
    const { outcome, left } = await written('silence', 2, { rate: 48_000, channels: [quiet(48_000, 2)] });
    assert.equal(outcome.integratedLufs, null);
    assert.equal(outcome.missingLu, 0);
    assert.ok(left.every((value) => Math.abs(value) < 1e-4));
  });

  test('sound that stays as it is keeps its level, and needs no limiter at full scale', async () => {
    for (const [name, gain] of [
      ['quiet', 0.03],
      ['loud', 0.3],
    ] as const) {
      const noise = noiseSource(6);
      let smooth = 0;
      // Of the frequencies that the encoder keeps.
      const hiss = Float32Array.from({ length: 3 * 48_000 }, () => {
        smooth = 0.9 * smooth + noise();
        return gain * Math.max(-1, Math.min(1, smooth));
      });
      const plan = { targetLufs: null, truePeakDbtp: null };
      const { left } = await written(`kept-${name}`, 3, { rate: 48_000, channels: [hiss, hiss] }, plan);
      const [power, before] = [left, hiss].map((all) =>
        all.subarray(48_000, 96_000).reduce((sum, value) => sum + value * value, 0),
      );
      const changeDb = 10 * Math.log10(power! / before!);
      assert.ok(Math.abs(changeDb) < 0.3, `${name}: ${changeDb} dB`);
    }
    // At full scale the encoder itself takes some tenths of a decibel.
    const full = Float32Array.from({ length: 48_000 }, (_, n) => Math.sin(n / 10));
    const trace = new AudioTrace(48_000);
    trace.push([full, full]);
    trace.finish();
    const { gainsDb, limiterDbtp } = fitDynamics(
      trace,
      { ...PLAN, targetLufs: null, truePeakDbtp: null },
      null,
      0,
    );
    assert.equal(limiterDbtp, null);
    assert.ok(gainsDb.every((gain) => gain === 0));
  });

  test('loud broadband noise, which the encoder raises most, stays below the limit', async () => {
    const noise = noiseSource(5);
    const hiss = Float32Array.from({ length: 4 * 48_000 }, () => 0.3 * noise());
    const { outcome } = await written('noise', 4, { rate: 48_000, channels: [hiss] }, { targetLufs: -8 });
    assert.ok(outcome.truePeakDbtp! <= -1, `${outcome.truePeakDbtp} dBTP`);
  });

  test('clicks that no limiter brings to the loudness: as near as possible, and the distance is reported', async () => {
    const clicks = Float32Array.from({ length: 4 * 48_000 }, (_, n) => (n % 24_000 < 24 ? 0.5 : 0.0001));
    const { outcome } = await written('clicks', 4, { rate: 48_000, channels: [clicks] }, { targetLufs: -10 });
    assert.ok(outcome.missingLu > 3);
    assert.ok(Math.abs(outcome.integratedLufs! + outcome.missingLu + 10) < 0.3);
    assert.ok(outcome.truePeakDbtp! <= -1);
  });

  test('each band gets the gain that was planned, tones at the edge of a band too', async () => {
    const rate = 48_000;
    const noise = noiseSource(7);
    // 355 Hz lies between the bands of 315 and 400 Hz.
    const audio = Float32Array.from(
      { length: 4 * rate },
      (_, n) => 0.02 * noise() + 0.02 * Math.sin((2 * Math.PI * 340 * n) / rate),
    );
    const equalizer = [50, 100, 200, 315, 400, 800, 1600, 3150, 6300, 12_500].map((hz, band) => ({
      hz,
      gainDb: band % 2 === 0 ? -3 : 3,
    }));
    const { left } = await written('bands', 4, { rate, channels: [audio] }, { equalizer, targetLufs: -24 });
    const spectrumOf = (samples: Float32Array) => {
      const spectrum = new AudioSpectrum();
      spectrum.push([samples, samples]);
      return spectrum.finish();
    };
    const [before, after] = [spectrumOf(audio), spectrumOf(left)];
    const gains = equalizer.map(({ hz }) => {
      const band = before.centresHz.indexOf(hz);
      return after.levelsDb[band] - before.levelsDb[band];
    });
    const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
    equalizer.forEach(({ hz, gainDb }, band) => {
      assert.ok(Math.abs(gains[band] - mean - gainDb) < 2, `${hz} Hz: ${(gains[band] - mean).toFixed(1)}`);
    });
  });

  test('dynamics reach the planned range', async () => {
    const rate = 48_000;
    const steps = chord(rate, 16).map((value, n) => value * (Math.floor(n / rate / 4) % 2 === 0 ? 1 : 0.25));
    const compressor = { rangeLu: 4, crestDb: null };
    const { left, right } = await written('range', 16, { rate, channels: [steps] }, { compressor });
    const meter = new LoudnessMeter({ sampleRate: rate, channels: 2 });
    meter.push([left, right]);
    const { rangeLu, integratedLufs } = meter.finish();
    assert.ok(Math.abs(rangeLu! - 4) < 0.5, `${rangeLu} LU`);
    assert.ok(Math.abs(integratedLufs! + 20) < 0.3);
  });
});
