import { powerOfDb } from '../../signal/decibels.ts';
import { mean, standardDeviation } from '../../signal/statistics.ts';
import type { VoiceCurves } from './voice.ts';

/** Evidence for and against speech in a span of sound. */
export interface SpeechEvidence {
  readonly bias: number;
  /**
   * Share of the frames with less than half the mean level: the energy of speech drops often (E. Scheirer, M.
   * Slaney, ICASSP 1997).
   */
  readonly dips: number;
  /** Standard deviation of the level over its mean. */
  readonly swing: number;
  /**
   * Mean and standard deviation of the harmonicity: speech alternates between voiced and unvoiced sounds (J.
   * Saunders, ICASSP 1996).
   */
  readonly voiced: number;
  /** The square of that mean: singing and tones are voiced throughout. */
  readonly sung: number;
  readonly alternating: number;
  /**
   * Mean share of the amplitude above 4 kHz; standard deviation of its level, tens of dB: hissing sounds
   * between vowels.
   */
  readonly bright: number;
  readonly hissing: number;
  /** Share of the steps of a clear pitch that glide; steps of music are constant or leap. */
  readonly gliding: number;
}

/** Range of pitch changes that glide: less is a sustained note, more is another note. */
const GLIDE_OCTAVES = { least: 0.004, most: 0.15 } as const;

/** Evidence of the frames `from` to `to`, which contain sound. */
export function speechEvidence(curves: VoiceCurves, from: number, to: number): SpeechEvidence {
  const levels = Array.from(curves.speechPower.subarray(from, to), Math.sqrt);
  const harmonicity = curves.harmonicity.subarray(from, to);
  const brightness = curves.brightnessDb.subarray(from, to);
  const level = mean(levels);
  return {
    bias: 1,
    dips: levels.filter((one) => one < level / 2).length / levels.length,
    swing: standardDeviation(levels) / level,
    voiced: mean(harmonicity),
    sung: mean(harmonicity) ** 2,
    alternating: standardDeviation(harmonicity),
    bright: mean(brightness.map((level) => 1 / Math.sqrt(1 + powerOfDb(-level)))),
    hissing: standardDeviation(brightness) / 10,
    gliding: glideShare(levels, harmonicity, curves.pitchHz.subarray(from, to)),
  };
}

/** Steps between frames are weighted by their level and by the clarity of the pitch. */
function glideShare(levels: readonly number[], harmonicity: Float32Array, pitchHz: Float32Array): number {
  let all = 0;
  let gliding = 0;
  for (let t = 1; t < levels.length; t++) {
    const weight = Math.min(levels[t], levels[t - 1]) * Math.min(harmonicity[t], harmonicity[t - 1]) ** 2;
    const octaves = Math.abs(Math.log2(pitchHz[t] / pitchHz[t - 1]));
    all += weight;
    if (octaves > GLIDE_OCTAVES.least && octaves < GLIDE_OCTAVES.most) gliding += weight;
  }
  return all === 0 ? 0 : gliding / all;
}
