import type { AudioFacts } from '../../analysis/facts.ts';
import { Spectra } from '../../analysis/spectrum/spectra.ts';
import { SpectrumMeter } from '../../analysis/spectrum/spectrum.ts';
import type { StereoBlock } from '../../media/av/audio-frame.ts';
import { OUTPUT_SAMPLE_RATE } from '../../media/av/output-sample-rate.ts';
import { mean } from '../../signal/statistics.ts';
import type { AudioPlan } from '../../style/model/timeline.ts';

const FFT_SIZE = 8192;
const FRAMES_PER_SECOND = 10;
/** Limit of a correction: differences of this size come from tones at a band's edge and from steep steps between bands. */
const MAX_CORRECTION_DB = 4;
/** Bands further below the loudest one are ignored. */
const MIN_BAND_BELOW_LOUDEST_DB = 55;

/** Long-term spectrum of stereo sound at 48 kHz, measured like the spectrum of a style. */
export class AudioSpectrum {
  readonly #meter: SpectrumMeter;
  readonly #spectra: Spectra;

  constructor() {
    this.#spectra = new Spectra(FFT_SIZE, OUTPUT_SAMPLE_RATE, FRAMES_PER_SECOND, (power) => {
      this.#meter.push(power);
    });
    this.#meter = new SpectrumMeter({
      fftSize: FFT_SIZE,
      sampleRate: OUTPUT_SAMPLE_RATE,
      framesPerSecond: FRAMES_PER_SECOND,
      fullScale: this.#spectra.fullScale,
    });
  }

  push([left, right]: StereoBlock): void {
    const mono = new Float32Array(left.length);
    for (let n = 0; n < mono.length; n++) mono[n] = (left[n] + right[n]) / 2;
    this.#spectra.push(mono);
  }

  finish(): AudioFacts['spectrum'] {
    this.#spectra.finish();
    return this.#meter.finish();
  }
}

/** Missing gain of each band in dB, relative to the mean of all; null for ignored bands. */
function missingGains(
  plan: AudioPlan['equalizer'],
  before: AudioFacts['spectrum'],
  after: AudioFacts['spectrum'],
): (number | null)[] {
  const loudest = Math.max(...before.levelsDb);
  const missing = plan.map(({ hz, gainDb }) => {
    const band = before.centresHz.indexOf(hz);
    const [from, to] = [before.levelsDb[band], after.levelsDb[band]];
    return from === undefined || to === undefined || from < loudest - MIN_BAND_BELOW_LOUDEST_DB
      ? null
      : gainDb - (to - from);
  });
  const known = missing.filter((value) => value !== null);
  const middle = mean(known);
  return missing.map((value) => (value === null ? null : value - middle));
}

/** Root mean square of the bands' missing gains, in dB. */
export function spectrumMiss(
  plan: AudioPlan['equalizer'],
  before: AudioFacts['spectrum'],
  after: AudioFacts['spectrum'],
): number {
  const known = missingGains(plan, before, after).filter((value) => value !== null);
  return Math.sqrt(mean(known.map((value) => value ** 2)));
}

/**
 * Settings of an equalizer that gives each band its planned gain: the settings tried plus the gain that was missing with them.
 * `before` and `after`: spectra of the sound before and after the equalizer.
 */
export function correctedEqualizer(
  plan: AudioPlan['equalizer'],
  tried: AudioPlan['equalizer'],
  before: AudioFacts['spectrum'],
  after: AudioFacts['spectrum'],
): AudioPlan['equalizer'] {
  const missing = missingGains(plan, before, after);
  return plan.map(({ hz, gainDb }, band) => {
    const corrected = tried[band].gainDb + (missing[band] ?? 0);
    const change = Math.max(-MAX_CORRECTION_DB, Math.min(MAX_CORRECTION_DB, corrected - gainDb));
    return { hz, gainDb: gainDb + change };
  });
}
