/** Steps between frames that may be cuts, with the evidence for each and whether one was there. */
import { CutDetector, type JudgedStep } from '../../src/analysis/shots/cut.ts';
import type { CutEvidence } from '../../src/analysis/shots/cut-evidence.ts';
import { framesPerSecond } from '../../src/domain/time.ts';
import type { Truth } from '../lib/truth.ts';
import { type Recording, sketchesOf } from '../shots/recording.ts';

export interface CutExample {
  readonly evidence: CutEvidence;
  readonly isWanted: boolean;
  /** Neither required nor wrong if found; trained as a negative. */
  readonly isTolerated: boolean;
}

const TOLERANCE_FRAMES = 1.05;

/** Every step that the detector examines, except those whose truth is undefined. */
export function cutExamples(recording: Recording, truth: Truth): CutExample[] {
  const steps: JudgedStep[] = [];
  const detector = new CutDetector((step) => steps.push(step));
  for (const sketch of sketchesOf(recording)) detector.push(sketch);
  detector.finish();
  const tolerance = TOLERANCE_FRAMES / framesPerSecond(recording.presentation.frameRate);
  const isNear = ({ timeSeconds }: JudgedStep, from: number, to = from): boolean =>
    timeSeconds >= from - tolerance && timeSeconds <= to + tolerance;
  const free = new Set(steps);
  const cuts = new Set<JudgedStep>();
  for (const seconds of truth.cutsSeconds ?? []) {
    const [best] = [...free]
      .filter((step) => isNear(step, seconds))
      .sort((a, b) => b.evidence.apart - a.evidence.apart);
    if (best === undefined) continue;
    free.delete(best);
    cuts.add(best);
  }
  const isOpen = (step: JudgedStep): boolean =>
    truth.optionalCutsSeconds.some((seconds) => isNear(step, seconds)) ||
    truth.transitions.some((one) => one.optional && isNear(step, one.startSeconds, one.endSeconds));
  return steps
    .filter((step) => cuts.has(step) || !isOpen(step))
    .map((step) => ({
      evidence: step.evidence,
      isWanted: cuts.has(step),
      // It overlaps a gradual transition, which has priority.
      isTolerated: truth.transitions.some((one) => isNear(step, one.startSeconds, one.endSeconds)),
    }));
}
