import type { AudioFacts, ClipFacts, MotionFacts } from './facts.ts';

/** Of a shot's label: stated ones are right in .94 of real shots (`bench/README.md`); below it they were guesses. */
const MIN_OF_CAMERA = 0.35;

/**
 * Confidences below which a finding is as likely wrong as right, or worse, so that it is stated nowhere: not in the Style DNA, in
 * print, in a report or a result; nor is it applied. Measured: `docs/decisions/0028-publish-only-confident-findings.md`.
 */
export const MIN_CONFIDENCE = {
  /** Music with known tempo, some in noise: below it 6 of 11 tempi were right, from there to .3 20 of 27. */
  tempo: 0.15,
  /** Rules give .5 and more; less is speech over half of the sound that itself is heard with doubt. */
  genre: 0.5,
  camera: MIN_OF_CAMERA,
  /** What a label's confidence is a product of: below it no shot's camera can be stated, nor the motion of all. */
  motion: MIN_OF_CAMERA,
  /** Clips of 1.5 s: of shorter parts of an edit with a cut in them .3 tell its pace within half, of those up to 2 s .7. */
  pacing: 0.2,
  /** Sound of half a second: parts of that length still tell loudness and bass of the whole within 3 dB in .74 and .65. */
  audio: 0.03,
} as const;

/** Zero for what is not stated: the one sign by which all that follows knows. */
export function statedConfidence(finding: keyof typeof MIN_CONFIDENCE, confidence: number): number {
  return confidence < MIN_CONFIDENCE[finding] ? 0 : confidence;
}

/** Facts without what is not stated; of such facts the same again. */
export function statedFacts({ video, audio, motion }: ClipFacts): ClipFacts {
  return { video, audio: audio === null ? null : statedAudio(audio), motion: statedMotion(motion) };
}

export function statedAudio(audio: AudioFacts): AudioFacts {
  const { tempo, genre, confidence } = audio;
  const hasTempo = tempo !== null && statedConfidence('tempo', tempo.confidence) > 0;
  return {
    ...audio,
    // Beats without a tempo would be a grid of guesses.
    ...(hasTempo ? {} : { tempo: null, beats: [] }),
    ...(statedConfidence('genre', genre.confidence) > 0 ? {} : { genre: { name: 'unknown', confidence: 0 } }),
    confidence: statedConfidence('audio', confidence),
  };
}

function statedMotion(motion: MotionFacts): MotionFacts {
  return {
    ...motion,
    confidence: statedConfidence('motion', motion.confidence),
    shots: motion.shots.map((shot) => ({
      ...shot,
      confidence: statedConfidence('camera', shot.confidence),
    })),
  };
}
