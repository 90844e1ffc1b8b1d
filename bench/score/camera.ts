import type { Box, CameraLabel, ClipFacts } from '../../src/analysis/facts.ts';
import type { Truth } from '../lib/truth.ts';
import { overlapOf } from './box-overlap.ts';
import type { Hits } from './transitions.ts';

/** The labels that a word of the truth allows. A move described in several words may be called by any of them. */
const WORDS: readonly (readonly [RegExp, readonly CameraLabel[]])[] = [
  [/static|locked/, ['static']],
  [/push in|zoom in|zoom-in/, ['zoom_in']],
  [/zoom.*\bout\b|zoom in\/out/, ['zoom_out', 'zoom_in']],
  [/\bpan\b/, ['pan']],
  [/tilt|crane/, ['tilt']],
  [/handheld/, ['handheld', 'moving']],
  [/orbit|walks/, ['moving', 'pan', 'handheld']],
  [/slow move|\/slow/, ['moving', 'handheld', 'pan', 'tilt', 'zoom_in', 'zoom_out']],
];
/** Pixels of the grey picture that motion is measured on: 160×90 and other ratios of that area. */
const GREY_PIXELS = 160 * 90;
const DRIFT_SECONDS = 1;
/** A punch-in is found when a cut within a frame of it has its scale. */
const LARGEST_SCALE_ERROR = 0.02;
const CUT_TOLERANCE_SECONDS = 0.09;
const BOX_TOLERANCE_SECONDS = 0.15;

export interface CameraVerdict {
  readonly startSeconds: number;
  readonly found: CameraLabel;
  readonly confidence: number;
  readonly allowed: readonly CameraLabel[];
  readonly right: boolean;
  /** How a generated stretch was made; null for real clips. */
  readonly kind: string | null;
}

/** Compares each described shot with the label of the found shot that shares most of its time. */
export function judgeCamera(facts: ClipFacts, truth: Truth): CameraVerdict[] {
  const made = truth.made.camera_labels?.map(({ start_s, end_s, label, also = [], kind }) => ({
    startSeconds: start_s,
    endSeconds: end_s,
    allowed: [label, ...also],
    kind: kind ?? null,
  }));
  return (made ?? describedStretches(facts, truth)).flatMap((stretch) => {
    const { startSeconds, endSeconds, allowed, kind } = stretch;
    const shares = facts.video.shots.map(
      (shot) => Math.min(shot.endSeconds, endSeconds) - Math.max(shot.startSeconds, startSeconds),
    );
    const shot = facts.motion.shots[shares.indexOf(Math.max(...shares))];
    if (allowed.length === 0 || shot === undefined) return [];
    const { label: found, confidence } = shot;
    return [{ startSeconds, found, confidence, allowed, right: allowed.includes(found), kind }];
  });
}

function describedStretches({ video }: ClipFacts, truth: Truth) {
  // A description of several shots in one sentence is assigned to none of them.
  const notes = truth.cameraNotes.filter(({ words }) => !/shot \d/.test(words));
  return notes.map(({ startSeconds, words }, index) => ({
    startSeconds,
    endSeconds: notes[index + 1]?.startSeconds ?? video.durationSeconds,
    allowed: allowedLabels(words),
    kind: null,
  }));
}

function allowedLabels(words: string): CameraLabel[] {
  return [...new Set(WORDS.filter(([word]) => word.test(words)).flatMap(([, labels]) => labels))];
}

/** A label below the confidence is none: it costs recall and not precision. Null: nothing found, nothing expected. */
export function labelRates(verdicts: readonly CameraVerdict[], minConfidence: number) {
  const stated = verdicts.filter(({ confidence }) => confidence >= minConfidence);
  const right = stated.filter((one) => one.right).length;
  return {
    precision: stated.length === 0 ? null : right / stated.length,
    recall: verdicts.length === 0 ? null : right / verdicts.length,
  };
}

/** Errors of the measured steps, one of each for every scored frame, and what they add up to over a second. */
export interface CameraPathScore {
  /** Pixels of a 160×90 picture. */
  readonly shiftPixels: readonly number[];
  readonly logScale: readonly number[];
  readonly rotation: readonly number[];
  readonly driftPixels: readonly number[];
  readonly driftLogScale: readonly number[];
}

/** Compares the measured path with the one that a generated clip was made with; null where none is known. */
export function scoreCameraPath({ video, motion }: ClipFacts, truth: Truth): CameraPathScore | null {
  const { camera_path: path, camera_labels: labels } = truth.made;
  if (path === undefined || labels === undefined) return null;
  const { curve } = motion;
  const height = Math.sqrt((GREY_PIXELS * video.height) / video.width);
  const width = GREY_PIXELS / height;
  const shiftPixels: number[] = [];
  const logScale: number[] = [];
  const rotation: number[] = [];
  const driftPixels: number[] = [];
  const driftLogScale: number[] = [];
  for (const { start_s, end_s, unmeasurable } of labels) {
    if (unmeasurable === true) continue;
    let drift = { x: 0, y: 0, logScale: 0, fromSeconds: start_s };
    for (let frame = 1; frame < curve.timesSeconds.length; frame++) {
      const seconds = curve.timesSeconds[frame];
      // The step into the first frame of a stretch crosses a cut.
      if (curve.timesSeconds[frame - 1] < start_s - 1e-3 || seconds >= end_s - 1e-3) continue;
      const x = (curve.shiftX[frame] - path.shift_x[frame]) * width;
      const y = (curve.shiftY[frame] - path.shift_y[frame]) * height;
      const scaled = curve.logScale[frame] - path.log_scale[frame];
      shiftPixels.push(Math.hypot(x, y));
      logScale.push(Math.abs(scaled));
      rotation.push(Math.abs(curve.rotation[frame] - path.rotation[frame]));
      drift = { ...drift, x: drift.x + x, y: drift.y + y, logScale: drift.logScale + scaled };
      if (seconds - drift.fromSeconds < DRIFT_SECONDS) continue;
      driftPixels.push(Math.hypot(drift.x, drift.y));
      driftLogScale.push(Math.abs(drift.logScale));
      drift = { x: 0, y: 0, logScale: 0, fromSeconds: seconds };
    }
  }
  return { shiftPixels, logScale, rotation, driftPixels, driftLogScale };
}

/** Punch-ins found with their scale, found where there is none (or with another scale), and missed. */
export function scorePunchIns({ motion }: ClipFacts, truth: Truth): Hits | null {
  const expected = truth.made.punch_ins;
  if (expected === undefined) return null;
  const right = expected.filter(({ time_s, log_scale }) =>
    motion.punchIns.some(
      ({ timeSeconds, logScale }) =>
        Math.abs(timeSeconds - time_s) <= CUT_TOLERANCE_SECONDS &&
        Math.abs(logScale - log_scale) <= LARGEST_SCALE_ERROR,
    ),
  ).length;
  return { right, wrong: motion.punchIns.length - right, missed: expected.length - right };
}

export interface SubjectScore {
  /** Intersection over union, one for each moment at which a box was found. */
  readonly overlaps: readonly number[];
  /** Distances of the middles, shares of the picture's size. */
  readonly centreErrors: readonly number[];
  /** Moments at which there was a subject and no box. */
  readonly missed: number;
}

/** Compares each true subject with the most salient track of its time; null where none is known. */
export function scoreSubjects({ motion }: ClipFacts, truth: Truth): SubjectScore | null {
  const expected = truth.made.subjects;
  if (expected === undefined) return null;
  const overlaps: number[] = [];
  const centreErrors: number[] = [];
  let missed = 0;
  for (const { start_s, end_s, boxes } of expected) {
    const [track] = motion.subjects
      .filter((one) => one.startSeconds < end_s - 0.1 && one.endSeconds > start_s + 0.1)
      .sort((a, b) => b.salience - a.salience);
    for (const { time_s, box } of boxes) {
      const [near] = (track?.boxes ?? [])
        .map((found) => ({ found, away: Math.abs(found.timeSeconds - time_s) }))
        .filter(({ away }) => away <= BOX_TOLERANCE_SECONDS)
        .sort((a, b) => a.away - b.away);
      if (near === undefined) missed++;
      else {
        overlaps.push(overlapOf(near.found.box, box));
        centreErrors.push(centreDistance(near.found.box, box));
      }
    }
  }
  return { overlaps, centreErrors, missed };
}

function centreDistance(a: Box, b: Box): number {
  return Math.hypot(a.x + a.width / 2 - b.x - b.width / 2, a.y + a.height / 2 - b.y - b.height / 2);
}
