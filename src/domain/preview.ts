/** What shows a style before anything is rendered: frames of the source before and after, or a draft of the output. */
import { Failure, type FieldError } from './errors.ts';
import type { Size } from './footage.ts';
import type { JobConfig } from './job-config.ts';
import type { Artifact, VideoReference, Warning } from './stage.ts';

/** Previews, drafts and reports of analyses are kept so long, and made again when somebody asks. */
export const PREVIEW_TTL_MS = 24 * 3_600_000;
export const MAX_PREVIEW_MOMENTS = 9;
export const MAX_DRAFT_SECONDS = 10;
/** A shorter piece shows nothing. */
export const MIN_DRAFT_SECONDS = 0.5;

/** What a draft is rendered at, whatever the video will be. */
export const DRAFT_QUALITY = 'low';

/** A piece of the output's time. */
export interface DraftPiece {
  readonly startSeconds: number;
  readonly durationSeconds: number;
}

/** JPEG is a tenth of the size; PNG is without loss. */
export type PictureFormat = 'jpeg' | 'png';

/** In pixels, from the picture's left and top; all even, so that chroma stays on luma. */
export interface PixelBox extends Size {
  readonly x: number;
  readonly y: number;
}

/** A moment of the source, where it stands in the preview's picture, and what the output makes of it. */
export interface PreviewMoment {
  readonly atSeconds: number;
  readonly before: PixelBox;
  readonly after: PixelBox;
  /** Null: the output leaves the moment out. */
  readonly outputSeconds: number | null;
  /** The part of the picture that the output shows, 0..1 from its left and top; null: none. */
  readonly framing: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  } | null;
}

/** Frames of the source as they are and graded, in one picture. */
export interface PreviewPicture extends Size {
  readonly moments: readonly PreviewMoment[];
  /** Those of the plan. */
  readonly warnings: readonly Warning[];
}

/** Frames that a client of the service wants to see. */
export interface PreviewRequest {
  readonly source: VideoReference;
  readonly template: VideoReference | null;
  /** A Style DNA instead of a template, validated; else null. */
  readonly style: unknown;
  readonly config: JobConfig;
  /** Null: three that are typical. */
  readonly momentsSeconds: readonly number[] | null;
}

/** The same as it is stored: videos by their ids. */
export interface StoredPreviewRequest extends Omit<PreviewRequest, 'source' | 'template'> {
  readonly videoId: string;
  readonly templateVideoId: string | null;
}

export interface StoredPreview {
  readonly videoId: string;
  readonly templateVideoId: string | null;
  readonly picture: PreviewPicture;
  readonly file: Artifact;
}

/** Draws previews and keeps them, by what was asked: who asks for the same gets the same. */
export interface PreviewService {
  idOf(request: PreviewRequest): Promise<string>;
  /** Null: there is none, or not yet. */
  load(previewId: string): Promise<StoredPreview | null>;
  /** Remembers what was asked until it can be drawn. */
  storeRequest(previewId: string, asked: StoredPreviewRequest): Promise<void>;
  /** Null: nothing was remembered under that id, or not lately. */
  loadRequest(previewId: string): Promise<StoredPreviewRequest | null>;
  /** Whether nothing of the video has to be measured before it can be drawn; of a template, its style as well. */
  isMeasured(video: VideoReference, as: 'source' | 'template'): Promise<boolean>;
  /** The Style DNA that was measured on a video; null: not yet. */
  styleOf(video: VideoReference): Promise<unknown>;
  remove(previewId: string): Promise<void>;
  /** Throws what the analyses and the drawing throw. */
  draw(previewId: string, request: PreviewRequest, signal: AbortSignal): Promise<StoredPreview>;
}

/** Throws `Failure` VALIDATION_ERROR for a piece that no output has, or of another length than a draft's. */
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

/** Throws `Failure` VALIDATION_ERROR for moments that the source does not have; `path` names them in it. */
export function assertMoments(seconds: readonly number[], durationSeconds: number, path: string): void {
  const fields: FieldError[] = seconds.flatMap((at, index) =>
    at >= 0 && at <= durationSeconds
      ? []
      : [{ path: `${path}.${index}`, message: beyond(at, durationSeconds) }],
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
