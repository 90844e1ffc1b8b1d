/** Inputs of the shot detector for a clip, recorded once. */
import { PictureAreaDetector, pixelsWithin } from '../../src/analysis/bars/picture-area.ts';
import { type Box, WHOLE_PICTURE } from '../../src/analysis/facts.ts';
import { type Presentation, PresentationClock } from '../../src/analysis/frames/presentation-clock.ts';
import { type FrameSketch, sketchFrame } from '../../src/analysis/frames/sketch.ts';
import { type MotionField, MotionFieldEstimator } from '../../src/analysis/optical-flow/field.ts';
import { ShotDetector, type ShotFacts } from '../../src/analysis/shots/shot.ts';
import { type Frame, type Picture, stepFrames } from '../../src/domain/footage.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { outlineOf } from '../../src/media/read/outline.ts';
import { recordedOnce } from '../lib/recorded.ts';

/** Increase this when the recorded data, the motion field or the areas inside black bars change. */
const VERSION = 6;

/** The part of the motion field that the shot detector reads. */
type FieldSummary = Pick<
  MotionField,
  | 'width'
  | 'height'
  | 'columns'
  | 'rows'
  | 'similarity'
  | 'support'
  | 'texture'
  | 'unmatchedShare'
  | 'plainDifference'
  | 'compensatedDifference'
  | 'scaleJump'
>;

interface RecordedFrame {
  readonly index: number;
  readonly skippedSeconds: readonly number[];
  readonly timeSeconds: number;
  readonly color: Picture;
  readonly field: FieldSummary | null;
  readonly area: Box;
}

export interface Recording {
  readonly presentation: Presentation;
  readonly frames: readonly RecordedFrame[];
}

export function recordingOf(path: string): Promise<Recording> {
  return recordedOnce({ kind: 'recordings', version: VERSION, path }, record);
}

async function record(path: string): Promise<Recording> {
  const { durationSeconds } = await outlineOf(path);
  const areas = new PictureAreaDetector();
  const motion = new MotionFieldEstimator();
  const clock = new PresentationClock();
  const frames: RecordedFrame[] = [];
  let lastSeconds = Number.NEGATIVE_INFINITY;
  for await (const frame of openFrames(path, { thinned: true })) {
    areas.push(frame);
    const field = motion.push(frame.grey, areas.runBox, stepFrames(frame), frame.timeSeconds - lastSeconds);
    lastSeconds = frame.timeSeconds;
    if (field?.broken === true) areas.startRun();
    for (const seconds of frame.skippedSeconds ?? []) clock.push(seconds);
    clock.push(frame.timeSeconds);
    frames.push({
      index: frame.index,
      skippedSeconds: frame.skippedSeconds ?? [],
      timeSeconds: frame.timeSeconds,
      color: { ...frame.color, data: frame.color.data.slice() },
      field: field === null ? null : summaryOf(field),
      area: areas.box,
    });
  }
  return { presentation: clock.finish(durationSeconds), frames };
}

function summaryOf(field: MotionField): FieldSummary {
  const { width, height, columns, rows, similarity, support, texture, unmatchedShare } = field;
  const { plainDifference, compensatedDifference, scaleJump } = field;
  return {
    ...{ width, height, columns, rows, similarity, support, texture, unmatchedShare },
    ...{ plainDifference, compensatedDifference, scaleJump },
  };
}

/** The frames in order, as inputs of the shot detector. */
function* framesOf({ frames }: Recording): Generator<{ frame: Frame; field: MotionField | null; area: Box }> {
  let inside: Box | null = null;
  for (const { index, skippedSeconds, timeSeconds, color, field, area } of frames) {
    // The detector compares areas by identity, which a recording does not preserve.
    if (inside === null || JSON.stringify(inside) !== JSON.stringify(area)) inside = area;
    const frame = { index, skippedSeconds, timeSeconds, color, grey: color, detail: null };
    yield { frame, field: field as MotionField | null, area: inside };
  }
}

/** Runs the shot detector over a recording. */
export function replay(recording: Recording): ShotFacts {
  const detector = new ShotDetector();
  for (const { frame, field, area } of framesOf(recording)) detector.push(frame, field, area);
  return detector.finish(recording.presentation.durationSeconds);
}

/** The frames' sketches, inside the black bars that the whole clip turned out to have. */
export function* sketchesOf(recording: Recording): Generator<FrameSketch> {
  const last = recording.frames.at(-1)?.area ?? WHOLE_PICTURE;
  for (const { frame, field } of framesOf(recording))
    yield sketchFrame(frame, field, pixelsWithin(last, frame.color));
}
