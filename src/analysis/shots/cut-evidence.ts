import {
  coarseDistance,
  type FrameSketch,
  oneSidedness,
  pixelDistance,
  stillShare,
  structureDistance,
} from '../frames/sketch.ts';
import { toneChange } from './tone.ts';

/** The step from the previous frame to this one. Levels are of 255. */
export interface Step {
  readonly sketch: FrameSketch;
  /** Mean change of the small pictures, unchanged and with exposure removed. */
  readonly raw: number;
  readonly structure: number;
  /** The part of the structure's change that block motion does not explain. */
  readonly unexplained: number;
  /** Mean change of the coarse pictures. */
  readonly coarse: number;
}

/** Steps on each side of a step, nearest first, without repeated frames. */
export interface Neighbours {
  readonly behind: readonly Step[];
  readonly ahead: readonly Step[];
}

/**
 * Evidence for and against a cut at a step, as numbers from about 0 to 5. A shot may be two frames long, so a
 * step is compared with the median of three neighbours on each side. One of them may be a cut itself.
 */
export interface CutEvidence {
  /** Logarithm of the change that no motion explains. */
  readonly unexplained: number;
  /** Log ratio of `unexplained` to the neighbours, on the side where it is smaller, and larger. */
  readonly 'unexplained.less': number;
  readonly 'unexplained.more': number;
  /** The structure's change, and its log ratio to the neighbours: blocks of flat pictures match anywhere. */
  readonly structure: number;
  readonly 'structure.less': number;
  /** The structure's change against the largest of four neighbours. */
  readonly peak: number;
  /** Excess of the distance across the step over the distance within each side. */
  readonly apart: number;
  /** Share of the picture that does not change. */
  readonly still: number;
  /** See `ToneChange`. */
  readonly 'tone.explained': number;
  readonly 'tone.left': number;
  /**
   * Whether a tone curve explains both the picture and the change, as with light. For a jump cut over a static
   * background it explains only the picture.
   */
  readonly light: number;
  /**
   * 1: everything becomes lighter or darker, one picture is the other under another light or plain, and the first
   * soon returns.
   */
  readonly flash: number;
  /** Share of the change that the step before or after repeats: in a dissolve each step does. */
  readonly continuation: number;
  /** Share of the textured blocks without a match. */
  readonly gone: number;
}

export const EVIDENCE = {
  /** Levels added to both changes, so that the ratio for two still frames is near one. */
  NOISE: 0.5,
  /** Log ratios are limited to this. */
  MAX_LOG: 4,
  /** Longest flash or picture fault: this time, or this many frames. */
  FLASH_SECONDS: 0.17,
  FLASH_FRAMES: 2,
} as const;

export function stepBetween(before: FrameSketch | undefined, sketch: FrameSketch): Step {
  if (before === undefined) return { sketch, raw: 0, structure: 0, unexplained: 0, coarse: 0 };
  const raw = pixelDistance(before, sketch);
  // Limited gains can increase a flat picture's difference.
  const structure = Math.min(raw, structureDistance(before, sketch));
  const unexplained = structure * (1 - (sketch.camera?.explained ?? 0));
  return { sketch, raw, structure, unexplained, coarse: coarseDistance(before, sketch) };
}

export function evidenceOf(window: readonly Step[], at: number, { behind, ahead }: Neighbours): CutEvidence {
  const { sketch, structure, unexplained } = window[at];
  const before = window[at - 1].sketch;
  const sides = [behind, ahead].map((side) =>
    logRatio(unexplained, medianOf(side.map((step) => step.unexplained))),
  );
  const plainSides = [behind, ahead].map((side) =>
    logRatio(structure, medianOf(side.map((step) => step.structure))),
  );
  const largest = Math.max(0, ...[...behind.slice(0, 2), ...ahead.slice(0, 2)].map((step) => step.structure));
  const tone = toneChange(before, sketch);
  const back = returnsOf(window, at, FLASH);
  return {
    unexplained: Math.log1p(unexplained),
    'unexplained.less': Math.min(...sides),
    'unexplained.more': Math.max(...sides),
    structure: Math.log1p(structure),
    'structure.less': Math.min(...plainSides),
    peak: logRatio(structure, largest),
    apart: apartness(window, at),
    still: stillShare(before, sketch),
    'tone.explained': tone.explained,
    'tone.left': tone.left,
    light: tone.explained * (1 - tone.left),
    flash: tone.explainedOrPlain * oneSidedness(before, sketch) * (1 - Math.min(back.ahead, back.behind)),
    continuation: Math.max(0, repeatedShare(window, at, at - 1), repeatedShare(window, at, at + 1)),
    gone: sketch.camera?.unmatched ?? 0,
  };
}

/** The lower of the two middle values; 0 without values. */
export function medianOf(values: number[]): number {
  return values.length === 0 ? 0 : values.sort((a, b) => a - b)[(values.length - 1) >> 1];
}

function logRatio(value: number, against: number): number {
  const log = Math.log((value + EVIDENCE.NOISE) / (against + EVIDENCE.NOISE));
  return Math.max(-EVIDENCE.MAX_LOG, Math.min(EVIDENCE.MAX_LOG, log));
}

function apartness(window: readonly Step[], at: number): number {
  let across = Number.POSITIVE_INFINITY;
  for (const old of window.slice(Math.max(0, at - 2), at)) {
    for (const fresh of window.slice(at, at + 2))
      across = Math.min(across, coarseDistance(old.sketch, fresh.sketch));
  }
  return logRatio(across, Math.max(window[at - 1].coarse, window[at + 1]?.coarse ?? 0));
}

/** Search range: a step is in range by either limit. */
interface Reach {
  readonly seconds: number;
  readonly frames: number;
}

const FLASH: Reach = { seconds: EVIDENCE.FLASH_SECONDS, frames: EVIDENCE.FLASH_FRAMES };

/**
 * Least change from a picture on one side of a step to those soon after it on the other side. It is a share
 * of the step's change, 0..1. `ahead`: from the old picture to later ones. `behind`: from the new picture to
 * earlier ones.
 */
export function returnsOf(
  window: readonly Step[],
  at: number,
  reach: Reach,
): { readonly ahead: number; readonly behind: number } {
  const [old, fresh] = [window[at - 1].sketch, window[at].sketch];
  const share = (least: number) => Math.min(1, least / Math.max(EVIDENCE.NOISE, window[at].coarse));
  return {
    ahead: share(nearest(window, at + 1, 1, { near: fresh, wanted: old, reach })),
    behind: share(nearest(window, at - 2, -1, { near: old, wanted: fresh, reach })),
  };
}

function nearest(
  window: readonly Step[],
  from: number,
  direction: 1 | -1,
  {
    near,
    wanted,
    reach,
  }: { readonly near: FrameSketch; readonly wanted: FrameSketch; readonly reach: Reach },
): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = from; i >= 0 && i < window.length; i += direction) {
    const { sketch } = window[i];
    const frames = Math.abs(sketch.index - near.index);
    const seconds = Math.abs(sketch.timeSeconds - near.timeSeconds);
    if (seconds > reach.seconds && frames > reach.frames) break;
    least = Math.min(least, coarseDistance(wanted, sketch));
  }
  return least;
}

/** Share of a step's change that another step repeats, -1..1. */
function repeatedShare(window: readonly Step[], at: number, other: number): number {
  if (other < 1 || other >= window.length) return 0;
  const [a, b] = [window[at - 1].sketch.coarse, window[at].sketch.coarse];
  const [c, d] = [window[other - 1].sketch.coarse, window[other].sketch.coarse];
  let dot = 0;
  let own = 0;
  for (let i = 0; i < a.length; i++) {
    const change = b[i] - a[i];
    dot += change * (d[i] - c[i]);
    own += change * change;
  }
  return own === 0 ? 0 : Math.max(-1, Math.min(1, dot / own));
}
