import {
  coarseDistance,
  type FrameSketch,
  oneSidedness,
  pixelDistance,
  stillShare,
  structureDistance,
} from '../frames/sketch.ts';
import { toneChange } from './tone.ts';

/** The step from the frame before to this one. Levels are of 255. */
export interface Step {
  readonly sketch: FrameSketch;
  /** Mean change of the small pictures, as they stand and with exposure taken out. */
  readonly raw: number;
  readonly structure: number;
  /** The structure's change that no motion of blocks explains. */
  readonly unexplained: number;
  /** Mean change of the coarse pictures. */
  readonly coarse: number;
}

/** Steps on each side of another one that are no repeats of a frame, nearest first. */
export interface Neighbours {
  readonly behind: readonly Step[];
  readonly ahead: readonly Step[];
}

/**
 * What speaks for a cut at a step and against it, as numbers from about 0 to 5. A shot may be two frames long: what a step is
 * compared with is the median of three neighbours on each side, one of which may be a cut itself.
 */
export interface CutEvidence {
  /** The change that no motion explains, as a logarithm. */
  readonly unexplained: number;
  /** And against the neighbours, on the side where it stands out less, and more. */
  readonly 'unexplained.less': number;
  readonly 'unexplained.more': number;
  /** The structure's change, and against the neighbours: flat pictures have blocks that match anywhere. */
  readonly structure: number;
  readonly 'structure.less': number;
  /** The structure's change against the largest of four neighbours. */
  readonly peak: number;
  /** How much farther the pictures on both sides are from each other than two on one side. */
  readonly apart: number;
  /** Share of the picture that stays as it was. */
  readonly still: number;
  /** See `ToneChange`. */
  readonly 'tone.explained': number;
  readonly 'tone.left': number;
  /** The curve explains the picture and the change: light. Of a jump cut before a still ground it explains the picture alone. */
  readonly light: number;
  /** 1: all becomes lighter or all darker, one picture is the other under another light or plain, and soon it is back. */
  readonly flash: number;
  /** Share of the change that the step before or after repeats: of a dissolve each step does. */
  readonly goesOn: number;
  /** Share of the textured blocks that are nowhere to be found. */
  readonly gone: number;
}

export const EVIDENCE = {
  /** Levels, so that the ratio of two still frames' changes is near one. */
  NOISE: 0.5,
  /** Ratios beyond e⁴ say no more. */
  MAX_LOG: 4,
  /** A flash or a fault of the picture is over within this time, or within so many frames. */
  FLASH_SECONDS: 0.17,
  FLASH_FRAMES: 2,
} as const;

export function stepBetween(before: FrameSketch | undefined, sketch: FrameSketch): Step {
  if (before === undefined) return { sketch, raw: 0, structure: 0, unexplained: 0, coarse: 0 };
  const raw = pixelDistance(before, sketch);
  // Bounded gains can make a flat picture's exposure worse.
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
    goesOn: Math.max(0, sameWay(window, at, at - 1), sameWay(window, at, at + 1)),
    gone: sketch.camera?.gone ?? 0,
  };
}

/** The lower of the two in the middle; 0 of none. */
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

/** How far to look: as long as either holds. */
interface Reach {
  readonly seconds: number;
  readonly frames: number;
}

const FLASH: Reach = { seconds: EVIDENCE.FLASH_SECONDS, frames: EVIDENCE.FLASH_FRAMES };

/**
 * Least change from a picture on the one side of a step to those soon after it on the other, as a share of the step's, 0..1: of the old picture
 * to those `ahead`, and of the new one to those `behind`.
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
  way: 1 | -1,
  {
    near,
    wanted,
    reach,
  }: { readonly near: FrameSketch; readonly wanted: FrameSketch; readonly reach: Reach },
): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = from; i >= 0 && i < window.length; i += way) {
    const { sketch } = window[i];
    const frames = Math.abs(sketch.index - near.index);
    const seconds = Math.abs(sketch.timeSeconds - near.timeSeconds);
    if (seconds > reach.seconds && frames > reach.frames) break;
    least = Math.min(least, coarseDistance(wanted, sketch));
  }
  return least;
}

/** Share of a step's change that another one repeats, -1..1. */
function sameWay(window: readonly Step[], at: number, other: number): number {
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
