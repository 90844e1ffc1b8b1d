import type { AudioFacts, ClipFacts, MotionFacts } from './facts.ts';

/**
 * For a shot's camera label: labels above it are right in .94 of real shots (`bench/FIGURES.md`), those below were
 * chance.
 */
const MIN_OF_CAMERA = 0.35;

/**
 * Minimum confidences. Below them a finding is wrong at least as often as right, so it is not published (Style DNA,
 * text, report, result) and not applied. Measurements: `docs/decisions/0028-publish-only-confident-findings.md`.
 */
export const MIN_CONFIDENCE = {
  /** The support of a tempo. Music with known tempo, some with noise: below it 6 of 11 tempi were right, from there to .3 20 of 27. */
  tempo: 0.15,
  /** Rules give .5 and more; lower values are uncertain speech in half of the sound. */
  genre: 0.5,
  camera: MIN_OF_CAMERA,
  /**
   * The confidence of labels is a product with this factor: below it neither a shot's camera nor the clip's motion is
   * confident.
   */
  motion: MIN_OF_CAMERA,
  /**
   * Clips of 1.5 s. Shorter parts of an edit with a cut show its pace within half in .3 of the cases, parts up to 2 s
   * in .7.
   */
  pacing: 0.2,
  /**
   * Half a second of sound: parts of that length show the whole's loudness within 3 dB in .74 of the cases,
   * its bass in .65.
   */
  audio: 0.03,
} as const;

/** The confidence, or zero below the minimum: all consumers test for zero. */
export function effectiveConfidence(finding: keyof typeof MIN_CONFIDENCE, confidence: number): number {
  return confidence < MIN_CONFIDENCE[finding] ? 0 : confidence;
}

/** The facts without findings of low confidence. Idempotent. */
export function confidentFacts({ video, audio, motion }: ClipFacts): ClipFacts {
  return { video, audio: audio === null ? null : confidentAudio(audio), motion: confidentMotion(motion) };
}

export function confidentAudio(audio: AudioFacts): AudioFacts {
  const { tempo, genre, confidence } = audio;
  const hasTempo = tempo !== null && effectiveConfidence('tempo', tempo.support) > 0;
  return {
    ...audio,
    // Beats without a tempo would be an arbitrary grid.
    ...(hasTempo ? {} : { tempo: null, beats: [] }),
    ...(effectiveConfidence('genre', genre.confidence) > 0
      ? {}
      : { genre: { name: 'unknown', confidence: 0 } }),
    confidence: effectiveConfidence('audio', confidence),
  };
}

function confidentMotion(motion: MotionFacts): MotionFacts {
  return {
    ...motion,
    confidence: effectiveConfidence('motion', motion.confidence),
    shots: motion.shots.map((shot) => ({
      ...shot,
      confidence: effectiveConfidence('camera', shot.confidence),
    })),
  };
}
