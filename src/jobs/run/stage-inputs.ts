import type { Database } from '../../database/database.ts';
import { type EditOptions, editSchema } from '../../domain/edit-options.ts';
import { editErrors, withTemplateSong } from '../../domain/edit-takes.ts';
import { Failure } from '../../domain/errors.ts';
import { type JobConfig, jobConfigSchema } from '../../domain/job-config.ts';
import { importJobFailure, leaveOutTakes, takeImportFailure } from '../../domain/left-out-takes.ts';
import { type EditWork, isMadeOfAnyFile, type LeftOutTake, type StageWork } from '../../domain/stage.ts';
import { partOf, rangeErrors } from '../../domain/time-range.ts';
import { type FailedImport, selectFailedImports } from '../../videos/import-store.ts';
import { selectUsedVideos, type UsedVideo } from '../../videos/video-store.ts';
import type { Job } from '../model/job.ts';
import { videoIdsOf } from '../model/job-videos.ts';

/** The inputs common to all stages. */
export async function stageInputs(
  { database }: { readonly database: Database },
  job: Job,
): Promise<Omit<StageWork, 'stage' | 'signal' | 'onProgress' | 'onFrame' | 'parts'>> {
  // A row of an earlier version lacks newer fields.
  const requested = job.edit === null ? null : editSchema.parse(job.edit);
  const ids = videoIdsOf({ ...job, edit: requested });
  const videos = await selectUsedVideos(database, ids);
  const failed = await selectFailedImports(database, ids);
  const { videoId, options, leftOut } = usableTakes(job, requested, videos, failed);
  assertImported({ ...job, videoId, edit: options }, failed);
  const used = (id: string): UsedVideo => {
    const video = videos.get(id);
    // A video that an active job needs is never removed.
    if (video === undefined) throw new Error(`job ${job.jobId}: a video of a live job is gone`);
    return video;
  };
  const config = jobConfigSchema.parse(job.config);
  const { templateVideoId } = job;
  const template =
    templateVideoId === null ? null : { videoId: templateVideoId, kind: used(templateVideoId).kind };
  const edit = options === null ? null : withTemplateSong(options, template, config.template_range);
  assertUsable({ ...job, videoId, edit, config }, used);
  const { source_range: sourceRange, template_range: templateRange } = config;
  return {
    jobId: job.jobId,
    attempt: job.attempt,
    source: partOf(used(videoId).reference, sourceRange),
    template: templateVideoId === null ? null : partOf(used(templateVideoId).reference, templateRange),
    style: job.givenStyle,
    ...(edit === null ? {} : { edit: { ...editWork(edit, used), leftOut } }),
    config,
    product: job.product,
  };
}

function editWork(options: EditWork['options'], used: (id: string) => UsedVideo): EditWork {
  return {
    takes: options.takes.map(({ video_id }) => used(video_id).reference),
    music: options.music === null ? null : used(options.music.video_id).reference,
    options,
  };
}

type JobVideos = Pick<Job, 'videoId' | 'templateVideoId' | 'edit' | 'product'>;
type FailedImports = ReadonlyMap<string, FailedImport>;

/** The edit without takes whose import failed or brought a song, and its first take. An upload was checked when the job was created. */
function usableTakes(
  { videoId }: Pick<Job, 'videoId'>,
  edit: EditOptions | null,
  videos: ReadonlyMap<string, UsedVideo>,
  failed: FailedImports,
): {
  readonly videoId: string;
  readonly options: EditOptions | null;
  readonly leftOut: readonly LeftOutTake[];
} {
  if (edit === null) return { videoId, options: null, leftOut: [] };
  const refused = new Map<string, Failure>();
  for (const { video_id: id } of edit.takes) {
    const failedImport = failed.get(id);
    const video = videos.get(id);
    if (failedImport !== undefined)
      refused.set(id, takeImportFailure(failedImport.filename, failedImport.error));
    else if (video?.kind === 'audio') {
      const detail = `"${video.reference.filename}" is a sound file; a take is a video or a photo`;
      refused.set(id, new Failure('INPUT_UNSUPPORTED', detail));
    }
  }
  const { options, leftOut } = leaveOutTakes(edit, refused);
  return { videoId: options.takes[0]!.video_id, options, leftOut };
}

/** Throws the error of an import that the job waited for and cannot do without. */
function assertImported({ videoId, templateVideoId, edit }: JobVideos, failed: FailedImports): void {
  const needed = [
    ['source', videoId],
    ['template', templateVideoId],
    ['music', edit?.music?.video_id ?? null],
  ] as const;
  for (const [which, id] of needed) {
    const failedImport = id === null ? undefined : failed.get(id);
    if (failedImport !== undefined) throw importJobFailure(which, failedImport.error);
  }
}

/** Throws INPUT_UNSUPPORTED for an import that is no file of the needed kind: nothing was known of it when the job was created. */
function assertUsable(
  { videoId, templateVideoId, edit, product, config }: JobVideos & { readonly config: JobConfig },
  used: (id: string) => UsedVideo,
): void {
  const { kind } = used(videoId);
  if (kind === 'audio' && !isMadeOfAnyFile(product))
    throw new Failure('INPUT_UNSUPPORTED', 'The source is a sound file; it must be a video.');
  if (kind === 'image' && edit === null && !isMadeOfAnyFile(product))
    throw new Failure('INPUT_UNSUPPORTED', 'The source is an image; only a template may be one.');
  const template = templateVideoId === null ? undefined : used(templateVideoId);
  const errors = [
    ...(edit === null ? [] : editErrors(videoId, edit, used, config.talk)),
    ...rangeErrors({ config, isEdit: edit !== null, source: used(videoId), template }),
  ];
  if (errors.length === 0) return;
  const detail = errors.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new Failure('INPUT_UNSUPPORTED', detail);
}
