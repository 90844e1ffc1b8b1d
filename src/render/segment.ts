import { framesPerSecond } from '../domain/time.ts';
import type { WrittenStream } from '../media/encode/stream-encoder.ts';
import { type DrawRequest, drawRange, type Seams } from './draw-range.ts';
import { OutputPictures } from './previews/output-pictures.ts';
import type { FrameRange } from './timeline/frame-schedule.ts';
import { verifyOutput } from './verify/verify.ts';

export interface SegmentRequest extends DrawRequest {
  readonly range: FrameRange;
  /** Folder for live frames; left out: none. */
  readonly framesFolder?: string;
}

export interface RenderedSegment {
  readonly range: FrameRange;
  /** Its packets, which the joined file must contain unchanged. */
  readonly video: WrittenStream;
  readonly seams: Seams;
}

/** Share of the running time spent on drawing; the rest is verification. */
const DRAW_SHARE = 0.92;

/**
 * Renders a part of a timeline, without sound, into a verified MP4 that can be joined with its neighbours without encoding: closed
 * groups of pictures, the same encoder parameters. Progress is 0..1. Throws like `render`.
 */
export async function renderSegment(
  request: SegmentRequest,
  onProgress: (fraction: number) => void,
): Promise<RenderedSegment> {
  const { timeline, range, outputPath, framesFolder } = request;
  const { width, height, frameRate } = timeline;
  const rate = framesPerSecond(frameRate);
  using pictures = new OutputPictures(framesFolder === undefined ? {} : { framesFolder }, timeline, 0, rate);
  const { seams, ...drawn } = await drawRange(request, {
    range,
    sound: null,
    pictures,
    onProgress: (part) => onProgress(part * DRAW_SHARE),
  });
  const durationSeconds = drawn.frameCount / rate;
  await verifyOutput(
    outputPath,
    { frameRate, width, height, durationSeconds, ...drawn, audio: null },
    (part) => onProgress(DRAW_SHARE + part * (1 - DRAW_SHARE)),
  );
  onProgress(1);
  return { range, video: drawn.written.video, seams };
}
