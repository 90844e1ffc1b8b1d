import type { Frame } from '../footage.ts';
import type { Shot, Transition } from './facts.ts';
import type { MotionField } from './motion-field.ts';
import { PictureArea } from './shot-area.ts';
import { type Cut, CutDetector } from './shot-cut.ts';
import { type FrameSketch, resketch, sketchFrame } from './shot-sketch.ts';
import { findGradualTransitions } from './transition-gradual.ts';

/** Gradual transitions are looked for at this many samples a second, however many frames there are. */
const SAMPLES_PER_SECOND = 31;
/** Samples are worked through in stretches of this length; the end of each is seen again with the next. */
const STRETCH_SECONDS = 32;
const OVERLAP_SECONDS = 9;
/** A transition this near to the end of a stretch may not be whole yet. */
const UNSURE_SECONDS = 7;
/** Variable frame rates of long stills would never fill a stretch in seconds; nor must they grow it. */
const STRETCH_SAMPLES = Math.ceil(1.25 * SAMPLES_PER_SECOND * STRETCH_SECONDS);

export interface ShotFacts {
  readonly shots: readonly Shot[];
  readonly transitions: readonly Transition[];
  /** 0..1. */
  readonly confidence: number;
}

/**
 * Finds the shots of a clip and how they change. Frames are pushed once, in order, each with the motion field
 * into it (null where unknown). Keeps about half a minute of small pictures, whatever the clip's length.
 */
export class ShotDetector {
  readonly #area = new PictureArea();
  readonly #cutDetector = new CutDetector();
  #samples: FrameSketch[] = [];
  #cuts: Cut[] = [];
  readonly #transitions: Transition[] = [];
  /** Transitions that begin before this frame have been told. */
  #doneFrame = 0;
  #atStart = true;
  #first: FrameSketch | null = null;
  #last: FrameSketch | null = null;

  push(frame: Frame, field: MotionField | null): void {
    const { length } = frame.colour.data;
    if (this.#last !== null && length !== this.#last.whole.pixels.length) return;
    if (this.#area.push(frame.colour)) this.#resketch();
    const sketch = sketchFrame(frame, field, this.#area.box);
    this.#first ??= sketch;
    this.#last = sketch;
    this.#cuts.push(...this.#cutDetector.push(sketch));
    const before = this.#samples.at(-1);
    // Half a millisecond for time stamps rounded to milliseconds.
    if (before !== undefined && sketch.timeSeconds - before.timeSeconds < 1 / SAMPLES_PER_SECOND - 0.0005)
      return;
    this.#samples.push(sketch);
    const seconds = sketch.timeSeconds - this.#samples[0].timeSeconds;
    if (seconds >= STRETCH_SECONDS || this.#samples.length >= STRETCH_SAMPLES) this.#workThrough(false);
  }

  /** Bars have shown themselves as such, or as none: what is kept is seen anew. */
  #resketch(): void {
    const { box } = this.#area;
    const last = this.#last;
    const wasSampled = this.#samples.at(-1) === last;
    this.#samples = this.#samples.map((sample) => resketch(sample, box));
    this.#cutDetector.resketch(box);
    if (last !== null) this.#last = wasSampled ? this.#samples.at(-1)! : resketch(last, box);
  }

  /** `endSeconds`: when the last frame stops being shown. */
  finish(endSeconds: number): ShotFacts {
    this.#cuts.push(...this.#cutDetector.finish());
    if (this.#last !== null && this.#samples.at(-1) !== this.#last) this.#samples.push(this.#last);
    this.#workThrough(true);
    for (const cut of this.#cuts) this.#transitions.push(asTransition(cut));
    this.#transitions.sort((a, b) => a.startFrame - b.startFrame);
    return {
      shots: this.#last === null ? [] : shotsBetween(this.#transitions, this.#first!, this.#last, endSeconds),
      transitions: this.#transitions,
      confidence: overallConfidence(this.#transitions),
    };
  }

  #workThrough(atEnd: boolean): void {
    const samples = this.#samples;
    const newest = samples.at(-1);
    if (newest === undefined) return;
    const sureSeconds = atEnd ? Number.POSITIVE_INFINITY : newest.timeSeconds - UNSURE_SECONDS;
    const found = findGradualTransitions(samples, {
      atStart: this.#atStart,
      atEnd,
      cuts: this.#cuts
        .map((cut) => samples.findIndex((sample) => sample.index >= cut.frame))
        .filter((index) => index > 0),
    });
    for (const { start, end, ...rest } of found) {
      const startFrame = samples[start].index;
      const endSeconds = samples[end].timeSeconds;
      if (startFrame < this.#doneFrame || endSeconds > sureSeconds) continue;
      const transition: Transition = {
        ...rest,
        startFrame,
        endFrame: samples[end].index,
        startSeconds: samples[start].timeSeconds,
        endSeconds,
      };
      this.#transitions.push(transition);
      this.#doneFrame = transition.endFrame;
      this.#cuts = this.#cuts.filter((cut) => cut.frame <= startFrame || cut.frame > transition.endFrame);
    }
    if (!atEnd) this.#forget(newest.timeSeconds - OVERLAP_SECONDS);
  }

  /** Drops samples and tells cuts before the given time. */
  #forget(beforeSeconds: number): void {
    const keep = this.#samples.findIndex((sample) => sample.timeSeconds >= beforeSeconds);
    this.#samples = this.#samples.slice(keep < 0 ? -1 : keep);
    this.#atStart = false;
    const oldest = this.#samples[0].index;
    for (const cut of this.#cuts) if (cut.frame <= oldest) this.#transitions.push(asTransition(cut));
    this.#cuts = this.#cuts.filter((cut) => cut.frame > oldest);
  }
}

function asTransition(cut: Cut): Transition {
  return {
    type: 'cut',
    startFrame: cut.frame - 1,
    endFrame: cut.frame,
    startSeconds: cut.beforeSeconds,
    endSeconds: cut.timeSeconds,
    easing: 'linear',
    confidence: cut.confidence,
  };
}

/** A gradual transition is cut at its middle. */
function shotsBetween(
  transitions: readonly Transition[],
  first: FrameSketch,
  last: FrameSketch,
  endSeconds: number,
): Shot[] {
  const shots: Shot[] = [];
  let startFrame = first.index;
  let startSeconds = first.timeSeconds;
  for (const transition of transitions) {
    if (transition.edge !== undefined) continue;
    const isCut = transition.type === 'cut';
    const frame = isCut ? transition.endFrame : Math.ceil((transition.startFrame + transition.endFrame) / 2);
    const time = isCut ? transition.endSeconds : (transition.startSeconds + transition.endSeconds) / 2;
    if (frame <= startFrame) continue;
    shots.push({ startFrame, endFrame: frame, startSeconds, endSeconds: time });
    startFrame = frame;
    startSeconds = time;
  }
  shots.push({
    startFrame,
    endFrame: last.index + 1,
    startSeconds,
    endSeconds: Math.max(endSeconds, last.timeSeconds),
  });
  return shots;
}

/** That of the doubtful transitions counts: the mean of the lower half. A clip of one shot is easily told. */
function overallConfidence(transitions: readonly Transition[]): number {
  const sorted = transitions.map((transition) => transition.confidence).sort((a, b) => a - b);
  if (sorted.length === 0) return 0.9;
  const lower = sorted.slice(0, Math.ceil(sorted.length / 2));
  return lower.reduce((sum, value) => sum + value, 0) / lower.length;
}
