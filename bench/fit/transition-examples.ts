/** Windows in which a gradual transition may be, with the evidence for each candidate and which of them is right. */
import { CutDetector } from '../../src/analysis/shots/cut.ts';
import { isNextSample, SHOTS } from '../../src/analysis/shots/shot.ts';
import type { Candidate } from '../../src/analysis/transitions/candidate.ts';
import { candidatesIn } from '../../src/analysis/transitions/candidates.ts';
import { GRADUAL } from '../../src/analysis/transitions/gradual.ts';
import { type SpanEvidence, spanEvidence } from '../../src/analysis/transitions/span-evidence.ts';
import { transitionWindows } from '../../src/analysis/transitions/window.ts';
import type { Truth } from '../lib/truth.ts';
import { type Recording, sketchesOf } from '../shots/recording.ts';

/** Candidates of one window; all wrong: nothing is there. */
export type WindowExample = readonly {
  readonly type: Candidate['type'];
  readonly evidence: SpanEvidence;
  readonly isRight: boolean;
}[];

/** Overlap, as a share of the union, from which a candidate of the true type is right, ... */
const SAME = 0.5;
/** ... and from which one that is not leaves open what the window shows. */
const OPEN = 0.25;
/** Of several that are right, those count that overlap by at most so much less than the best. */
const AS_GOOD = 0.15;
/** Seconds around a candidate in which a fade, or what may be found or not, leaves open what it shows. */
const NEAR = 0.05;

export function transitionExamples(recording: Recording, truth: Truth): WindowExample[] {
  const detector = new CutDetector();
  const sketches = [...sketchesOf(recording)];
  const cuts = [...sketches.flatMap((sketch) => detector.push(sketch)), ...detector.finish()];
  let last = sketches[0];
  const samples = sketches.filter((sketch, index) => {
    const isTaken = index === 0 || isNextSample(last, sketch);
    if (isTaken) last = sketch;
    return isTaken;
  });
  const walls = cuts
    .filter(({ confidence }) => confidence >= SHOTS.CONFIDENT_CUT)
    .map(({ frame }) => samples.findIndex(({ index }) => index >= frame))
    .filter((index) => index > 0);
  const examples: WindowExample[] = [];
  for (const [k, wall] of [...walls, samples.length].entries()) {
    const stretch = { start: walls[k - 1] ?? 0, end: wall - 1 };
    const { start, end } = stretch;
    if (end <= start) continue;
    const seconds = samples[end].timeSeconds - samples[start].timeSeconds;
    const most = 2 + Math.ceil(GRADUAL.WINDOWS_PER_SECOND * seconds);
    for (const window of transitionWindows(samples, start, end).slice(0, most)) {
      const candidates = [...candidatesIn(samples, window, stretch)].map((candidate) => ({
        type: candidate.type,
        evidence: spanEvidence(samples, candidate, stretch),
        ...overlaps(truth, candidate.type, [
          samples[candidate.start].timeSeconds,
          samples[candidate.end].timeSeconds,
        ]),
      }));
      const best = Math.max(0, ...candidates.map(({ same }) => same));
      if (candidates.length === 0 || candidates.some(({ isOpen }) => isOpen)) continue;
      if (best < SAME && candidates.some(({ any }) => any > OPEN)) continue;
      examples.push(
        candidates.map(({ type, evidence, same }) => ({
          ...{ type, evidence },
          isRight: same >= Math.max(SAME, best - AS_GOOD),
        })),
      );
    }
  }
  return examples;
}

/** Overlap with wanted transitions, of the same type and of any, as shares of the union. */
function overlaps({ transitions }: Truth, type: string, [from, to]: readonly [number, number]) {
  const near = transitions.filter(
    ({ startSeconds, endSeconds }) => startSeconds < to + NEAR && endSeconds > from - NEAR,
  );
  const most = (of: typeof near): number =>
    Math.max(
      0,
      ...of.map(
        ({ startSeconds, endSeconds }) =>
          (Math.min(endSeconds, to) - Math.max(startSeconds, from)) /
          (Math.max(endSeconds, to) - Math.min(startSeconds, from)),
      ),
    );
  return {
    same: most(near.filter((one) => one.type === type)),
    any: most(near),
    isOpen: near.some((one) => one.optional || one.type === null || one.type.startsWith('fade')),
  };
}
