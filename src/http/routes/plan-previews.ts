import { json } from 'node:stream/consumers';
import type { EditOptions } from '../../domain/edit-options.ts';
import { editErrors, wholeEdit, withTemplateSong } from '../../domain/edit-takes.ts';
import type { PlanPreview, PlanRequest, StoredPlan } from '../../domain/plan-preview.ts';
import { partOf } from '../../domain/time-range.ts';
import type { NewJob } from '../../jobs/model/job.ts';
import { videoIdsOf } from '../../jobs/model/job-videos.ts';
import { kindOf, type Video } from '../../videos/video.ts';
import type { QueuedPreview } from '../contract/preview-response.ts';
import type { HttpContext } from '../server/context.ts';
import type { Semaphore } from '../server/semaphore.ts';
import { rangesRefused } from './preview-videos.ts';

type Requested = Pick<NewJob, 'videoId' | 'templateVideoId' | 'givenStyle' | 'config' | 'edit'>;

/**
 * The plan of measured videos, stored or made now. Null: something must be measured first, or the request names what cannot be used, which
 * the creation of a job refuses in detail.
 */
export async function planNow(
  { parts }: HttpContext,
  planning: Semaphore,
  requested: Requested,
  signal: AbortSignal,
): Promise<{ readonly previewId: string; readonly plan: StoredPlan } | null> {
  const request = await planRequest(parts, requested);
  if (request === null || !(await parts.plans.isMeasured(request))) return null;
  const previewId = await parts.plans.idOf(request);
  const stored = await parts.plans.load(previewId);
  if (stored !== null) return { previewId, plan: stored };
  using _permit = await planning.acquire(signal);
  return { previewId, plan: await parts.plans.plan(previewId, request, signal) };
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
  { videos }: HttpContext['parts'],
  requested: Requested,
): Promise<PlanRequest | null> {
  const { videoId, templateVideoId, givenStyle: style, config, edit } = requested;
  const ids = new Set(videoIdsOf(requested).map((id) => id.toLowerCase()));
  const states = await Promise.all([...ids].map((id) => videos.get(id)));
  const present = new Map<string, Video>();
  for (const found of states) if (found.state === 'present') present.set(found.video.videoId, found.video);
  if (present.size < ids.size) return null;
  const video = (id: string) => present.get(id.toLowerCase())!;
  const source = partOf(video(videoId), config.source_range);
  const template = templateVideoId === null ? null : partOf(video(templateVideoId), config.template_range);
  if (rangesRefused({ config, isEdit: edit != null }, source, template).length > 0) return null;
  const request = { source, template, style, config };
  if (edit == null) return kindOf(source) === 'video' ? request : null;
  const look = template === null ? null : { videoId: template.videoId, kind: kindOf(template) };
  const withSong = withTemplateSong(edit, look, config.template_range);
  if (!isUsable(videoId, withSong, video)) return null;
  const whole = wholeEdit(videoId, withSong);
  const takes = whole.takes.map(({ video_id }) => video(video_id));
  const music = whole.music === null ? null : video(whole.music.video_id);
  return { ...request, edit: { takes, music, options: whole } };
}

function isUsable(sourceId: string, edit: EditOptions, video: (id: string) => Video): boolean {
  const errors = editErrors(sourceId, edit, (id) => {
    const found = video(id);
    const { durationSeconds } = found;
    return { kind: kindOf(found), durationSeconds, hasAudio: found.audioCodec !== null };
  });
  // A revised job is looked up by the creation of a job.
  return errors.length === 0 && edit.revises === null;
}
