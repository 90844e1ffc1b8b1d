import { mean } from '../signal/statistics.ts';
import type { HarmonicChange } from './chroma.ts';
import { ONSET_FRAMES_PER_SECOND as FPS, type OnsetCurve, peakNear } from './onset-curve.ts';

/** Eight bars of four. */
const BLOCK_BEATS = 32;
const BAR_BEATS = 4;
/** Evidence that the half beat must have over the tracked beat before a block is turned, and a turn costs. */
const MARGIN = 0.1;
const TURN_COST = 0.6;

/**
 * How much of each cue lies on the beats against half-way between them, as natural logarithms of ratios: all
 * onsets, bass onsets and changes of harmony, on average and at the strongest place of a bar. Weights set by
 * hand: off-beat hi-hats are even and bright, what falls on beats is uneven, deep and moves the harmony.
 */
const CUE_WEIGHTS = { full: [1, 1.5], low: [0.7, 0.3], harmony: [0, 0.4] } as const;
/** Smaller changes of harmony are those of drums. */
const LEAST_HARMONIC_CHANGE = 0.08;

/**
 * Beats moved by half an interval where the half beats carry more of the metre: all or none of a constant grid,
 * else block by block of eight bars.
 */
export function settlePhase(
  beats: readonly number[],
  constant: boolean,
  curve: OnsetCurve,
  harmony: HarmonicChange,
): readonly number[] {
  if (beats.length < 2 * BAR_BEATS) return beats;
  const blocks: { from: number; to: number; evidence: number }[] = [];
  const count = constant ? 1 : Math.max(1, Math.round(beats.length / BLOCK_BEATS));
  for (let b = 0; b < count; b++) {
    const from = Math.round((b * beats.length) / count);
    const to = Math.round(((b + 1) * beats.length) / count);
    blocks.push({ from, to, evidence: phaseEvidence(beats, from, to, curve, harmony) });
  }
  const turned = decideTurns(blocks.map((block) => block.evidence));
  return blocks.flatMap((block, b) => {
    const own = beats.slice(block.from, block.to);
    if (!turned[b]) return own;
    return own.map((beat, i) => beat + (intervalAt(beats, block.from + i) ?? 0) / 2);
  });
}

function intervalAt(beats: readonly number[], index: number): number | undefined {
  if (index + 1 < beats.length) return beats[index + 1] - beats[index];
  return index > 0 ? beats[index] - beats[index - 1] : undefined;
}

/** Positive when the beats of a block hold up, negative when the half beats do better. */
function phaseEvidence(
  beats: readonly number[],
  from: number,
  to: number,
  curve: OnsetCurve,
  harmony: HarmonicChange,
): number {
  const cues = {
    full: (frame: number) => peakNear(curve.full, frame),
    low: (frame: number) => peakNear(curve.low, frame),
    harmony: (frame: number, interval: number) => harmony.at(frame / FPS, (interval / FPS) * 0.5),
  };
  let evidence = 0;
  for (const name of ['full', 'low', 'harmony'] as const) {
    const on: number[][] = [[], [], [], []];
    const off: number[][] = [[], [], [], []];
    for (let i = from; i < to; i++) {
      const interval = intervalAt(beats, i) ?? 0;
      on[i % BAR_BEATS].push(cues[name](beats[i], interval));
      off[i % BAR_BEATS].push(cues[name](beats[i] + interval / 2, interval));
    }
    const onMeans = on.map(mean);
    const offMeans = off.map(mean);
    const greatest = [Math.max(...onMeans), Math.max(...offMeans)] as const;
    if (name === 'harmony' && Math.max(...greatest) < LEAST_HARMONIC_CHANGE) continue;
    const [average, strongest] = CUE_WEIGHTS[name];
    evidence += average * logRatio(mean(onMeans), mean(offMeans));
    evidence += strongest * logRatio(greatest[0], greatest[1]);
  }
  return evidence;
}

/** Limited, so that one empty cue does not outvote the others. */
function logRatio(on: number, off: number): number {
  if (on <= 0 && off <= 0) return 0;
  return Math.max(-1, Math.min(1, Math.log((on + 1e-6) / (off + 1e-6))));
}

/** Best sequence of kept and turned blocks: a change of mind from one block to the next costs. */
function decideTurns(evidence: readonly number[]): boolean[] {
  let kept = { score: 0, path: [] as boolean[] };
  let turned = { score: 0, path: [] as boolean[] };
  evidence.forEach((value, i) => {
    const cost = i === 0 ? 0 : TURN_COST;
    const fromKept = kept.score >= turned.score - cost ? kept : { ...turned, score: turned.score - cost };
    const fromTurned = turned.score >= kept.score - cost ? turned : { ...kept, score: kept.score - cost };
    kept = { score: fromKept.score + value + MARGIN, path: [...fromKept.path, false] };
    turned = { score: fromTurned.score - value - MARGIN, path: [...fromTurned.path, true] };
  });
  return (turned.score > kept.score ? turned : kept).path;
}
