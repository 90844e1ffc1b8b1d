/**
 * The character of a recording: the part of its long-term spectrum that is unusual, for speech or for other sound. The rest is content: a
 * voice with the spectrum of a river or a song sounds like a telephone.
 */
import type { AudioFacts } from '../../analysis/facts.ts';
import { mean } from '../../signal/statistics.ts';
import { thirdOctaveBands } from '../../signal/third-octave.ts';
import { isMostlySpeech } from '../model/audio-measures.ts';
import type { Style } from '../model/schema.ts';
import { levelCurve } from './level-curve.ts';

/**
 * Usual levels (dB about their mean) at some frequencies, of 69 recordings with at least half of speech and of 105 others, from 112 sources.
 * They deviate by 4 to 12 dB; the means in third octaves lie within .25 dB of these lines once smoothed.
 */
const USUAL = {
  hz: [50, 200, 500, 1000, 2500, 8000, 12_500],
  speech: [-10.9, 7, 11.2, 5.5, 0.1, -8.9, -18.9],
  other: [0.4, 5.6, 6, 2.8, -1.4, -8.7, -19],
} as const;
/** The third octaves of these frequencies. */
const BANDS_HZ = thirdOctaveBands(44_100)
  .map(({ centreHz }) => centreHz)
  .filter((hz) => hz >= USUAL.hz[0] && hz <= USUAL.hz.at(-1)!);
/** Lower levels, relative to the loudest, count as this: there is noise, or nothing. */
const FLOOR_DB = 60;
/** Standard deviation of the smoothing, in octaves: narrower peaks are notes and vowels. From a third to one, known filters are followed alike. */
const SMOOTHING_OCTAVES = 0.67;
/**
 * Share of a character that is applied. Known filters on other recordings are followed best with .3 to .4, because most unusual levels are
 * content, too. A larger share of very unusual levels is no better.
 */
const APPLIED_SHARE = 0.3;

/**
 * Gains (dB) at the source's centres that give it the character of a style's spectrum. They never exceed the part that the source lacks: a
 * source under its own style is unchanged. `isStyleSpeech`: see `enhance_speech`.
 */
export function characterGains(
  source: AudioFacts,
  { centres_hz, levels_db }: NonNullable<Style['spectrum']>,
  isStyleSpeech: boolean,
): number[] {
  const wanted = unusualLevels(centres_hz, levels_db, isStyleSpeech);
  const own = unusualLevels(source.spectrum.centresHz, source.spectrum.levelsDb, isMostlySpeech(source));
  const gains = wanted.map((unusual, band) => {
    const lacking = Math.max(0, Math.sign(unusual) * (unusual - own[band]));
    return Math.sign(unusual) * Math.min(APPLIED_SHARE * Math.abs(unusual), lacking);
  });
  const gainAt = levelCurve(BANDS_HZ, gains);
  return source.spectrum.centresHz.map(gainAt);
}

/** Smoothed differences (dB) of a spectrum from the usual levels, in `BANDS_HZ`. */
function unusualLevels(
  centresHz: readonly number[],
  levelsDb: readonly number[],
  isSpeech: boolean,
): number[] {
  const loudest = Math.max(...levelsDb);
  const levelAt = levelCurve(
    centresHz,
    levelsDb.map((level) => Math.max(level, loudest - FLOOR_DB)),
  );
  const usualAt = levelCurve(USUAL.hz, USUAL[isSpeech ? 'speech' : 'other']);
  const found = BANDS_HZ.map(levelAt);
  const middle = mean(found);
  const differences = BANDS_HZ.map((hz, band) => found[band] - middle - usualAt(hz));
  return BANDS_HZ.map((hz) => {
    const weights = BANDS_HZ.map((other) =>
      Math.exp(-0.5 * (Math.log2(other / hz) / SMOOTHING_OCTAVES) ** 2),
    );
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return differences.reduce((total, difference, band) => total + weights[band] * difference, 0) / sum;
  });
}
