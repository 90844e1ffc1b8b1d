import type { PixelBox } from '../bars/picture-area.ts';
import type { Detector } from '../detector.ts';
import { type FrameSketch, resketch } from '../frames/sketch.ts';
import { isBurstEdge, samePicture } from './burst.ts';
import { type CutEvidence, EVIDENCE, evidenceOf, medianOf, type Step, stepBetween } from './cut-evidence.ts';
import { cutProbability } from './cut-network.ts';
import { WEIGHTS } from './cut-weights.ts';
import { isBarChange } from './moving-bars.ts';

/** A hard cut: `frame` is the first of the new shot. */
export interface Cut {
  readonly frame: number;
  readonly timeSeconds: number;
  /** Time of the last frame of the old shot. */
  readonly beforeSeconds: number;
  readonly confidence: number;
  /** How far both sides are one picture, distorted (see `samePicture`). */
  readonly samePicture: number;
}

/** A step that was looked at closely. */
export interface JudgedStep {
  readonly frame: number;
  readonly timeSeconds: number;
  readonly evidence: CutEvidence;
  readonly probability: number;
}

export const CUT = {
  /** Least change of a step that is looked at, levels of 255: jump cuts on one face were seen from 1.5. */
  MIN_CHANGE: 0.6,
  /** And against the median of its neighbours on the stiller side. */
  MIN_RATIO: 1.4,
  /** Below it a screen recording that was fitted to has a cut that is none: decision 0067. */
  MIN_PROBABILITY: 0.7,
  /**
   * A step whose evidence for a flash is so clear is none, whatever else speaks for it: of some 230 steps with more, among those that
   * the network was fitted to, three were cuts.
   */
  MAX_FLASH: 0.7,
  /** Steps on each side that it is compared with, as in PySceneDetect's adaptive detector. */
  NEIGHBOURS: 3,
  /** Time after a step that has to be known before it is judged, and before it that is kept. */
  REACH_SECONDS: 0.5,
  /** No shot is shorter. */
  MIN_FRAMES: 2,
  /** Change between neighbours, levels of 255, below which the one is a repeat of the other. */
  REPEAT_LEVEL: 0.12,
} as const satisfies Readonly<Record<string, number>>;

/**
 * Finds hard cuts in frames pushed in order. A cut is told some frames late: as soon as enough is known of
 * what follows. Keeps about half a second of sketches, whatever the clip's length.
 */
export class CutDetector implements Detector<[FrameSketch], readonly Cut[], [], readonly Cut[]> {
  #window: Step[] = [];
  /** Index in the window of the next step to be judged. */
  #next = 1;
  #pending: Cut | null = null;
  readonly #onStep: ((step: JudgedStep) => void) | undefined;

  /** `onStep` is told of every step that is looked at closely. */
  constructor(onStep?: (step: JudgedStep) => void) {
    this.#onStep = onStep;
  }

  /** How much the last frame differs from the one before it, exposure taken out; levels of 255. */
  get lastChange(): number {
    return this.#window.at(-1)?.structure ?? 0;
  }

  push(sketch: FrameSketch): readonly Cut[] {
    this.#window.push(stepBetween(this.#window.at(-1)?.sketch, sketch));
    return this.#judge(false);
  }

  /** Looks at what is kept through another part of the picture. */
  resketch(area: PixelBox | null): void {
    const sketches = this.#window.map(({ sketch }) => resketch(sketch, area));
    this.#window = sketches.map((sketch, i) => stepBetween(sketches[i - 1], sketch));
  }

  finish(): readonly Cut[] {
    const cuts = this.#judge(true);
    if (this.#pending !== null) cuts.push(this.#pending);
    this.#pending = null;
    return cuts;
  }

  #judge(atEnd: boolean): Cut[] {
    const cuts: Cut[] = [];
    while (this.#next < this.#window.length && (atEnd || this.#canJudge())) {
      const cut = this.#cutAt(this.#next);
      const pending = this.#pending;
      const frame = this.#window[this.#next].sketch.index;
      if (pending !== null && frame - pending.frame >= CUT.MIN_FRAMES) {
        cuts.push(pending);
        this.#pending = null;
      }
      // Of two steps so near to each other the surer one is the cut.
      if (cut !== null && (this.#pending === null || cut.confidence > this.#pending.confidence))
        this.#pending = cut;
      this.#next += 1;
    }
    this.#forget();
    return cuts;
  }

  /** Enough is known after the step when the neighbours are complete. */
  #canJudge(): boolean {
    const here = this.#window[this.#next];
    if (here.structure < CUT.MIN_CHANGE) return true;
    const newest = this.#window.at(-1)!.sketch;
    return (
      newest.timeSeconds - here.sketch.timeSeconds >= CUT.REACH_SECONDS &&
      newest.index - here.sketch.index >= CUT.NEIGHBOURS
    );
  }

  #cutAt(at: number): Cut | null {
    const here = this.#window[at];
    if (here.structure < CUT.MIN_CHANGE) return null;
    const ahead = at + 1 < this.#window.length ? this.#neighbours(at, 1) : this.#neighbours(at, -1);
    // At the clip's ends the one side stands for both: nothing is known of the other.
    const behind = at > 1 ? this.#neighbours(at, -1) : ahead;
    const least = Math.min(...[behind, ahead].map((side) => medianOf(side.map((step) => step.structure))));
    if (here.structure < CUT.MIN_RATIO * least) return null;
    const evidence = evidenceOf(this.#window, at, { behind, ahead });
    const probability = cutProbability(WEIGHTS, evidence);
    const { index, timeSeconds } = here.sketch;
    this.#onStep?.({ frame: index, timeSeconds, evidence, probability });
    if (probability < CUT.MIN_PROBABILITY || evidence.flash > CUT.MAX_FLASH) return null;
    if (isBurstEdge(this.#window, at)) return null;
    const before = this.#window[at - 1].sketch;
    const beside = { before: this.#window[at - 2]?.sketch, after: this.#window[at + 1]?.sketch };
    if (isBarChange({ old: before, fresh: here.sketch }, beside)) return null;
    return {
      frame: index,
      timeSeconds,
      beforeSeconds: before.timeSeconds,
      confidence: probability,
      samePicture: samePicture(before, here.sketch),
    };
  }

  /** The steps next to `at` that are no repeats of a frame. What stands still for longer is a still. */
  #neighbours(at: number, way: 1 | -1): Step[] {
    let fromSeconds = this.#window[at].sketch.timeSeconds;
    const found: Step[] = [];
    for (let i = at + way; i >= 1 && i < this.#window.length && found.length < CUT.NEIGHBOURS; i += way) {
      const step = this.#window[i];
      const { timeSeconds } = step.sketch;
      const isNear = Math.abs(i - at) <= CUT.NEIGHBOURS;
      // A frame is repeated for no longer than a flash lasts: 8 frames a second stored as 60 were seen.
      if (!isNear && Math.abs(timeSeconds - fromSeconds) > EVIDENCE.FLASH_SECONDS) break;
      if (step.raw < CUT.REPEAT_LEVEL) continue;
      found.push(step);
      fromSeconds = timeSeconds;
    }
    return found;
  }

  #forget(): void {
    if (this.#window.length === 0) return;
    const oldest = this.#window[Math.min(this.#next, this.#window.length - 1)].sketch.timeSeconds;
    let drop = 0;
    while (
      drop < this.#next - CUT.NEIGHBOURS - 1 &&
      oldest - this.#window[drop].sketch.timeSeconds > CUT.REACH_SECONDS
    ) {
      drop += 1;
    }
    if (drop > 0) {
      this.#window.splice(0, drop);
      this.#next -= drop;
    }
  }
}
