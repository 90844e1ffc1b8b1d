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
  /** In the order of `segmentsOf`. */
  readonly segments: readonly (RenderedSegment & { readonly path: string })[];
  /** Null: the output has no sound. */
  readonly sound: { readonly path: string; readonly outcome: AudioOutcome } | null;
  readonly outputPath: string;
}

/** Share of the running time spent on copying; the rest is verification. */
const COPY_SHARE = 0.3;

/**
 * Copies rendered segments and the sound into one MP4 without encoding again, and verifies every packet.
 * Progress is 0..1. Throws `Failure` INSUFFICIENT_STORAGE, or OUTPUT_VERIFY_FAILED. The latter: a segment's
 * file has changed, neighbouring segments did not decode the same source frame, or the output differs from
 * its parts.
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

/** In files with wrong key frame flags, decoding from a key frame gives other pictures than decoding from the start. */
function assertSeams(segments: readonly RenderedSegment[]): void {
  for (const [index, { range, seams }] of segments.entries()) {
    const before = segments[index - 1];
    if (range.from !== (before?.range.to ?? 0))
      throw new Failure('OUTPUT_VERIFY_FAILED', `No segment holds frame ${before?.range.to ?? 0}`);
    if (before === undefined || before.seams.next === null || seams.first === null) continue;
    if (before.seams.next !== seams.first) {
      throw new Failure(
        'OUTPUT_VERIFY_FAILED',
        `Frame ${range.from} differs between decoding the source from the key frame before it and from an earlier one`,
      );
    }
  }
}
