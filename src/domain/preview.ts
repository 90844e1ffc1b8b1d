/** Previews: frames of the source before and after, and drafts of the output. */
import { Failure, type FieldError } from './errors.ts';
import type { Size } from './footage.ts';
import type { Quality } from './job-choices.ts';
import type { JobConfig } from './job-config.ts';
import type { Artifact, VideoReference, Warning } from './stage.ts';
import type { TimeRange } from './time-range.ts';
import type { SizeFactors } from './work-estimate.ts';

/** Previews, drafts and reports of analyses are stored this long; a later request makes them again. */
export const PREVIEW_TTL_MS = 24 * 3_600_000;
export const MAX_PREVIEW_MOMENTS = 9;
export const MAX_DRAFT_SECONDS = 10;
/** A shorter draft shows too little. */
export const MIN_DRAFT_SECONDS = 0.5;

/** Quality of every draft. */
export const DRAFT_QUALITY = 'low';

/** A range of the output. */
export interface DraftPiece {
  readonly startSeconds: number;
  readonly durationSeconds: number;
}

/** JPEG has a tenth of the size; PNG is lossless. */
export type PictureFormat = 'jpeg' | 'png';

/** In pixels, from the picture's left and top; all even, so that chroma stays on luma. */
export interface PixelBox extends Size {
  readonly x: number;
  readonly y: number;
}

/** A moment of the source, its places in the preview's picture, and its place in the output. */
export interface PreviewMoment {
  readonly atSeconds: number;
  readonly before: PixelBox;
  readonly after: PixelBox;
  /** Null: the output does not contain the moment. */
  readonly outputSeconds: number | null;
  /** The part of the picture that the output shows, 0..1 from its left and top; null: none. */
  readonly framing: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  } | null;
}

/** The expected output of a job with the same config. */
export interface PlannedOutput extends Size, Required<SizeFactors> {
  readonly durationSeconds: number;
  readonly frameRate: number;
}

/** Frames of the source as they are and graded, in one picture. */
export interface PreviewPicture extends Size {
  readonly moments: readonly PreviewMoment[];
  readonly output: PlannedOutput;
  /** Warnings of the plan. */
  readonly warnings: readonly Warning[];
}

/** A request for frames before and after. */
export interface PreviewRequest {
  readonly source: VideoReference;
  readonly template: VideoReference | null;
  /** A Style DNA instead of a template, validated; else null. */
  readonly style: unknown;
  readonly config: JobConfig;
  /** Null: three typical moments. */
  readonly momentsSeconds: readonly number[] | null;
}

/** A request as it is stored, with the ids of its videos. */
export interface StoredPreviewRequest extends Omit<PreviewRequest, 'source' | 'template'> {
  readonly videoId: string;
  readonly templateVideoId: string | null;
}

export interface StoredPreview {
  readonly videoId: string;
  readonly templateVideoId: string | null;
  /** One of an earlier version has no `output`. */
  readonly picture: Omit<PreviewPicture, 'output'> & Partial<Pick<PreviewPicture, 'output'>>;
  readonly quality: Quality;
  readonly file: Artifact;
}

/** Draws previews and stores them by their requests: equal requests share one preview. */
export interface PreviewService {
  idOf(request: PreviewRequest): Promise<string>;
  /** Null: not drawn. */
  load(previewId: string): Promise<StoredPreview | null>;
  /** Stores a request whose videos must be measured first. */
  storeRequest(previewId: string, request: StoredPreviewRequest): Promise<void>;
  /** Null: the request is unknown or has expired. */
  loadRequest(previewId: string): Promise<StoredPreviewRequest | null>;
  /** Whether all facts of the video are cached; of a template, also its style. */
  isMeasured(video: VideoReference, as: 'source' | 'template'): Promise<boolean>;
  /** The cached Style DNA of a video; null: none. */
  styleOf(video: VideoReference): Promise<unknown>;
  remove(previewId: string): Promise<void>;
  /** Draws and stores a preview. Throws the errors of the analyses and of the drawing. */
  draw(previewId: string, request: PreviewRequest, signal: AbortSignal): Promise<StoredPreview>;
}

/** The format of a picture by the name of its file: PNG for `.png`, else JPEG. */
export function pictureFormatOf(path: string): PictureFormat {
  return /\.png$/i.test(path) ? 'png' : 'jpeg';
}

/** Throws `Failure` VALIDATION_ERROR for a range outside the video, or of a length that drafts do not have. */
export function assertDraft({ startSeconds, durationSeconds }: DraftPiece, videoSeconds: number): void {
  const fields: FieldError[] = [];
  if (!(startSeconds >= 0 && startSeconds < videoSeconds))
    fields.push({ path: 'start_seconds', message: beyond(startSeconds, videoSeconds) });
  if (!(durationSeconds >= MIN_DRAFT_SECONDS && durationSeconds <= MAX_DRAFT_SECONDS))
    fields.push({
      path: 'duration_seconds',
      message: `must be ${MIN_DRAFT_SECONDS} to ${MAX_DRAFT_SECONDS} s, not ${durationSeconds}`,
    });
  refuse(fields);
}

/** Throws `Failure` VALIDATION_ERROR for moments outside `[from, to]` of the source; `path` is the name of the request's field. */
export function assertMoments(seconds: readonly number[], [from, to]: TimeRange, path: string): void {
  const message = (at: number) =>
    from === 0 ? beyond(at, to) : `${at} s is not in the part of the video that counts, [${from}, ${to}]`;
  const fields: FieldError[] = seconds.flatMap((at, index) =>
    at >= from && at <= to ? [] : [{ path: `${path}.${index}`, message: message(at) }],
  );
  if (seconds.length === 0 || seconds.length > MAX_PREVIEW_MOMENTS)
    fields.push({ path, message: `must be 1 to ${MAX_PREVIEW_MOMENTS} moments, not ${seconds.length}` });
  refuse(fields);
}

function refuse(fields: readonly FieldError[]): void {
  if (fields.length === 0) return;
  const detail = fields.map((field) => `${field.path}: ${field.message}`).join('; ');
  throw new Failure('VALIDATION_ERROR', detail, { fields });
}

function beyond(seconds: number, durationSeconds: number): string {
  return `${seconds} s is not in the video, which runs for ${durationSeconds.toFixed(2)} s`;
}
