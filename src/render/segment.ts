import { framesPerSecond } from '../domain/time.ts';
import type { WrittenStream } from '../media/encode/stream-encoder.ts';
import { type DrawSource, drawOpened, type Seams } from './draw-range.ts';
import { openPictures } from './picture/open-pictures.ts';
import { OutputPictures } from './previews/output-pictures.ts';
import { SegmentPictures } from './previews/segment-pictures.ts';
import type { FrameRange } from './timeline/frame-schedule.ts';
import { isPictureChecked, verifyJoined, verifyOutput } from './verify/verify.ts';

/** A segment to draw, and the file to write. */
export interface SegmentFile {
  readonly range: FrameRange;
  readonly outputPath: string;
  /** The file of `SegmentPictures` to write; left out: none. */
  readonly picturesPath?: string;
}

export interface SegmentsRequest extends DrawSource {
  /** At least one, ascending, without overlaps. */
  readonly segments: readonly SegmentFile[];
  /** Folder for live frames; left out: none. */
  readonly framesFolder?: string;
}

export interface RenderedSegment {
  readonly range: FrameRange;
  /** Packets of the segment, which the joined file must contain unchanged. */
  readonly video: WrittenStream;
  readonly seams: Seams;
}

/** Share of the running time spent on drawing; the rest is verification. */
const DRAW_SHARE = 0.92;

/**
 * Renders parts of a timeline, without sound, into verified MP4s that join with their neighbours without
 * encoding: closed groups of pictures, the same encoder parameters. Each has an encoder of its own, so that
 * its bytes depend on its frames alone. Progress is 0..1. Throws like `render`.
 */
export async function renderSegments(
  request: SegmentsRequest,
  onProgress: (fraction: number) => void,
): Promise<RenderedSegment[]> {
  const { timeline, takePaths: paths, segments, framesFolder } = request;
  const { width, height, frameRate } = timeline;
  const rate = framesPerSecond(frameRate);
  using disposables = new DisposableStack();
  const opened = await openPictures(disposables, { timeline, paths, from: segments[0].range.from });
  using live = new OutputPictures(framesFolder === undefined ? {} : { framesFolder }, timeline, 0, rate);
  const frames = segments.reduce((sum, { range }) => sum + range.to - range.from, 0);
  const rendered: RenderedSegment[] = [];
  let before = 0;
  for (const [index, { range, outputPath, picturesPath }] of segments.entries()) {
    const length = range.to - range.from;
    const onPart = (from: number, share: number) => (part: number) =>
      onProgress((before + length * (from + part * share)) / frames);
    using pictures = new SegmentPictures({ live, path: picturesPath }, range, timeline, rate);
    const { seams, ...drawn } = await drawOpened({ ...request, outputPath }, opened, {
      ...{ range, pictures, sound: null, onProgress: onPart(0, DRAW_SHARE) },
    });
    const { frameCount, written } = drawn;
    const expected = { frameCount, frameRate, durationSeconds: frameCount / rate, written, audio: null };
    const onVerified = onPart(DRAW_SHARE, 1 - DRAW_SHARE);
    if (isPictureChecked(index, segments.length, frameCount / rate))
      await verifyOutput(outputPath, { ...expected, width, height, drawn: drawn.drawn }, onVerified);
    else await verifyJoined(outputPath, expected, onVerified);
    rendered.push({ range, video: written.video, seams });
    before += length;
  }
  onProgress(1);
  return rendered;
}
