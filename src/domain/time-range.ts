/** In and out points: the part of a video that counts. Pure. */
import type { FieldError } from './errors.ts';
import { type TalkOptions, talkErrors } from './talk-options.ts';

/** In seconds of the video, from the first frame to the first one after it. */
export type TimeRange = readonly [start: number, end: number];

/** Equal to the shortest accepted video. */
export const MIN_RANGE_SECONDS = 0.5;
export const RANGE_FORM = `must be [start, end] in seconds of the video, the end at least ${MIN_RANGE_SECONDS} s after the start`;
/** Interfaces show times in tenths of a second, and callers send them back. */
const TOLERANCE_SECONDS = 0.1;

/** A stored video, or a part of it. */
interface Content {
  readonly sha256: string;
  /** Left out: all of it. */
  readonly range?: TimeRange;
}

/** Identifies the measured content: equal for videos of the same content and part. Begins with the SHA-256. */
export function contentKey({ sha256, range }: Content): string {
  return range === undefined ? sha256 : `${sha256}-r${range[0]}-${range[1]}`;
}

/** The part of the video that counts. `range`: null or undefined: all of it. */
export function partOf<Video extends object>(
  video: Video,
  range: TimeRange | null | undefined,
): Video & { readonly range?: TimeRange } {
  return range == null ? video : { ...video, range };
}

/** The part that counts. */
export function spanOf({
  durationSeconds,
  range,
}: {
  readonly durationSeconds: number;
  readonly range?: TimeRange;
}): TimeRange {
  return range === undefined ? [0, durationSeconds] : [range[0], Math.min(range[1], durationSeconds)];
}

/** Seconds of the part that counts. */
export function countingSeconds(durationSeconds: number, range: TimeRange | null | undefined): number {
  const [start, end] = spanOf(partOf({ durationSeconds }, range));
  return end - start;
}

interface RangedVideo {
  readonly kind: 'video' | 'image' | 'audio';
  readonly durationSeconds: number;
}

export interface RangedRequest {
  readonly config: {
    readonly source_range?: TimeRange | null | undefined;
    readonly template_range?: TimeRange | null | undefined;
    readonly talk?: TalkOptions | undefined;
  };
  readonly isEdit: boolean;
  /** Null: still being imported, so that its length is not known. */
  readonly source: RangedVideo | null;
  /** Undefined: the style is no video's. */
  readonly template: RangedVideo | null | undefined;
}

/** Why the ranges of a config do not fit its videos, with values and corrections. Empty: they do. */
export function rangeErrors({ config, isEdit, source, template }: RangedRequest): FieldError[] {
  const { source_range: ofSource = null, template_range: ofTemplate = null, talk } = config;
  return [
    ...(ofSource === null ? [] : sourceErrors(ofSource, isEdit, source)),
    ...(ofTemplate === null ? [] : templateErrors(ofTemplate, template)),
    ...(talk === undefined ? [] : talkErrors(talk, isEdit, source?.durationSeconds ?? null, ofSource)),
  ];
}

function sourceErrors(range: TimeRange, isEdit: boolean, source: RangedVideo | null): FieldError[] {
  const path = 'config.source_range';
  if (isEdit)
    return [
      { path, message: 'is for one source; leave parts of the takes of an edit out by edit.takes.exclude' },
    ];
  return lengthErrors(path, range, source);
}

function templateErrors(range: TimeRange, template: RangedVideo | null | undefined): FieldError[] {
  const path = 'config.template_range';
  if (template === undefined)
    return [
      { path, message: 'is a part of a template video; name it as template_video_id, or leave this out' },
    ];
  if (template?.kind === 'image')
    return [{ path, message: 'is a part of a video; this template is an image, which has no time' }];
  return lengthErrors(path, range, template);
}

/** Why there is no such part to measure alone. Empty: there is. */
export function partErrors(path: string, range: TimeRange, video: RangedVideo): FieldError[] {
  if (video.kind === 'image')
    return [{ path, message: 'is of a part of a video; this is an image, which has no time' }];
  return lengthErrors(path, range, video);
}

/** The form is checked again, because not all callers have parsed the config. */
function lengthErrors(
  path: string,
  [start, end]: TimeRange,
  video: Pick<RangedVideo, 'durationSeconds'> | null,
): FieldError[] {
  if (!(start >= 0 && end - start >= MIN_RANGE_SECONDS)) return [{ path, message: RANGE_FORM }];
  if (video === null || end <= video.durationSeconds + TOLERANCE_SECONDS) return [];
  const message = `[${start}, ${end}] reaches past the end of the video, which runs for ${video.durationSeconds.toFixed(2)} s`;
  return [{ path, message }];
}
