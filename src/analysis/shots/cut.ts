import type { PixelBox } from '../bars/picture-area.ts';
import type { Detector } from '../detector.ts';
import { panLikeness } from '../frames/likeness.ts';
import {
  type CameraStep,
  coarseDistance,
  type FrameSketch,
  medianCellDistance,
  pixelDistance,
  resketch,
  stillShare,
  structureDistance,
} from '../frames/sketch.ts';
import { isToneChange } from './tone.ts';

/** A hard cut: `frame` is the first of the new shot. */
export interface Cut {
  readonly frame: number;
  readonly timeSeconds: number;
  /** Time of the last frame of the old shot. */
  readonly beforeSeconds: number;
  readonly confidence: number;
}

/**
 * Change between neighbours below this (of 255) is a repeated frame or coding noise. Grain raises it: it then is this
 * many times what the quietest frames around change by, as long as the liveliest ones change far more.
 */
const REPEAT_LEVEL = 0.12;
const REPEAT_FACTOR = 1.5;
const QUIET_SHARE = 0.2;
const LIVELY_SHARE = 0.85;
const LIVELY_FACTOR = 0.3;
/** Among fewer frames the liveliest are hard cuts. */
const MIN_LEVELS = 24;
/** Least change of a cut, in levels of 255, exposure taken out; and what of it is left when motion is. */
const CUT_FLOOR = 9;
const UNEXPLAINED_FLOOR = 6;
/** A picture that changes its scale at once is cut to another framing: it needs to change less. */
const REFRAMED_FLOOR = 4;
/**
 * Change against the mean of its neighbours (adaptive threshold as in PySceneDetect's adaptive detector:
 * three neighbours on each side).
 */
const CUT_RATIO = 4;
const NEIGHBOURS = 3;
/** From this many ratios on a cut needs no second look. */
const CLEAR_FACTOR = 2;
/** The same for the plain change: the middle of a fade is no cut although its exposure cannot be taken out. */
const PLAIN_RATIO = 2.5;
/**
 * Against the neighbours' change less what moving blocks explain: in a fast pan every frame changes much, but
 * only the cut's change is no motion. Fast motion defeats the blocks now and then: it then takes more change.
 */
const MOVING_RATIO = 5;
const MOVING_FLOOR = 14;
/** So much that nothing in motion explains: likeness at some shift is chance then. */
const UNLIKE_FLOOR = 20;
const UNLIKE_RATIO = 15;
/** Median change of the picture's parts, in levels: at a cut most of the picture changes. */
const CELL_FLOOR = 2.5;
/** And over the mean change: what flies past the lens changes much in few parts. */
const WIDESPREAD = 0.48;
const WHOLE_RATIO = 16;
/**
 * Share of the picture that stays as it was while things move before or after: they leave it or come in. Seen on such
 * flights from .42, on cuts among motion up to .19.
 */
const STILL_GROUND = 0.3;
const LIVELY_NEIGHBOUR = 0.4;
/** A change next to it that is as large as this, and as little explained, makes it one of a run: things in motion. */
const EQUAL_CHANGE = 0.62;
const EQUAL_UNEXPLAINED = 0.48;
/** A step of the camera that explains this share of the textured blocks is no cut, ... */
const CAMERA_SUPPORT = 0.5;
const CAMERA_EXPLAINED = 0.3;
/** ... unless it jumps in scale, as a cut to another framing of the same take does, ... */
const FRAMING_LOG_SCALE = 0.06;
/** Scale next to a cut to another framing, against its own: a zoom goes on. */
const SETTLED_SCALE = 0.3;
/** ... or further than this share of the picture. */
const CAMERA_SHIFT = 0.1;
/** What a jerk of the camera leaves in common, and how well it then agrees. */
const MIN_JERK_OVERLAP = 0.35;
const JERK_LIKENESS = 0.85;
/** How far neighbours are looked for when frames are repeated (8 frames a second stored as 60). */
const NEIGHBOUR_REACH_SECONDS = 0.5;
/** A cut makes at least this share of the change that is seen from two frames further off. */
const STEP_SHARE = 0.7;
const STEP_FRAMES = 2;
/** A picture that comes back within this time was interrupted by a flash or a fault, not by a shot. */
const FLASH_SECONDS = 0.17;
const FLASH_MIN_FRAMES = 2;
const FLASH_MAX_FRAMES = 12;
/** The picture is back when its coarse change is below this share of the change into the flash. */
const FLASH_RETURN = 0.4;
/** Two cuts nearer than this are one change that took more than a frame. */
const MIN_SHOT_SECONDS = 0.16;

interface Change {
  readonly sketch: FrameSketch;
  /** The camera alone explains the change. */
  readonly byCamera: boolean;
  /** Against the frame before: exposure taken out. */
  readonly structure: number;
  readonly raw: number;
  /** The structure's change that no motion of blocks explains. */
  readonly unexplained: number;
}

/**
 * Finds hard cuts in frames pushed in order. A cut is told some frames late: as soon as enough is known of
 * what follows. Keeps about half a second of sketches, whatever the clip's length.
 */
export class CutDetector implements Detector<[FrameSketch], readonly Cut[], [], readonly Cut[]> {
  #window: Change[] = [];
  /** Index in the window of the next change to be judged. */
  #next = 1;
  #lastCut: Cut | null = null;

  push(sketch: FrameSketch): readonly Cut[] {
    this.#window.push(changeBetween(this.#window.at(-1)?.sketch, sketch));
    return this.#judge(false);
  }

  /** Looks at what is kept through another part of the picture. */
  resketch(area: PixelBox | null): void {
    const sketches = this.#window.map(({ sketch }) => resketch(sketch, area));
    this.#window = sketches.map((sketch, i) => changeBetween(sketches[i - 1], sketch));
  }

  finish(): readonly Cut[] {
    return this.#judge(true);
  }

  #judge(atEnd: boolean): Cut[] {
    const cuts: Cut[] = [];
    while (this.#next < this.#window.length && (atEnd || this.#canJudge())) {
      const cut = this.#cutAt(this.#next);
      if (cut !== null) {
        cuts.push(cut);
        this.#lastCut = cut;
      }
      this.#next += 1;
    }
    this.#forget();
    return cuts;
  }

  /** Enough is known after the change when the flash test and the neighbours are complete. */
  #canJudge(): boolean {
    const here = this.#window[this.#next];
    if (!isLarge(here)) return true;
    const newest = this.#window.at(-1)!.sketch;
    const ahead = newest.timeSeconds - here.sketch.timeSeconds;
    return (
      ahead >= NEIGHBOUR_REACH_SECONDS &&
      newest.index - here.sketch.index >= Math.max(NEIGHBOURS, FLASH_MIN_FRAMES)
    );
  }

  #cutAt(at: number): Cut | null {
    const here = this.#window[at];
    if (!isLarge(here)) return null;
    const repeatLevel = this.#repeatLevel(at);
    const behind = this.#neighbours(at, -1, repeatLevel);
    const ahead = this.#neighbours(at, 1, repeatLevel);
    const neighbours = [...behind, ...ahead];
    const least = neighbours.length === 0 ? Math.max(0.3, repeatLevel) : 0.3;
    const against = (of: (change: Change) => number): number =>
      of(here) / Math.max(least, meanWithoutLargest(neighbours.map(of)));
    const ratio = against((change) => change.structure);
    const movingRatio = against((change) => change.unexplained);
    const standsOut =
      ratio >= CUT_RATIO &&
      against((change) => change.raw) >= PLAIN_RATIO &&
      !this.#isExceeded(at, (change) => change.structure);
    const standsOutOfMotion =
      movingRatio >= MOVING_RATIO &&
      here.unexplained >= MOVING_FLOOR &&
      !this.#isExceeded(at, (change) => change.unexplained);
    if (!(standsOut || standsOutOfMotion) || here.byCamera) return null;
    const before = this.#window[at - 1].sketch;
    const isClear = standsOut && ratio >= CLEAR_FACTOR * CUT_RATIO;
    const isUnlike = movingRatio >= UNLIKE_RATIO && here.unexplained >= UNLIKE_FLOOR;
    const isElsewhere = isClear || isUnlike || this.#reframesAtOnce(at);
    if (!isElsewhere && isPanned(before, here.sketch)) return null;
    if (!isClear && (isEqual(here, behind[0]) || isEqual(here, ahead[0]))) return null;
    const spread = medianCellDistance(before, here.sketch);
    if (spread < CELL_FLOOR) return null;
    if (ratio < WHOLE_RATIO && spread < WIDESPREAD * coarseDistance(before, here.sketch)) return null;
    const isAmongMotion = neighbours.some(({ structure }) => structure >= LIVELY_NEIGHBOUR * here.structure);
    if (ratio < WHOLE_RATIO && isAmongMotion && stillShare(before, here.sketch) >= STILL_GROUND) return null;
    if (isToneChange(before, here.sketch) || this.#isStep(at) || this.#isFlash(at)) return null;
    const { index, timeSeconds } = here.sketch;
    if (this.#lastCut !== null && timeSeconds - this.#lastCut.timeSeconds < MIN_SHOT_SECONDS) return null;
    const strength = Math.min(
      here.unexplained / (2 * MOVING_FLOOR),
      Math.max(ratio / (2 * CUT_RATIO), movingRatio / (2 * MOVING_RATIO)),
    );
    return {
      frame: index,
      timeSeconds,
      beforeSeconds: before.timeSeconds,
      confidence: 0.5 + 0.35 * Math.min(1.4, strength),
    };
  }

  /** The level up to which a change around `at` is a repeated frame. */
  #repeatLevel(at: number): number {
    const origin = this.#window[at].sketch.timeSeconds;
    const levels: number[] = [];
    for (let i = 1; i < this.#window.length; i++) {
      const { raw, sketch } = this.#window[i];
      if (i !== at && Math.abs(sketch.timeSeconds - origin) <= NEIGHBOUR_REACH_SECONDS) levels.push(raw);
    }
    if (levels.length < MIN_LEVELS) return REPEAT_LEVEL;
    levels.sort((a, b) => a - b);
    const quiet = levels[Math.floor(QUIET_SHARE * levels.length)];
    const lively = levels[Math.floor(LIVELY_SHARE * levels.length)];
    return Math.max(REPEAT_LEVEL, Math.min(REPEAT_FACTOR * quiet, LIVELY_FACTOR * lively));
  }

  /** The changes next to `at` that are no repeats of a frame. */
  #neighbours(at: number, step: 1 | -1, repeatLevel: number): Change[] {
    const origin = this.#window[at].sketch.timeSeconds;
    const found: Change[] = [];
    for (let i = at + step; i >= 1 && i < this.#window.length && found.length < NEIGHBOURS; i += step) {
      const change = this.#window[i];
      const near = Math.abs(i - at) <= NEIGHBOURS;
      if (!near && Math.abs(change.sketch.timeSeconds - origin) > NEIGHBOUR_REACH_SECONDS) break;
      if (change.raw >= repeatLevel) found.push(change);
    }
    return found;
  }

  /** The scale changes in this frame, and hardly in those next to it: a zoom takes longer. */
  #reframesAtOnce(at: number): boolean {
    const { camera } = this.#window[at].sketch;
    if (camera === null || !isReframed(camera)) return false;
    return [at - 1, at + 1].every((next) => {
      const other = this.#window[next]?.sketch.camera;
      return other == null || Math.abs(other.logScale) <= SETTLED_SCALE * Math.abs(camera.logScale);
    });
  }

  /** A larger change within two frames: this one is its foot. */
  #isExceeded(at: number, of: (change: Change) => number): boolean {
    const here = of(this.#window[at]);
    for (let i = Math.max(1, at - 2); i <= at + 2 && i < this.#window.length; i++) {
      if (of(this.#window[i]) > here) return true;
    }
    return false;
  }

  /** One step of a change that goes on in the same direction: a short gradual transition. */
  #isStep(at: number): boolean {
    const before = this.#window[at - 1].sketch;
    const here = this.#window[at].sketch;
    const change = coarseDistance(before, here);
    const ahead = this.#window[at + STEP_FRAMES]?.sketch;
    const behind = this.#window[at - 1 - STEP_FRAMES]?.sketch;
    return (
      (ahead !== undefined && change < STEP_SHARE * coarseDistance(before, ahead)) ||
      (behind !== undefined && change < STEP_SHARE * coarseDistance(behind, here))
    );
  }

  /** Into or out of a flash: the picture on one side is found again soon on the other side of the change. */
  #isFlash(at: number): boolean {
    const before = this.#window[at - 1].sketch;
    const here = this.#window[at].sketch;
    const limit = FLASH_RETURN * coarseDistance(before, here);
    return this.#returns(at + 1, 1, here, before, limit) || this.#returns(at - 2, -1, before, here, limit);
  }

  #returns(from: number, step: 1 | -1, near: FrameSketch, wanted: FrameSketch, limit: number): boolean {
    for (let i = from; i >= 0 && i < this.#window.length; i += step) {
      const { sketch } = this.#window[i];
      const frames = Math.abs(sketch.index - near.index);
      const within = Math.abs(sketch.timeSeconds - near.timeSeconds) <= FLASH_SECONDS;
      if (frames > FLASH_MAX_FRAMES || (frames > FLASH_MIN_FRAMES && !within)) return false;
      if (coarseDistance(sketch, wanted) < limit) return true;
    }
    return false;
  }

  #forget(): void {
    if (this.#window.length === 0) return;
    const oldest = this.#window[Math.min(this.#next, this.#window.length - 1)].sketch.timeSeconds;
    let drop = 0;
    while (
      drop < this.#next - FLASH_MAX_FRAMES - 1 &&
      oldest - this.#window[drop].sketch.timeSeconds > NEIGHBOUR_REACH_SECONDS
    ) {
      drop += 1;
    }
    if (drop > 0) {
      this.#window.splice(0, drop);
      this.#next -= drop;
    }
  }
}

function changeBetween(before: FrameSketch | undefined, sketch: FrameSketch): Change {
  const raw = before === undefined ? 0 : pixelDistance(before, sketch);
  // Bounded gains can make a flat picture's exposure worse.
  const structure = before === undefined ? 0 : Math.min(raw, structureDistance(before, sketch));
  return {
    sketch,
    byCamera: sketch.camera !== null && isCameraStep(sketch.camera),
    structure,
    raw,
    unexplained: structure * (1 - (sketch.camera?.explained ?? 0)),
  };
}

/** A camera that jerks so far that its blocks are lost leaves a part of the picture in common. */
function isPanned(before: FrameSketch, after: FrameSketch): boolean {
  return [true, false].some(
    (vertical) => panLikeness(before, after, vertical, MIN_JERK_OVERLAP) >= JERK_LIKENESS,
  );
}

/** A neighbour that changes about as much: a cut stands alone. */
function isEqual({ structure, unexplained }: Change, other: Change | undefined): boolean {
  return (
    other !== undefined &&
    other.structure >= EQUAL_CHANGE * structure &&
    other.unexplained >= EQUAL_UNEXPLAINED * unexplained
  );
}

/** The change is large enough for a cut. */
function isLarge({ structure, unexplained, sketch }: Change): boolean {
  if (structure >= CUT_FLOOR && unexplained >= UNEXPLAINED_FLOOR) return true;
  return structure >= REFRAMED_FLOOR && sketch.camera !== null && isReframed(sketch.camera);
}

function isReframed({ jumps, support, logScale }: CameraStep): boolean {
  return jumps || (support >= CAMERA_SUPPORT && Math.abs(logScale) >= FRAMING_LOG_SCALE);
}

function isCameraStep({ shiftX, shiftY, logScale, support, explained }: CameraStep): boolean {
  return (
    support >= CAMERA_SUPPORT &&
    explained >= CAMERA_EXPLAINED &&
    Math.abs(logScale) < FRAMING_LOG_SCALE &&
    Math.hypot(shiftX, shiftY) < CAMERA_SHIFT
  );
}

/** One neighbour may itself be a cut (a very short shot): the largest of more than two does not count. */
function meanWithoutLargest(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sum = values.reduce((total, value) => total + value, 0);
  if (values.length <= 2) return sum / values.length;
  return (sum - Math.max(...values)) / (values.length - 1);
}
