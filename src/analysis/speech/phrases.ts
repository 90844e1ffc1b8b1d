/** Times in speech at which a word can begin: decision 0040. */
import { powerDb } from '../../signal/decibels.ts';
import { type Filter, Filterbank } from '../../signal/filterbank.ts';
import { Series } from '../../signal/series.ts';
import { median } from '../../signal/statistics.ts';
import type { Detector } from '../detector.ts';
import type { Span, SpeechOnset } from '../facts.ts';

export const ENVELOPE_FRAMES_PER_SECOND = 100;
const FPS = ENVELOPE_FRAMES_PER_SECOND;
/** Vowels lie in the lower band, the hiss of s, f and t in the upper one. */
const VOICE_HZ = { from: 150, below: 4000 } as const;
const HISS_HZ = { from: 4000, below: 10_000 } as const;
/** Standard deviation of the smoothing over time, in frames. */
const SMOOTHING_FRAMES = 1.5;
/** A dip between syllables is at least this deep below the lower of its peaks, in dB. */
const MIN_DIP_DB = 3;
/** Levels this far below the peak on either side count as a pause, in dB. */
const PAUSE_DB = 18;
/** A dip's end: the last moment within this of its lowest level, in dB. */
const DIP_END_DB = 2;
/**
 * A word with an initial consonant begins before the dip's end. Of 338 onsets of synthesized speech .20 fall
 * into a word's first 120 ms with 4 frames, .39 with none, .34 by chance. After a pause none do, after a dip
 * of 25 dB or more .07.
 */
const CONSONANT_FRAMES = 4;
/** A phrase begins at most this much before its detected span. */
const LEAD_FRAMES = 12;

/** Level of the voice and of hissing sounds together, dB, 100 frames a second. Fed with power spectra. */
export class VoiceEnvelopeMeter implements Detector<[Float64Array], Float32Array> {
  readonly #bands: Filterbank;
  readonly #level = new Series();

  constructor(fftSize: number, sampleRate: number) {
    const bins = fftSize / 2 + 1;
    const band = ({ from, below }: { readonly from: number; readonly below: number }): Filter => {
      const [first, end] = [from, below].map((hz) => Math.min(bins, Math.ceil((hz * fftSize) / sampleRate)));
      return { firstBin: first, weights: new Array<number>(Math.max(0, end - first)).fill(1) };
    };
    this.#bands = new Filterbank([band(VOICE_HZ), band(HISS_HZ)], bins);
  }

  push(power: Float64Array): void {
    const [voice, hiss] = this.#bands.powersOf(power);
    this.#level.push(powerDb(voice + hiss + 1e-9));
  }

  finish(): Float32Array {
    return smoothed(this.#level.values());
  }
}

function smoothed(values: Float32Array): Float32Array {
  const reach = Math.ceil(3 * SMOOTHING_FRAMES);
  const weights = Array.from({ length: 2 * reach + 1 }, (_, at) =>
    Math.exp(-((at - reach) ** 2) / (2 * SMOOTHING_FRAMES ** 2)),
  );
  return values.map((_, t) => {
    let [sum, weight] = [0, 0];
    for (let at = -reach; at <= reach; at++) {
      const value = values[t + at];
      if (value === undefined) continue;
      sum += weights[at + reach] * value;
      weight += weights[at + reach];
    }
    return sum / weight;
  });
}

/** A syllable's peak with the dip before it, in frames and dB. */
interface Syllable {
  readonly dip: number;
  readonly peak: number;
}

/** Where syllables begin in speech: the first of each phrase, and those after a dip of the level. */
export function findSpeechOnsets(levels: Float32Array, spans: readonly Span[]): SpeechOnset[] {
  let quietFrom = 0;
  return spans.flatMap((span) => {
    const from = Math.max(0, Math.round(span.startSeconds * FPS) - LEAD_FRAMES);
    const to = Math.min(levels.length, Math.round(span.endSeconds * FPS));
    const syllables = syllablesOf(levels, from, to);
    const usualDb = median(syllables.map(({ peak }) => levels[peak]));
    const pauseFrom = quietFrom;
    quietFrom = to;
    return syllables.map((syllable, index) =>
      onsetOf(levels, syllable, { before: syllables[index - 1], pauseFrom, usualDb }),
    );
  });
}

/** `pauseFrom`: frame of the end of the phrase before. */
function onsetOf(
  levels: Float32Array,
  { dip, peak }: Syllable,
  context: { readonly before: Syllable | undefined; readonly pauseFrom: number; readonly usualDb: number },
): SpeechOnset {
  const { before, pauseFrom, usualDb } = context;
  const earliest = before?.peak ?? pauseFrom;
  let start = dip;
  while (start + 1 < peak && levels[start + 1] < levels[dip] + DIP_END_DB) start++;
  const beside = before === undefined ? levels[peak] : Math.min(levels[peak], levels[before.peak]);
  let [first, last] = [dip, dip];
  while (first > earliest && levels[first - 1] < beside - PAUSE_DB) first--;
  while (last < peak && levels[last + 1] < beside - PAUSE_DB) last++;
  return {
    timeSeconds: Math.max(earliest, start - CONSONANT_FRAMES) / FPS,
    pauseSeconds: (last - first) / FPS,
    dipDb: beside - levels[dip],
    stressDb: levels[peak] - usualDb,
  };
}

/** Peaks at least `MIN_DIP_DB` above the dips on both sides, each with the lowest frame before it. */
function syllablesOf(levels: Float32Array, from: number, to: number): Syllable[] {
  const syllables: Syllable[] = [];
  let [dip, peak] = [from, from];
  let isRising = true;
  for (let t = from; t < to; t++) {
    const level = levels[t];
    if (isRising) {
      if (level < levels[dip] && peak === dip) dip = peak = t;
      else if (level > levels[peak]) peak = t;
      else if (level < levels[peak] - MIN_DIP_DB) {
        if (levels[peak] - levels[dip] >= MIN_DIP_DB) syllables.push({ dip, peak });
        isRising = false;
        dip = t;
      }
    } else if (level < levels[dip]) dip = t;
    else if (level > levels[dip] + MIN_DIP_DB) {
      isRising = true;
      peak = t;
    }
  }
  return syllables;
}
