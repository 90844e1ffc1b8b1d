import { STAGE_NAMES, type StageName } from '../../domain/stage.ts';

/** Approximate share of each stage in the time of a job, for a minute of 1080p. */
const STAGE_WEIGHTS = {
  video_analysis: 25,
  audio_analysis: 6,
  motion_analysis: 18,
  style_extraction: 2,
  style_application: 3,
  rendering: 46,
} as const satisfies Record<StageName, number>;

const TOTAL_WEIGHT = Object.values(STAGE_WEIGHTS).reduce((sum, weight) => sum + weight, 0);

/** 100 is reserved for `completed`. */
const MAX_PERCENT = 99;

/** Percent of the whole job, one decimal, when `fraction` (0..1) of `stage` is done. */
export function progressPercent(stage: StageName, fraction: number): number {
  const before = STAGE_NAMES.slice(0, STAGE_NAMES.indexOf(stage)).reduce(
    (sum, name) => sum + STAGE_WEIGHTS[name],
    0,
  );
  const done = before + STAGE_WEIGHTS[stage] * Math.min(1, Math.max(0, fraction));
  return Math.min(MAX_PERCENT, Math.floor((done / TOTAL_WEIGHT) * 1000) / 10);
}

/** The finished shares of analysis, planning and rendering, each 0..1, at `percent` of the job's progress. */
export function doneShares(percent: number): Readonly<Record<'measured' | 'planned' | 'drawn', number>> {
  const planningAt = progressPercent('style_extraction', 0);
  const drawingAt = progressPercent('rendering', 0);
  const share = (from: number, to: number) => Math.min(1, Math.max(0, (percent - from) / (to - from)));
  return {
    measured: share(0, planningAt),
    planned: share(planningAt, drawingAt),
    drawn: share(drawingAt, 100),
  };
}
