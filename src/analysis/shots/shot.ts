import type { Frame, Size } from '../../domain/footage.ts';
import { type PixelBox, pixelsWithin } from '../bars/picture-area.ts';
import type { Detector } from '../detector.ts';
import { type Box, type Shot, type Transition, WHOLE_PICTURE } from '../facts.ts';
import {
  type FrameSketch,
  resketch,
  SKETCH,
  sketchesBetween,
  sketchFrame,
  structureDistance,
} from '../frames/sketch.ts';
import type { MotionField } from '../optical-flow/field.ts';
import { findGradualTransitions } from '../transitions/gradual.ts';
import { type Cut, CutDetector } from './cut.ts';
import { EVIDENCE } from './cut-evidence.ts';

export const SHOTS = {
  /** Samples a second for gradual transitions, at any frame rate. */
  SAMPLES_PER_SECOND: 31,
  /** Samples are processed in chunks of this length; each overlaps the next. */
  CHUNK_SECONDS: 32,
  OVERLAP_SECONDS: 9,
  /** A transition this close to the end of a chunk may be incomplete. */
  INCOMPLETE_SECONDS: 7,
  /**
   * Least confidence of a cut at which gradual transitions cannot cross it: the last step of a drawn fade through
   * black has .98.
   */
  CONFIDENT_CUT: 0.985,
  /**
   * A change across skipped frames happened in one step if it is more than this many times the previous step's, per
   * skipped step. 149 cuts: one or two are missed, with larger changes.
   */
  SUDDEN: 4,
  /**
   * Least unchanged structure of a cut that keeps part of the picture, as a share of the picture: .28 to .67 in layouts and in jump cuts of a
   * static camera, up to .22 at 286 other cuts.
   */
  KEPT: 0.25,
} as const satisfies Readonly<Record<string, number | readonly number[]>>;

type Moment = Pick<FrameSketch, 'timeSeconds'>;

/** Whether a frame is the next sample for gradual transitions. */
export function isNextSample(last: Moment, frame: Moment): boolean {
  return frame.timeSeconds - last.timeSeconds >= 1 / SHOTS.SAMPLES_PER_SECOND;
}

export interface ShotFacts {
  readonly shots: readonly Shot[];
  readonly transitions: readonly Transition[];
  /** 0..1. */
  readonly confidence: number;
}

/**
 * Finds the shots of a clip and their transitions. Frames are pushed once, in order. Each has the motion
 * field into it (null if unknown) and the area inside the bars found by then: bars would dilute every measure
 * of change. Stores about half a minute of small pictures, whatever the clip's length.
 */
export class ShotDetector implements Detector<[Frame, MotionField | null, Box?], ShotFacts, [number]> {
  #area: Box = WHOLE_PICTURE;
  #pixels: PixelBox | null = null;
  readonly #cutDetector = new CutDetector();
  #samples: FrameSketch[] = [];
  #cuts: Cut[] = [];
  readonly #transitions: Transition[] = [];
  /** Transitions that begin before this frame are complete. */
  #completeUntilFrame = 0;
  #atStart = true;
  #first: FrameSketch | null = null;
  /** Every frame up to now shows one tone. */
  #isPlain = true;
  #last: FrameSketch | null = null;

  push(frame: Frame, field: MotionField | null, area: Box = WHOLE_PICTURE): void {
    const { length } = frame.color.data;
    if (this.#last !== null && length !== this.#last.whole.pixels.length) return;
    if (area !== this.#area) this.#setArea(area, frame.color);
    const sketch = sketchFrame(frame, field, this.#pixels);
    for (const one of this.#withSkipped(sketch, frame.skippedSeconds ?? [])) this.#add(one);
  }

  /** A frame, preceded by estimates of the frames skipped before it. */
  #withSkipped(sketch: FrameSketch, skippedSeconds: readonly number[]): FrameSketch[] {
    const last = this.#last;
    if (last === null || skippedSeconds.length === 0) return [sketch];
    const steps = skippedSeconds.length + 1;
    const usual = Math.max(EVIDENCE.NOISE, this.#cutDetector.lastChange);
    const isSudden = structureDistance(last, sketch) > SHOTS.SUDDEN * steps * usual;
    return sketchesBetween(last, sketch, skippedSeconds, { isSudden, area: this.#pixels });
  }

  #add(sketch: FrameSketch): void {
    this.#first ??= sketch;
    if (this.#isPlain) this.#isPlain = isOneTone(sketch);
    this.#last = sketch;
    this.#cuts.push(...this.#cutDetector.push(sketch));
    const before = this.#samples.at(-1);
    if (before !== undefined && !isNextSample(before, sketch)) return;
    this.#samples.push(sketch);
    const seconds = sketch.timeSeconds - this.#samples[0].timeSeconds;
    if (seconds >= SHOTS.CHUNK_SECONDS) this.#processSamples(false);
  }

  /** The bars became known, or turned out to be none: crop the stored sketches again. */
  #setArea(area: Box, color: Size): void {
    this.#area = area;
    const box = pixelsWithin(area, color);
    if (isSameBox(box, this.#pixels)) return;
    this.#pixels = box;
    const last = this.#last;
    const wasSampled = this.#samples.at(-1) === last;
    this.#samples = this.#samples.map((sample) => resketch(sample, box));
    this.#cutDetector.resketch(box);
    if (last !== null) this.#last = wasSampled ? this.#samples.at(-1)! : resketch(last, box);
  }

  /** `endSeconds`: end of the last frame's display time. */
  finish(endSeconds: number): ShotFacts {
    this.#cuts.push(...this.#cutDetector.finish());
    if (this.#last !== null && this.#samples.at(-1) !== this.#last) this.#samples.push(this.#last);
    this.#processSamples(true);
    for (const cut of this.#cuts) this.#transitions.push(asTransition(cut));
    this.#transitions.sort((a, b) => a.startFrame - b.startFrame);
    return {
      shots: this.#last === null ? [] : shotsBetween(this.#transitions, this.#first!, this.#last, endSeconds),
      transitions: this.#transitions,
      // Between plain pictures no cut is visible.
      confidence: this.#isPlain && this.#transitions.length === 0 ? 0 : overallConfidence(this.#transitions),
    };
  }

  #processSamples(atEnd: boolean): void {
    const samples = this.#samples;
    const newest = samples.at(-1);
    if (newest === undefined) return;
    const completeSeconds = atEnd ? Number.POSITIVE_INFINITY : newest.timeSeconds - SHOTS.INCOMPLETE_SECONDS;
    const { transitions, flashes } = findGradualTransitions(samples, {
      atStart: this.#atStart,
      atEnd,
      cuts: this.#cuts
        .filter(({ confidence }) => confidence >= SHOTS.CONFIDENT_CUT)
        .map((cut) => samples.findIndex((sample) => sample.index >= cut.frame))
        .filter((index) => index > 0),
    });
    for (const { start, end, ...rest } of transitions) {
      const startFrame = samples[start].index;
      const endSeconds = samples[end].timeSeconds;
      if (startFrame < this.#completeUntilFrame || endSeconds > completeSeconds) continue;
      const transition: Transition = {
        ...rest,
        startFrame,
        endFrame: samples[end].index,
        startSeconds: samples[start].timeSeconds,
        endSeconds,
      };
      this.#transitions.push(transition);
      this.#completeUntilFrame = transition.endFrame;
      this.#dropCuts(startFrame, transition.endFrame);
    }
    for (const { start, end } of flashes)
      if (samples[end].timeSeconds <= completeSeconds)
        this.#dropCuts(samples[start].index, samples[end].index);
    if (!atEnd) this.#dropSamples(newest.timeSeconds - SHOTS.OVERLAP_SECONDS);
  }

  /** Drops cuts after the frame `start`, up to `end`. */
  #dropCuts(start: number, end: number): void {
    this.#cuts = this.#cuts.filter((cut) => cut.frame <= start || cut.frame > end);
  }

  /** Drops samples before this time, and publishes the cuts before it. */
  #dropSamples(beforeSeconds: number): void {
    const keep = this.#samples.findIndex((sample) => sample.timeSeconds >= beforeSeconds);
    this.#samples = this.#samples.slice(keep < 0 ? -1 : keep);
    this.#atStart = false;
    const oldest = this.#samples[0].index;
    for (const cut of this.#cuts) if (cut.frame <= oldest) this.#transitions.push(asTransition(cut));
    this.#cuts = this.#cuts.filter((cut) => cut.frame > oldest);
  }
}

function isSameBox(a: PixelBox | null, b: PixelBox | null): boolean {
  if (a === null || b === null) return a === b;
  return a.left === b.left && a.top === b.top && a.width === b.width && a.height === b.height;
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
    ...(cut.keptShare >= SHOTS.KEPT && { keepsPart: true as const }),
  };
}

function isOneTone({ coarse }: FrameSketch): boolean {
  let [least, most] = [255, 0];
  for (const level of greys(coarse)) [least, most] = [Math.min(least, level), Math.max(most, level)];
  return most - least < SKETCH.CELL_NOISE;
}

/** Mean of red, green and blue of each cell. */
function greys(coarse: Float32Array): Float32Array {
  return Float32Array.from({ length: coarse.length / 3 }, (_, cell) => {
    const at = 3 * cell;
    return (coarse[at] + coarse[at + 1] + coarse[at + 2]) / 3;
  });
}

/** A gradual transition divides shots at its middle. */
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

/** Mean of the lower half, because doubtful transitions decide. A clip of one shot is easy to recognise. */
function overallConfidence(transitions: readonly Transition[]): number {
  const sorted = transitions.map((transition) => transition.confidence).sort((a, b) => a - b);
  if (sorted.length === 0) return 0.9;
  const lower = sorted.slice(0, Math.ceil(sorted.length / 2));
  return lower.reduce((sum, value) => sum + value, 0) / lower.length;
}
