import type { PixelBox } from '../bars/picture-area.ts';
import type { Detector } from '../detector.ts';
import { type FrameSketch, resketch } from '../frames/sketch.ts';
import { isBurstEdge } from './burst.ts';
import { type CutEvidence, EVIDENCE, evidenceOf, medianOf, type Step, stepBetween } from './cut-evidence.ts';
import { cutProbability } from './cut-network.ts';
import { WEIGHTS } from './cut-weights.ts';
import { isBarChange } from './moving-bars.ts';
import { isOverlayChange, texturedUnchangedShare } from './overlay-change.ts';

/** A hard cut: `frame` is the first of the new shot. */
export interface Cut {
  readonly frame: number;
  readonly timeSeconds: number;
  /** Time of the last frame of the old shot. */
  readonly beforeSeconds: number;
  readonly confidence: number;
  /** 0..1: share of the picture that has structure and does not change: `texturedUnchangedShare`. */
  readonly keptShare: number;
}

/** A step for which evidence was computed. */
export interface JudgedStep {
  readonly frame: number;
  readonly timeSeconds: number;
  readonly evidence: CutEvidence;
  readonly probability: number;
}

export const CUT = {
  /** Least change of a judged step, levels of 255: jump cuts on one face have 1.5 or more. */
  MIN_CHANGE: 0.6,
  /** Least ratio to the median of its neighbours on the calmer side. */
  MIN_RATIO: 1.4,
  /** Below it a screen recording gets a false cut: decision 0067. */
  MIN_PROBABILITY: 0.7,
  /** Neighbours on each side for comparison, as in PySceneDetect's adaptive detector. */
  NEIGHBOURS: 3,
  /** Time after a step that must be known before it is judged, and before it that is stored. */
  REACH_SECONDS: 0.5,
  /** Shortest shot. */
  MIN_FRAMES: 2,
  /** Change between neighbours, levels of 255, below which one repeats the other. */
  REPEAT_LEVEL: 0.12,
} as const satisfies Readonly<Record<string, number>>;

/**
 * Finds hard cuts in frames pushed in order. A cut is reported some frames late, once enough later frames are
 * known. Keeps about half a second of sketches, whatever the clip's length.
 */
export class CutDetector implements Detector<[FrameSketch], readonly Cut[], [], readonly Cut[]> {
  #window: Step[] = [];
  /** Index in the window of the next step to judge. */
  #next = 1;
  #pending: Cut | null = null;
  /** Index of the clip's first frame. */
  #first = 0;
  readonly #onStep: ((step: JudgedStep) => void) | undefined;

  /** `onStep` receives every judged step. */
  constructor(onStep?: (step: JudgedStep) => void) {
    this.#onStep = onStep;
  }

  /** Structural change of the last frame against the one before it; levels of 255. */
  get lastChange(): number {
    return this.#window.at(-1)?.structure ?? 0;
  }

  push(sketch: FrameSketch): readonly Cut[] {
    if (this.#window.length === 0) this.#first = sketch.index;
    this.#window.push(stepBetween(this.#window.at(-1)?.sketch, sketch));
    return this.#judge(false);
  }

  /** Crops the stored sketches to another part of the picture. */
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
      const cut = this.#isStray(this.#next, atEnd) ? null : this.#cutAt(this.#next);
      const pending = this.#pending;
      const frame = this.#window[this.#next].sketch.index;
      if (pending !== null && frame - pending.frame >= CUT.MIN_FRAMES) {
        cuts.push(pending);
        this.#pending = null;
      }
      // Of two steps this close, the more probable one is the cut.
      if (cut !== null && (this.#pending === null || cut.confidence > this.#pending.confidence))
        this.#pending = cut;
      this.#next += 1;
    }
    this.#forget();
    return cuts;
  }

  /** Whether the neighbours after the next step are complete. */
  #canJudge(): boolean {
    const here = this.#window[this.#next];
    if (here.structure < CUT.MIN_CHANGE) return true;
    const newest = this.#window.at(-1)!.sketch;
    return (
      newest.timeSeconds - here.sketch.timeSeconds >= CUT.REACH_SECONDS &&
      newest.index - here.sketch.index >= CUT.NEIGHBOURS
    );
  }

  /** Whether a step parts too few frames at the clip's start or end for a shot. */
  #isStray(at: number, atEnd: boolean): boolean {
    const { index } = this.#window[at].sketch;
    if (index - this.#first < CUT.MIN_FRAMES) return true;
    return atEnd && this.#window.at(-1)!.sketch.index - index + 1 < CUT.MIN_FRAMES;
  }

  #cutAt(at: number): Cut | null {
    const here = this.#window[at];
    if (here.structure < CUT.MIN_CHANGE) return null;
    const ahead = at + 1 < this.#window.length ? this.#neighbours(at, 1) : this.#neighbours(at, -1);
    // At the clip's ends, the known side also replaces the unknown one.
    const behind = at > 1 ? this.#neighbours(at, -1) : ahead;
    const least = Math.min(...[behind, ahead].map((side) => medianOf(side.map((step) => step.structure))));
    if (here.structure < CUT.MIN_RATIO * least) return null;
    const evidence = evidenceOf(this.#window, at, { behind, ahead });
    const probability = cutProbability(WEIGHTS, evidence);
    const { index, timeSeconds } = here.sketch;
    this.#onStep?.({ frame: index, timeSeconds, evidence, probability });
    if (probability < CUT.MIN_PROBABILITY || isBurstEdge(this.#window, at)) return null;
    if (isOverlayChange(this.#window, at)) return null;
    const before = this.#window[at - 1].sketch;
    const beside = { before: this.#window[at - 2]?.sketch, after: this.#window[at + 1]?.sketch };
    if (isBarChange({ old: before, fresh: here.sketch }, beside)) return null;
    return {
      frame: index,
      timeSeconds,
      beforeSeconds: before.timeSeconds,
      confidence: probability,
      keptShare: texturedUnchangedShare(before, here.sketch),
    };
  }

  /** The steps next to `at` without repeated frames. Longer repeats are a still. */
  #neighbours(at: number, direction: 1 | -1): Step[] {
    let fromSeconds = this.#window[at].sketch.timeSeconds;
    const found: Step[] = [];
    for (
      let i = at + direction;
      i >= 1 && i < this.#window.length && found.length < CUT.NEIGHBOURS;
      i += direction
    ) {
      const step = this.#window[i];
      const { timeSeconds } = step.sketch;
      const isNear = Math.abs(i - at) <= CUT.NEIGHBOURS;
      // Repeats last no longer than a flash: clips of 8 frames a second stored as 60 occur.
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
