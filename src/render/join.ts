import { Failure } from '../domain/errors.ts';
import { framesPerSecond } from '../domain/time.ts';
import { type JoinedSegment, joinSegments } from '../media/encode/joined-file.ts';
import type { Timeline } from '../style/model/timeline.ts';
import type { RenderedOutput } from './render.ts';
import type { RenderedSegment } from './segment.ts';
import type { AudioOutcome } from './sound/audio-file.ts';
import { verifyJoined } from './verify/verify.ts';

export interface JoinRequest {
  readonly timeline: Timeline;
  /** In order, as `segmentsOf` gives them. */
  readonly segments: readonly (RenderedSegment & { readonly path: string })[];
  /** Null: the output has no sound. */
  readonly sound: { readonly path: string; readonly outcome: AudioOutcome } | null;
  readonly outputPath: string;
}

/** Of the running time: copying; reading all of it again is the rest. */
const COPY_SHARE = 0.3;

/**
 * Puts rendered segments and the sound into one MP4, without encoding anything again, and reads it whole. Progress is 0..1. Throws
 * `Failure` OUTPUT_VERIFY_FAILED when a segment is not what its renderer made, when two that meet have not read the same
 * source, and when the output is not what was put into it; INSUFFICIENT_STORAGE.
 */
export async function join(
  request: JoinRequest,
  onProgress: (fraction: number) => void,
): Promise<RenderedOutput> {
  const { timeline, segments, sound, outputPath } = request;
  assertSeams(segments);
  const parts = segments.map(
    ({ path, range, video }): JoinedSegment => ({ path, firstFrame: range.from, video }),
  );
  const written = await joinSegments(outputPath, timeline.frameRate, parts, sound?.path ?? null, (part) =>
    onProgress(part * COPY_SHARE),
  );
  const frameCount = segments.at(-1)!.range.to;
  const durationSeconds = frameCount / framesPerSecond(timeline.frameRate);
  const audio = sound?.outcome ?? null;
  const verified = await verifyJoined(
    outputPath,
    { frameCount, frameRate: timeline.frameRate, durationSeconds, written, audio },
    (part) => onProgress(COPY_SHARE + part * (1 - COPY_SHARE)),
  );
  onProgress(1);
  return { frameCount, durationSeconds, loudnessMissingLu: audio?.missingLu ?? 0, ...verified };
}

/** Files whose key frames lie decode to another picture from there on than from their start. */
function assertSeams(segments: readonly RenderedSegment[]): void {
  for (const [index, { range, seams }] of segments.entries()) {
    const before = segments[index - 1];
    if (range.from !== (before?.range.to ?? 0))
      throw new Failure('OUTPUT_VERIFY_FAILED', `No segment holds frame ${before?.range.to ?? 0}`);
    if (before !== undefined && before.seams.next !== seams.first) {
      throw new Failure(
        'OUTPUT_VERIFY_FAILED',
        `The source decodes to another picture when frame ${range.from} is begun with than when it is come to`,
      );
    }
  }
}
