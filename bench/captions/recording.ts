/** Inputs of the caption detector for a clip, recorded once. */
import { PictureAreaDetector } from '../../src/analysis/bars/picture-area.ts';
import type { CaptionDetector } from '../../src/analysis/captions/captions.ts';
import { type MotionField, MotionFieldEstimator } from '../../src/analysis/optical-flow/field.ts';
import { type Picture, stepFrames } from '../../src/domain/footage.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { recordedOnce } from '../lib/recorded.ts';

/** Increase this when the motion field or the detail pictures change. */
const VERSION = 2;

/** The part of the motion field that the caption detector reads. */
type FieldSummary = Pick<MotionField, 'width' | 'height' | 'similarity' | 'broken'>;

interface RecordedFrame {
  readonly index: number;
  readonly timeSeconds: number;
  readonly field: FieldSummary | null;
  /** Of frames that have a detail picture, both pictures. */
  readonly seen: { readonly detail: Picture; readonly color: Picture } | null;
}

export type CaptionRecording = readonly RecordedFrame[];

export function captionRecordingOf(path: string): Promise<CaptionRecording> {
  return recordedOnce({ kind: 'caption-recordings', version: VERSION, path }, record);
}

async function record(path: string): Promise<CaptionRecording> {
  const areas = new PictureAreaDetector();
  const motion = new MotionFieldEstimator();
  const frames: RecordedFrame[] = [];
  const stored = (picture: Picture): Picture => ({ ...picture, data: picture.data.slice() });
  for await (const frame of openFrames(path, { thinned: true })) {
    areas.push(frame);
    const field = motion.push(frame.grey, areas.runBox, stepFrames(frame));
    if (field?.broken === true) areas.startRun();
    const { index, timeSeconds, detail, color } = frame;
    frames.push({
      index,
      timeSeconds,
      field: field && {
        ...{ width: field.width, height: field.height, similarity: field.similarity, broken: field.broken },
      },
      seen: detail && { detail: stored(detail), color: stored(color) },
    });
  }
  return frames;
}

/** Runs a detector over a recording. */
export function replayCaptions(recording: CaptionRecording, detector: CaptionDetector): void {
  const [{ seen: first }] = recording as readonly [RecordedFrame];
  // The detector reads colors only of frames with a detail picture, such as the first frame of a clip.
  const blank = first!.color;
  for (const { index, timeSeconds, field, seen } of recording) {
    const color = seen?.color ?? blank;
    const frame = { index, timeSeconds, color, grey: color, detail: seen?.detail ?? null };
    detector.push(frame, field as MotionField | null);
  }
}
