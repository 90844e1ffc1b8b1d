import { powerDb } from '../../signal/decibels.ts';
import type { RealFft } from '../../signal/fft.ts';
import { type Filter, Filterbank } from '../../signal/filterbank.ts';
import { clamp } from '../../signal/interpolation.ts';
import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from '../../signal/kernel.ts';
import { Series } from '../../signal/series.ts';
import type { Detector } from '../detector.ts';

/** Voice features are computed for every fourth of the 100 frames a second. */
export const VOICE_FRAMES_PER_SECOND = 25;
const LOWEST_PITCH_HZ = 75;
const HIGHEST_PITCH_HZ = 400;
const SPEECH_LOW_HZ = 300;
const SPEECH_HIGH_HZ = 4000;
/** The pitch is computed from frequencies below this: overtones above are noisy. */
const PITCH_BELOW_HZ = 1800;

/** Features of each voice frame. */
export interface VoiceCurves {
  /** Power between 300 Hz and 4 kHz, linear. */
  readonly speechPower: Float32Array;
  /** dB of the power above 4 kHz over that below. */
  readonly brightnessDb: Float32Array;
  /** Height of the pitch peak of the autocorrelation, 0..1, and its frequency (0 where there is none). */
  readonly harmonicity: Float32Array;
  readonly pitchHz: Float32Array;
}

/** Lags and an address; `kernels/analysis/speech/voice.ts` describes the memory. */
interface VoiceExports extends KernelExports {
  nextPeak(correlation: number, lag: number, longest: number): number;
}

const VALUE_BYTES = Float64Array.BYTES_PER_ELEMENT;

/** Measures pitch and spectral balance of frames, in which speech and music differ. Input: power spectra. */
export class VoiceMeter implements Detector<[Float64Array], VoiceCurves> {
  readonly #fft: RealFft;
  readonly #binHz: number;
  readonly #sampleRate: number;
  readonly #windowCorrelation: Float64Array;
  readonly #speechPower = new Series();
  readonly #brightness = new Series();
  readonly #harmonicity = new Series();
  readonly #pitch = new Series();
  readonly #low: Float64Array;
  /** Below 4 kHz, the speech's part of that, and above. */
  readonly #bands: Filterbank;
  readonly #kernel = instantiateKernel<VoiceExports>(new URL('voice.wasm', import.meta.url));
  readonly #correlation: Float64Array;

  /** `fft` has the window of the pushed frames. */
  constructor(fft: RealFft, sampleRate: number) {
    this.#fft = fft;
    this.#sampleRate = sampleRate;
    this.#binHz = sampleRate / fft.size;
    this.#low = new Float64Array(fft.bins);
    const from = Math.ceil(SPEECH_LOW_HZ / this.#binHz);
    const to = Math.min(fft.bins, Math.ceil(SPEECH_HIGH_HZ / this.#binHz));
    this.#bands = new Filterbank([wholeBins(1, to), wholeBins(from, to), wholeBins(to, fft.bins)], fft.bins);
    const layout = new KernelLayout();
    const correlation = layout.take(VALUE_BYTES * fft.bins);
    const { memory } = this.#kernel;
    reserveBytes(memory, layout.bytes);
    this.#correlation = new Float64Array(memory.buffer, correlation, fft.bins);
    const power = fft.powerOf(new Float64Array(fft.size).fill(1));
    this.#windowCorrelation = fft.autocorrelationOf(power).slice();
  }

  push(power: Float64Array): void {
    const [below, speech, above] = this.#bands.powersOf(power);
    this.#speechPower.push(speech);
    this.#brightness.push(powerDb((above + 1e-9) / (below + 1e-9)));
    const { harmonicity, pitchHz } = this.#pitchOf(power);
    this.#harmonicity.push(harmonicity);
    this.#pitch.push(pitchHz);
  }

  /** Autocorrelation divided by the window's (P. Boersma, IFA Proceedings 17, 1993), from the spectrum. */
  #pitchOf(power: Float64Array): { harmonicity: number; pitchHz: number } {
    const low = this.#low;
    const end = Math.min(power.length, Math.ceil(PITCH_BELOW_HZ / this.#binHz));
    for (let k = 0; k < end; k++) low[k] = k * this.#binHz < LOWEST_PITCH_HZ / 2 ? 0 : power[k];
    const correlation = this.#correlation;
    correlation.set(this.#fft.autocorrelationOf(low));
    if (correlation[0] === 0) return { harmonicity: 0, pitchHz: 0 };
    const shortest = Math.floor(this.#sampleRate / HIGHEST_PITCH_HZ);
    const longest = Math.min(correlation.length - 2, Math.ceil(this.#sampleRate / LOWEST_PITCH_HZ));
    let best = 0;
    let bestLag = 0;
    let most = 0;
    const scale = this.#windowCorrelation[0] / correlation[0];
    for (let lag = shortest; ; lag++) {
      lag = this.#kernel.nextPeak(correlation.byteOffset, lag, longest);
      if (lag > longest) break;
      const value = (correlation[lag] * scale) / this.#windowCorrelation[lag];
      // Each octave down is reduced by a tenth: multiples of the period correlate as well as the period.
      const weighed = value - 0.1 * Math.log2(lag / shortest);
      if (weighed > most) {
        most = weighed;
        best = value;
        bestLag = lag;
      }
    }
    const harmonicity = clamp(best, 0, 1);
    return { harmonicity, pitchHz: bestLag === 0 ? 0 : this.#sampleRate / bestLag };
  }

  finish(): VoiceCurves {
    return {
      speechPower: this.#speechPower.values(),
      brightnessDb: this.#brightness.values(),
      harmonicity: this.#harmonicity.values(),
      pitchHz: this.#pitch.values(),
    };
  }
}

/** The sum of the bins from..end. */
function wholeBins(from: number, end: number): Filter {
  return { firstBin: from, weights: new Array<number>(Math.max(0, end - from)).fill(1) };
}
