/** Spans that may be dissolves, with the evidence for each and whether one was there. */
import { SHOTS } from '../../src/analysis/shots/shot.ts';
import { refine } from '../../src/analysis/transitions/classify.ts';
import { type DissolveEvidence, dissolveEvidence } from '../../src/analysis/transitions/dissolve-evidence.ts';
import { transitionWindows } from '../../src/analysis/transitions/window.ts';
import type { Truth } from '../lib/truth.ts';
import { type Recording, sketchesOf } from '../shots/recording.ts';
import type { Example } from './logistic.ts';

/** Overlap, as a share of the union, from which a span is the dissolve. */
const SAME = 0.6;
/** Windows taken in, per second. */
const WINDOWS_PER_SECOND = 4;
/** Seconds around a span in which another transition makes it unclear what the span shows. */
const NEAR = 0.05;

export function dissolveExamples(recording: Recording, truth: Truth): Example<keyof DissolveEvidence>[] {
  const samples = [...sketchesOf(recording)].filter(everySample());
  const walls = [...(truth.cutsSeconds ?? []), ...truth.optionalCutsSeconds]
    .map((seconds) => samples.findIndex((sample) => sample.timeSeconds >= seconds - 0.002))
    .filter((index) => index > 0)
    .sort((a, b) => a - b);
  const examples: Example<keyof DissolveEvidence>[] = [];
  for (const [k, wall] of [...walls, samples.length].entries()) {
    const stretch = { start: walls[k - 1] ?? 0, end: wall - 1 };
    const { start, end } = stretch;
    if (end - start < 3) continue;
    const most =
      2 + Math.ceil(WINDOWS_PER_SECOND * (samples[end]!.timeSeconds - samples[start]!.timeSeconds));
    for (const window of transitionWindows(samples, start, end).slice(0, most)) {
      const span = refine(samples, window, stretch, 'whole');
      if (span === null) continue;
      const [from, to] = [samples[span.start]!.timeSeconds, samples[span.end]!.timeSeconds];
      const near = truth.transitions.filter(
        ({ startSeconds, endSeconds }) => startSeconds < to + NEAR && endSeconds > from - NEAR,
      );
      const isWanted = near.some(({ type, startSeconds, endSeconds }) => {
        const shared = Math.min(endSeconds, to) - Math.max(startSeconds, from);
        return (
          type === 'dissolve' && shared >= SAME * (Math.max(endSeconds, to) - Math.min(startSeconds, from))
        );
      });
      if (!isWanted && near.length > 0) continue;
      examples.push({ evidence: dissolveEvidence(samples, span, stretch), isWanted, isTolerated: false });
    }
  }
  return examples;
}

/** Passes what the shot detector samples. */
function everySample(): (sample: { readonly timeSeconds: number }) => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return ({ timeSeconds }) => {
    if (timeSeconds - last < 1 / SHOTS.SAMPLES_PER_SECOND - 0.0005) return false;
    last = timeSeconds;
    return true;
  };
}
