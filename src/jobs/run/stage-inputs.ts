import type { Database } from '../../database/database.ts';
import { editSchema } from '../../domain/edit-options.ts';
import { editErrors, editVideoIds, withTemplateSong } from '../../domain/edit-takes.ts';
import { type ErrorCode, Failure, type JobErrorCode } from '../../domain/errors.ts';
import { type JobConfig, jobConfigSchema } from '../../domain/job-config.ts';
import { type EditWork, isMadeOfAnyFile, type StageWork } from '../../domain/stage.ts';
import { partOf, rangeErrors } from '../../domain/time-range.ts';
import { selectFailedImports } from '../../videos/import-store.ts';
import { selectUsedVideos, type UsedVideo } from '../../videos/video-store.ts';
import type { Job } from '../model/job.ts';

/** Errors of an imported file that cannot be used, with the codes of an upload. */
const IMPORT_CODES: Readonly<Partial<Record<ErrorCode, JobErrorCode>>> = {
  UNSUPPORTED_VIDEO_FORMAT: 'INPUT_UNSUPPORTED',
  INVALID_VIDEO: 'INPUT_CORRUPT',
  VIDEO_LIMIT_EXCEEDED: 'INPUT_LIMIT_EXCEEDED',
  FILE_TOO_LARGE: 'INPUT_LIMIT_EXCEEDED',
};

type NamedVideo = readonly [which: string, videoId: string];

/** The inputs common to all stages. */
export async function stageInputs(
  { database }: { readonly database: Database },
  job: Job,
): Promise<Omit<StageWork, 'stage' | 'signal' | 'onProgress' | 'onFrame' | 'parts'>> {
  // A row of an earlier version lacks newer fields.
  const options = job.edit === null ? null : editSchema.parse(job.edit);
  const named = videosOf({ ...job, edit: options });
  const ids = named.map(([, id]) => id);
  const videos = await selectUsedVideos(database, ids);
  await assertImported(database, named);
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
  assertUsable({ ...job, edit, config }, used);
  const { source_range: sourceRange, template_range: templateRange } = config;
  return {
    jobId: job.jobId,
    attempt: job.attempt,
    source: partOf(used(job.videoId).reference, sourceRange),
    template: templateVideoId === null ? null : partOf(used(templateVideoId).reference, templateRange),
    style: job.givenStyle,
    ...(edit === null ? {} : { edit: editWork(edit, used) }),
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

function videosOf({ videoId, templateVideoId, edit }: JobVideos): NamedVideo[] {
  const others = edit === null ? [] : editVideoIds(edit);
  return [
    ['source', videoId],
    ...(templateVideoId === null ? [] : [['template', templateVideoId] as const]),
    ...others
      .filter((one) => one.videoId !== videoId)
      .map(
        ({ role, position, videoId: id }) =>
          [role === 'music' ? 'music' : `take ${position + 1}`, id] as const,
      ),
  ];
}

/** Throws the error of an import that the job waited for. */
async function assertImported(database: Database, named: readonly NamedVideo[]): Promise<void> {
  const failed = await selectFailedImports(
    database,
    named.map(([, id]) => id),
  );
  for (const [which, id] of named) {
    const error = failed.get(id);
    if (error === undefined) continue;
    const code = IMPORT_CODES[error.code] ?? 'IMPORT_FAILED';
    throw new Failure(code, `The ${which} could not be imported. ${error.detail}`);
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
    ...(edit === null ? [] : editErrors(videoId, edit, used)),
    ...rangeErrors({ config, isEdit: edit !== null, source: used(videoId), template }),
  ];
  if (errors.length === 0) return;
  const detail = errors.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new Failure('INPUT_UNSUPPORTED', detail);
}
