import type { AudioFacts } from '../../analysis/facts.ts';
import { Spectra } from '../../analysis/spectrum/spectra.ts';
import { SpectrumMeter } from '../../analysis/spectrum/spectrum.ts';
import { OUTPUT_SAMPLE_RATE, type StereoBlock } from '../../media/av/audio-frame.ts';
import { mean } from '../../signal/statistics.ts';
import type { AudioPlan } from '../../style/model/timeline.ts';

const FFT_SIZE = 8192;
const FRAMES_PER_SECOND = 10;
/** Tones at a band's edge, and steep steps between bands, make up for so much. */
const MAX_CORRECTION_DB = 4;
/** What is this far below the loudest band says nothing. */
const AUDIBLE_DB = 55;

/** Long-term spectrum of stereo sound at 48 kHz, measured as the style's. */
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

/** What each band lacks of its planned gain, in dB, levels apart; null for bands that say nothing. */
function missingGains(
  plan: AudioPlan['equalizer'],
  before: AudioFacts['spectrum'],
  after: AudioFacts['spectrum'],
): (number | null)[] {
  const loudest = Math.max(...before.levelsDb);
  const missing = plan.map(({ hz, gainDb }) => {
    const band = before.centresHz.indexOf(hz);
    const [from, to] = [before.levelsDb[band], after.levelsDb[band]];
    return from === undefined || to === undefined || from < loudest - AUDIBLE_DB
      ? null
      : gainDb - (to - from);
  });
  const known = missing.filter((value) => value !== null);
  const middle = mean(known);
  return missing.map((value) => (value === null ? null : value - middle));
}

/** Root mean square of what the bands lack of their planned gains, in dB. */
export function spectrumMiss(
  plan: AudioPlan['equalizer'],
  before: AudioFacts['spectrum'],
  after: AudioFacts['spectrum'],
): number {
  const known = missingGains(plan, before, after).filter((value) => value !== null);
  return Math.sqrt(mean(known.map((value) => value ** 2)));
}

/**
 * The settings of an equaliser that gives each band the gain that was planned: those it was tried with, and what was
 * missing then. `before` and `after`: spectra of the sound around it.
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
