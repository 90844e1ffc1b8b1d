import type { Frame } from '../../domain/footage.ts';
import { clamp, placeAt, segmentAt } from '../../signal/interpolation.ts';
import { rounded } from '../../signal/rounding.ts';
import type { Detector } from '../detector.ts';
import type { Box, Shot, SubjectTrack, WayPoint } from '../facts.ts';
import type { MotionField } from '../optical-flow/field.ts';
import { intersectionOverUnion } from './box-overlap.ts';
import { Drift } from './drift.ts';
import { type Face, FaceNetwork } from './face-network.ts';
import { BOX_INTERVAL_SECONDS, DETECTION_INTERVAL_SECONDS, samplesByShot } from './shot-samples.ts';

/** A detection costs 10 ms or more: after this many without anything like a face, the interval grows. */
const IDLE_INTERVAL_SECONDS = 4;
/** Interval of extra detections after a cut, until a face is found: people turn, and fades are dark. */
const EXTRA_INTERVAL_SECONDS = 0.3;
const IDLE_SAMPLES = 3;
const MIN_SCORE = 0.45;
/** Least score of a face found once … */
const MIN_SINGLE_SCORE = 0.6;
/** … and the least mean score of one found more often, and its share of the shot's samples. */
const MIN_MEAN_SCORE = 0.5;
const MIN_SHARE = 0.34;
/** Score from which a single detection is enough. Of 273 clips three have such a face that is found in too few samples; all three are people. */
const CERTAIN_SCORE = 0.85;
/**
 * Least intersection over union of the surroundings of two detections of one face. Surroundings reach this many
 * faces to each side: a face may move by 1.6 times its width, or grow by 1.8, between samples.
 */
const SAME_FACE = 0.3;
const SURROUNDINGS = 1;
/** The area around a face that belongs to a person, in its own sizes: hair above, shoulders beside, chest below. */
const BUST = { above: 0.5, beside: 0.6, below: 1.7 } as const;
/** Viewers look at faces first. */
const SALIENCE = 0.8;

interface TrackedFace extends Face {
  /** Path of the face until the next detection or cut; left out if it does not move. */
  readonly way?: readonly WayPoint[];
}

export interface Sample {
  readonly timeSeconds: number;
  /** Extra samples are ignored when the duration of a face is computed. */
  readonly isExtra: boolean;
  readonly faces: readonly TrackedFace[];
}

interface Detection {
  readonly timeSeconds: number;
  readonly face: TrackedFace;
}

/** Faces through the shots of a clip: subjects that neither motion nor color finds. */
export class FaceTracker implements Detector<[Frame, MotionField | null], SubjectTrack[], [readonly Shot[]]> {
  #network: FaceNetwork | null = null;
  #regularSeconds = Number.NEGATIVE_INFINITY;
  #extraSeconds = Number.POSITIVE_INFINITY;
  /** Samples without a face since the last cut or face. */
  #idle = 0;
  readonly #samples: Sample[] = [];
  #hasFace = false;
  /** Paths of the last detected faces while they are in the picture. */
  #drifts: readonly Drift[] = [];

  /** Whether a face was found in any frame up to this one. */
  get hasFace(): boolean {
    return this.#hasFace;
  }

  /** `field` is null for the first frame. */
  push({ timeSeconds, detail }: Frame, field: MotionField | null): void {
    if (field?.broken === true) {
      // A new picture may have other people.
      [this.#regularSeconds, this.#idle] = [timeSeconds, 0];
      this.#endDrifts();
    } else if (field !== null) for (const drift of this.#drifts) drift.push(timeSeconds, field);
    const isRegular = timeSeconds >= this.#regularSeconds;
    if (detail === null || !(isRegular || timeSeconds >= this.#extraSeconds)) return;
    this.#network ??= new FaceNetwork(detail);
    const found = this.#network.find(detail);
    this.#idle = found.length > 0 ? 0 : this.#idle + 1;
    const isWanted = this.#idle > 0 && this.#idle < IDLE_SAMPLES;
    this.#extraSeconds = isWanted ? timeSeconds + EXTRA_INTERVAL_SECONDS : Number.POSITIVE_INFINITY;
    if (isRegular) {
      const interval = this.#idle < IDLE_SAMPLES ? DETECTION_INTERVAL_SECONDS : IDLE_INTERVAL_SECONDS;
      this.#regularSeconds = timeSeconds + interval;
    }
    const sure = found.filter(({ score }) => score >= MIN_SCORE);
    if (sure.length > 0) {
      this.#hasFace = true;
      this.#endDrifts();
      this.#drifts = sure.map(({ box }) => new Drift(timeSeconds, pointsIn(box)));
    }
    const faces = sure.map((face, index) => ({ ...face, way: this.#drifts[index].path }));
    this.#samples.push({ timeSeconds, isExtra: !isRegular, faces });
  }

  /** Heads with their shoulders, shot by shot; salience grows with the share of the shot in which they are found. */
  finish(shots: readonly Shot[]): SubjectTrack[] {
    this.#endDrifts();
    return samplesByShot(this.#samples, shots).flatMap((inside, index) =>
      linkDetections(inside).flatMap((detections) => {
        const times = new Set(detections.map(({ timeSeconds }) => timeSeconds));
        const counted = inside.filter(({ isExtra, timeSeconds }) => !isExtra || times.has(timeSeconds));
        return isFace(detections, counted.length) ? [trackOf(detections, counted, shots[index])] : [];
      }),
    );
  }

  #endDrifts(): void {
    for (const drift of this.#drifts) drift.end();
    this.#drifts = [];
  }
}

function pointsIn(box: Box): (x: number, y: number) => boolean {
  return (x, y) => x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
}

/** Detections of one face each: a face continues the track whose last face has the most similar position and size. */
export function linkDetections(samples: readonly Sample[]): Detection[][] {
  const tracks: Detection[][] = [];
  for (const { timeSeconds, faces } of samples) {
    for (const face of faces) {
      const parts = tracks.map((track) => {
        const last = track.at(-1)!;
        if (last.timeSeconds === timeSeconds) return 0;
        const places = [last.face.box, boxOf(last, timeSeconds)].map(surroundingsOf);
        return Math.max(...places.map((place) => intersectionOverUnion(place, surroundingsOf(face.box))));
      });
      const most = Math.max(0, ...parts);
      if (most >= SAME_FACE) tracks[parts.indexOf(most)].push({ timeSeconds, face });
      else tracks.push([{ timeSeconds, face }]);
    }
  }
  return tracks;
}

function surroundingsOf({ x, y, width, height }: Box): Box {
  return {
    x: x - SURROUNDINGS * width,
    y: y - SURROUNDINGS * height,
    width: (1 + 2 * SURROUNDINGS) * width,
    height: (1 + 2 * SURROUNDINGS) * height,
  };
}

/** Whether detections in one place are a face; `samples` counts those of the shot. */
export function isFace(detections: readonly Pick<Detection, 'face'>[], samples: number): boolean {
  if (detections.some(({ face }) => face.score >= CERTAIN_SCORE)) return true;
  const mean = detections.reduce((sum, { face }) => sum + face.score, 0) / detections.length;
  if (detections.length === 1) return mean >= MIN_SINGLE_SCORE && MIN_SHARE * samples <= 1;
  return mean >= MIN_MEAN_SCORE && detections.length >= MIN_SHARE * samples;
}

/**
 * From half-way before the first detection to half-way behind the last, or to the ends of the shot if no other
 * sample lies between.
 */
function trackOf(detections: readonly Detection[], samples: readonly Sample[], shot: Shot): SubjectTrack {
  const [first, last] = [detections[0].timeSeconds, detections.at(-1)!.timeSeconds];
  const before = samples.findLast(({ timeSeconds }) => timeSeconds < first)?.timeSeconds;
  const after = samples.find(({ timeSeconds }) => timeSeconds > last)?.timeSeconds;
  const startSeconds = before === undefined ? shot.startSeconds : (before + first) / 2;
  const endSeconds = after === undefined ? shot.endSeconds : (last + after) / 2;
  const count = Math.max(1, Math.ceil((endSeconds - startSeconds) / BOX_INTERVAL_SECONDS));
  const boxes = Array.from({ length: count }, (_, at) => {
    const timeSeconds = startSeconds + ((at + 0.5) * (endSeconds - startSeconds)) / count;
    return { timeSeconds, box: bustOf(boxAt(detections, timeSeconds)) };
  });
  const salience = SALIENCE * Math.sqrt(detections.length / samples.length);
  return { kind: 'face', startSeconds, endSeconds, boxes, salience: rounded(salience, 3) };
}

/**
 * Position of the face along its path, corrected to end at the next detection; a straight line if that
 * contradicts the path. Constant before the first detection.
 */
function boxAt(detections: readonly Detection[], timeSeconds: number): Box {
  const { left, right, share } = segmentAt(detections, (one) => one.timeSeconds, timeSeconds);
  const [from, to] = [left.face.box, right.face.box];
  const reached = boxOf(left, right.timeSeconds);
  const isDenied = Math.hypot(to.x - reached.x, to.y - reached.y) > Math.hypot(to.x - from.x, to.y - from.y);
  const [box, end] = isDenied ? [from, from] : [boxOf(left, timeSeconds), reached];
  const at = (name: keyof Box) => box[name] + share * (to[name] - end[name]);
  return { x: at('x'), y: at('y'), width: at('width'), height: at('height') };
}

/** Position of a detected face at a later time. */
function boxOf({ face }: Detection, timeSeconds: number): Box {
  if (face.way === undefined) return face.box;
  const { x, y } = placeAt(face.way, timeSeconds);
  return { ...face.box, x: face.box.x + x, y: face.box.y + y };
}

function bustOf({ x, y, width, height }: Box): Box {
  const places = (value: number) => rounded(value, 4);
  const inside = (value: number) => clamp(value, 0, 1);
  const [left, top] = [inside(x - BUST.beside * width), inside(y - BUST.above * height)];
  const right = inside(x + (1 + BUST.beside) * width);
  const bottom = inside(y + (1 + BUST.below) * height);
  return { x: places(left), y: places(top), width: places(right - left), height: places(bottom - top) };
}
