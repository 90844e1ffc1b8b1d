/** Why a requested job cannot be created. Pure: rows are read by the caller. */
import { editErrors, wholeEdit, withTemplateSong } from '../../domain/edit-takes.ts';
import { Failure, type FieldError } from '../../domain/errors.ts';
import type { Size } from '../../domain/footage.ts';
import { isRequestedTake } from '../../domain/left-out-takes.ts';
import { isMadeOfAnyFile } from '../../domain/stage.ts';
import { rangeErrors } from '../../domain/time-range.ts';
import { importFailure } from '../../videos/import-failure.ts';
import type { VideoImport } from '../../videos/video.ts';
import { expiryOf, type JobVideo } from '../../videos/video-store.ts';
import type { NewJob } from '../model/job.ts';
import { takeIdsOf, videoIdsOf } from '../model/job-videos.ts';

/** Returns why videos of these sizes cannot be processed as the job requests; null: they can. */
export type JobRefusal = (request: NewJob, source: Size, template: Size | null) => string | null;

/** Rows that new jobs refer to, all ids in lower case. */
export interface ReferredRows {
  readonly videos: ReadonlyMap<string, JobVideo>;
  readonly imports: ReadonlyMap<string, VideoImport>;
  /** Jobs that are revised, and whether each is an edit. */
  readonly areEdits: ReadonlyMap<string, boolean>;
}

/** Null: the job can be created. `isRetry`: the job that it revises may have been removed. */
export function creationFailure(
  request: NewJob,
  isRetry: boolean,
  rows: ReferredRows,
  { now, refusal }: { readonly now: Date; readonly refusal: JobRefusal },
): Failure | null {
  const { videos, imports } = rows;
  const ids = videoIdsOf(request).map((id) => id.toLowerCase());
  const failedImport = refusingImport(request, failedImports(ids, imports));
  if (failedImport !== undefined) return importFailure(failedImport);
  const missing = missingVideo(request, rows);
  if (missing !== null) return missing;
  for (const id of ids) {
    const stored = videos.get(id);
    const expiredAt = stored === undefined ? null : expiryOf(stored, now);
    if (expiredAt !== null)
      return new Failure('VIDEO_EXPIRED', `The video ${id} expired ${expiredAt.toISOString()}.`);
  }
  const fields = fieldErrors(request, rows);
  if (fields.length > 0) return invalidFields(fields);
  const revised = isRetry ? null : revisedFailure(request, rows);
  if (revised !== null) return revised;
  // Sizes of imports are not known yet: the job checks them when it runs.
  if (ids.some((id) => imports.has(id))) return null;
  return memoryFailure(request, videos, refusal);
}

function failedImports(ids: readonly string[], imports: ReferredRows['imports']): VideoImport[] {
  return ids.flatMap((id) => {
    const found = imports.get(id);
    return found === undefined || found.error === null ? [] : [found];
  });
}

/** A failed import that the job cannot do without; takes are left out when the job runs, as are those that fail until then. */
function refusingImport(
  { videoId, templateVideoId, edit }: NewJob,
  failed: readonly VideoImport[],
): VideoImport | undefined {
  if (edit == null) return failed[0];
  const whole = wholeEdit(videoId, edit);
  const failedIds = new Set(failed.map((one) => one.videoId));
  if (whole.takes.every(({ video_id }) => failedIds.has(video_id))) return failed[0];
  const others = [templateVideoId?.toLowerCase(), whole.music?.video_id];
  return failed.find(({ videoId: id }) => others.includes(id) || isRequestedTake(whole, id));
}

function missingVideo({ videoId, templateVideoId }: NewJob, { videos }: ReferredRows): Failure | null {
  const codes = [
    [videoId, 'VIDEO_NOT_FOUND'],
    [templateVideoId, 'TEMPLATE_VIDEO_NOT_FOUND'],
  ] as const;
  for (const [id, code] of codes) {
    if (id !== null && !videos.has(id.toLowerCase())) return new Failure(code, `There is no video ${id}.`);
  }
  return null;
}

function fieldErrors(request: NewJob, { videos, imports }: ReferredRows): FieldError[] {
  const { videoId, templateVideoId, edit, product, config } = request;
  // The kind of an import is not known yet: the job checks it when it runs.
  const find = (id: string) => (imports.has(id) ? null : videos.get(id));
  const source = find(videoId.toLowerCase());
  const template = templateVideoId === null ? null : find(templateVideoId.toLowerCase());
  const fields: FieldError[] = [];
  if (edit != null) {
    const look = template == null ? null : { videoId: templateVideoId!, kind: template.kind };
    fields.push(
      ...editErrors(videoId, withTemplateSong(edit, look, config.template_range), find, config.talk),
    );
  } else if (source != null && source.kind !== 'video' && !isMadeOfAnyFile(product))
    fields.push({ path: 'video_id', message: NO_SOURCE[source.kind] });
  const named = {
    source: source ?? null,
    template: templateVideoId === null ? undefined : (template ?? null),
  };
  fields.push(...rangeErrors({ config, isEdit: edit != null, ...named }));
  return fields;
}

const NO_SOURCE = {
  image: 'is an image; the source must be a video, only a template or a take of an edit may be an image',
  audio: 'is a sound file; the source must be a video, a song goes to edit.music',
} as const;

function revisedFailure({ edit }: NewJob, { areEdits }: ReferredRows): Failure | null {
  if (edit?.revises == null) return null;
  const isEdit = areEdits.get(edit.revises.toLowerCase());
  if (isEdit === undefined)
    return new Failure('JOB_NOT_FOUND', `edit.revises: there is no job ${edit.revises}.`);
  if (isEdit) return null;
  return invalidFields([
    {
      path: 'edit.revises',
      message: `the job ${edit.revises} is no edit; name a job that was created with edit`,
    },
  ]);
}

function memoryFailure(
  request: NewJob,
  videos: ReadonlyMap<string, JobVideo>,
  refusal: JobRefusal,
): Failure | null {
  const { videoId, templateVideoId } = request;
  const sizeOf = (id: string) => videos.get(id.toLowerCase())!;
  // A sound has no picture that needs memory.
  if (sizeOf(videoId).kind === 'audio') return null;
  const look = templateVideoId === null ? null : sizeOf(templateVideoId);
  const template = look?.kind === 'audio' ? null : look;
  for (const take of takeIdsOf(request)) {
    const reason = refusal(request, sizeOf(take), template);
    if (reason !== null) return new Failure('VIDEO_LIMIT_EXCEEDED', reason);
  }
  return null;
}

function invalidFields(fields: readonly FieldError[]): Failure {
  const detail = fields.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return new Failure('VALIDATION_ERROR', detail, { fields });
}
