import { json } from 'node:stream/consumers';
import type { EditOptions } from '../../domain/edit-options.ts';
import { editErrors, inSentFields, wholeEdit, withTemplateSong } from '../../domain/edit-takes.ts';
import { Failure, isFailure } from '../../domain/errors.ts';
import type { JobConfig } from '../../domain/job-config.ts';
import { leaveOutTakes, type RefusedTakes, takeImportFailure } from '../../domain/left-out-takes.ts';
import type { PlanPreview, PlanRequest, PlanService, StoredPlan } from '../../domain/plan-preview.ts';
import { partOf } from '../../domain/time-range.ts';
import type { JobService, NewJob } from '../../jobs/model/job.ts';
import { videoIdsOf } from '../../jobs/model/job-videos.ts';
import { kindOf, type Video } from '../../videos/video.ts';
import type { QueuedPreview } from '../contract/preview-response.ts';
import type { HttpContext } from '../server/context.ts';
import type { Semaphore } from '../server/semaphore.ts';
import { SharedWork } from '../server/shared-work.ts';
import { rangesRefused } from './preview-videos.ts';

type Requested = Pick<NewJob, 'videoId' | 'templateVideoId' | 'givenStyle' | 'config' | 'edit'>;

/**
 * Plans by their preview ids: equal requests at once share one, and so one place in the queue of plans. A plan that has begun is finished
 * although its client has left: to end it would end its child, and the client's next plan would read all measurements again.
 */
export class Planning {
  readonly #atOnce: Semaphore;
  readonly #closing: AbortSignal;
  readonly #shared = new SharedWork<StoredPlan>();

  /** `closing`: ends plans that have begun. */
  constructor(atOnce: Semaphore, closing: AbortSignal) {
    this.#atOnce = atOnce;
    this.#closing = closing;
  }

  async of(
    plans: PlanService,
    previewId: string,
    request: PlanRequest,
    signal: AbortSignal,
  ): Promise<StoredPlan> {
    return this.#shared.of(previewId, signal, async (untilUnwanted) => {
      using _permit = await this.#atOnce.acquire(untilUnwanted);
      return await plans.plan(previewId, request, this.#closing);
    });
  }
}

/**
 * The plan of measured videos, stored or made now. Null: something must be measured first, or the request names what cannot be used, which
 * the creation of a job refuses in detail.
 */
export async function planNow(
  { parts }: HttpContext,
  planning: Planning,
  requested: Requested,
  signal: AbortSignal,
): Promise<{ readonly previewId: string; readonly plan: StoredPlan } | null> {
  const wanted = await planRequest(parts, requested);
  const request = wanted === null ? null : await parts.plans.measured(wanted);
  if (request === null) return null;
  const previewId = await parts.plans.idOf(request);
  const stored = await parts.plans.load(previewId);
  if (stored !== null) return { previewId, plan: stored };
  const plan = await planning.of(parts.plans, previewId, request, signal).catch((error: unknown) => {
    throw ofSentEdit(requested, error);
  });
  return { previewId, plan };
}

/** The failure of a plan, with the fields of the edit as sent. */
function ofSentEdit({ videoId, edit }: Requested, error: unknown): unknown {
  if (edit == null || !isFailure(error, 'VALIDATION_ERROR')) return error;
  const sent = (text: string) => inSentFields(videoId, edit, text);
  const fields = error.fields.map((field) => ({
    ...field,
    ...{ path: sent(field.path), message: sent(field.message) },
  }));
  return new Failure('VALIDATION_ERROR', sent(error.detail), { fields, cause: error });
}

/** The plan of a job that is completed; null: it is not, or its file has expired. */
export async function queuedPlan({ parts }: HttpContext, job: QueuedPreview): Promise<PlanPreview | null> {
  const publication = job.status === 'completed' ? job.publication : null;
  if (publication === null) return null;
  const { blobKey } = publication.output;
  if ((await parts.blobs.head(blobKey)) === null) return null;
  return (await json(await parts.blobs.get(blobKey))) as PlanPreview;
}

async function planRequest(
  { videos, jobs }: HttpContext['parts'],
  requested: Requested,
): Promise<PlanRequest | null> {
  const { templateVideoId, givenStyle: style, config } = requested;
  const ids = [...new Set(videoIdsOf(requested).map((id) => id.toLowerCase()))];
  const states = await Promise.all(ids.map((id) => videos.get(id)));
  const present = new Map<string, Video>();
  const refused = new Map<string, Failure>();
  for (const found of states) {
    if (found.state === 'present') present.set(found.video.videoId, found.video);
    if (found.state === 'import' && found.import.error !== null)
      refused.set(found.import.videoId, takeImportFailure(found.import.filename, found.import.error));
  }
  const usable = usableEdit(requested, refused);
  if (usable === null || present.size + refused.size < ids.length) return null;
  const { videoId, edit, leftOut } = usable;
  const video = (id: string) => present.get(id.toLowerCase())!;
  const source = partOf(video(videoId), config.source_range);
  const template = templateVideoId === null ? null : partOf(video(templateVideoId), config.template_range);
  if (rangesRefused({ config, isEdit: edit != null }, source, template).length > 0) return null;
  const request = { source, template, style, config };
  if (edit == null) return kindOf(source) === 'video' ? request : null;
  const look = template === null ? null : { videoId: template.videoId, kind: kindOf(template) };
  const withSong = withTemplateSong(edit, look, config.template_range);
  if (!isUsable(videoId, withSong, config.talk, video) || !(await isRevisionOfEdit(jobs, edit))) return null;
  const whole = wholeEdit(videoId, withSong);
  const takes = whole.takes.map(({ video_id }) => video(video_id));
  const music = whole.music === null ? null : video(whole.music.video_id);
  return { ...request, edit: { takes, music, options: whole, leftOut } };
}

/** The request without takes whose import failed; null: it cannot do without one, which the creation of a job refuses in detail. */
function usableEdit({ videoId, templateVideoId, edit }: Requested, refused: RefusedTakes) {
  if (refused.size === 0) return { videoId, edit, leftOut: [] };
  if (edit == null || (templateVideoId !== null && refused.has(templateVideoId.toLowerCase()))) return null;
  const whole = wholeEdit(videoId, edit);
  if (whole.music !== null && refused.has(whole.music.video_id)) return null;
  try {
    const { options, leftOut } = leaveOutTakes(whole, refused);
    return { videoId: options.takes[0].video_id, edit: options, leftOut };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return null;
  }
}

function isUsable(
  sourceId: string,
  edit: EditOptions,
  talk: JobConfig['talk'],
  video: (id: string) => Video,
): boolean {
  const find = (id: string) => {
    const found = video(id);
    const { durationSeconds } = found;
    return { kind: kindOf(found), durationSeconds, hasAudio: found.audioCodec !== null };
  };
  return editErrors(sourceId, edit, find, talk).length === 0;
}

async function isRevisionOfEdit(jobs: JobService, { revises }: EditOptions): Promise<boolean> {
  return revises === null || (await jobs.get(revises))?.edit != null;
}
