import type { Detector } from './detector.ts';
import {
  type CameraStep,
  coarseDistance,
  type FrameSketch,
  medianCellDistance,
  pixelDistance,
  structureDistance,
} from './shot-sketch.ts';

/** A hard cut: `frame` is the first of the new shot. */
export interface Cut {
  readonly frame: number;
  readonly timeSeconds: number;
  /** Time of the last frame of the old shot. */
  readonly beforeSeconds: number;
  readonly confidence: number;
}

/** Change between neighbours below this (of 255) is a repeated frame or coding noise. */
const REPEAT_LEVEL = 0.12;
/** Least change of a cut, in levels of 255, exposure taken out. */
const CUT_FLOOR = 5.5;
/**
 * Change against the mean of its neighbours (adaptive threshold as in PySceneDetect's adaptive detector:
 * three neighbours on each side).
 */
const CUT_RATIO = 3.5;
const NEIGHBOURS = 3;
/** The same for the plain change: the middle of a fade is no cut although its exposure cannot be taken out. */
const PLAIN_RATIO = 2.2;
/** Median change of the picture's parts, in levels: at a cut most of the picture changes. */
const CELL_FLOOR = 2.5;
/** A step of the camera that explains this share of the textured blocks is no cut, ... */
const CAMERA_SUPPORT = 0.5;
/** ... unless it jumps in scale, as a cut to another framing of the same take does, ... */
const FRAMING_LOG_SCALE = 0.06;
/** ... or further than this share of the picture. */
const CAMERA_SHIFT = 0.1;
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
const LEAST_SHOT_SECONDS = 0.16;

interface Change {
  readonly sketch: FrameSketch;
  /** The camera alone explains the change. */
  readonly byCamera: boolean;
  /** Against the frame before: exposure taken out. */
  readonly structure: number;
  readonly raw: number;
}

/**
 * Finds hard cuts in frames pushed in order. A cut is told some frames late: as soon as enough is known of
 * what follows. Keeps about half a second of sketches, whatever the clip's length.
 */
export class CutDetector implements Detector<FrameSketch, Cut> {
  #window: Change[] = [];
  /** Index in the window of the next change to be judged. */
  #next = 1;
  #lastCut: Cut | null = null;

  push(sketch: FrameSketch): readonly Cut[] {
    const before = this.#window.at(-1);
    this.#window.push({
      sketch,
      byCamera: sketch.camera !== null && isCameraStep(sketch.camera),
      structure: before === undefined ? 0 : structureDistance(before.sketch, sketch),
      raw: before === undefined ? 0 : pixelDistance(before.sketch, sketch),
    });
    return this.#judge(false);
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
    if (here.structure < CUT_FLOOR) return true;
    const newest = this.#window.at(-1)!.sketch;
    const ahead = newest.timeSeconds - here.sketch.timeSeconds;
    return (
      ahead >= NEIGHBOUR_REACH_SECONDS &&
      newest.index - here.sketch.index >= Math.max(NEIGHBOURS, FLASH_MIN_FRAMES)
    );
  }

  #cutAt(at: number): Cut | null {
    const here = this.#window[at];
    if (here.structure < CUT_FLOOR) return null;
    const neighbours = [...this.#neighbours(at, -1), ...this.#neighbours(at, 1)];
    const ratio =
      here.structure / Math.max(0.3, meanWithoutLargest(neighbours.map((near) => near.structure)));
    const plainRatio = here.raw / Math.max(0.3, meanWithoutLargest(neighbours.map((near) => near.raw)));
    if (ratio < CUT_RATIO || plainRatio < PLAIN_RATIO || here.byCamera) return null;
    if (medianCellDistance(this.#window[at - 1].sketch, here.sketch) < CELL_FLOOR) return null;
    if (this.#isExceeded(at) || this.#isStep(at) || this.#isFlash(at)) return null;
    const { index, timeSeconds } = here.sketch;
    if (this.#lastCut !== null && timeSeconds - this.#lastCut.timeSeconds < LEAST_SHOT_SECONDS) return null;
    const strength = Math.min(here.structure / (2 * CUT_FLOOR), ratio / (2 * CUT_RATIO));
    return {
      frame: index,
      timeSeconds,
      beforeSeconds: this.#window[at - 1].sketch.timeSeconds,
      confidence: 0.5 + 0.35 * Math.min(1.4, strength),
    };
  }

  /** The changes next to `at` that are no repeats of a frame. */
  #neighbours(at: number, step: 1 | -1): Change[] {
    const origin = this.#window[at].sketch.timeSeconds;
    const found: Change[] = [];
    for (let i = at + step; i >= 1 && i < this.#window.length && found.length < NEIGHBOURS; i += step) {
      const change = this.#window[i];
      const near = Math.abs(i - at) <= NEIGHBOURS;
      if (!near && Math.abs(change.sketch.timeSeconds - origin) > NEIGHBOUR_REACH_SECONDS) break;
      if (change.raw >= REPEAT_LEVEL) found.push(change);
    }
    return found;
  }

  /** A larger change within two frames: this one is its foot. */
  #isExceeded(at: number): boolean {
    const here = this.#window[at];
    for (let i = Math.max(1, at - 2); i <= at + 2 && i < this.#window.length; i++) {
      if (this.#window[i].structure > here.structure) return true;
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

function isCameraStep({ shiftX, shiftY, logScale, support }: CameraStep): boolean {
  return (
    support >= CAMERA_SUPPORT &&
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
