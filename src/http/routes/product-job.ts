/** Jobs that make something of a single video other than a styled video. */
import { isFailure } from '../../domain/errors.ts';
import { DEFAULT_JOB_CONFIG, type JobConfig } from '../../domain/job-config.ts';
import type { VideoReference } from '../../domain/stage.ts';
import type { Job, JobService, NewJob, VideoProduct } from '../../jobs/model/job.ts';
import { isTerminal } from '../../jobs/model/moves.ts';
import { SharedWork } from '../server/shared-work.ts';

/** The client that the product is made for. `priority`: left out: that of jobs by default, because a client waits for it. */
export type RequestedBy = Pick<NewJob, 'client' | 'origin'> & { readonly priority?: number };

/** The job that makes the product already, else a new one. */
export async function productJob(
  jobs: JobService,
  kind: VideoProduct,
  video: Pick<VideoReference, 'videoId' | 'range'>,
  { client, origin, priority }: RequestedBy,
): Promise<Job> {
  const latest = await jobs.products.latest(kind, video);
  if (latest !== null && !isTerminal(latest.status)) return latest;
  // Memory is planned for the lowest quality, whose pictures are not smaller than those of these products.
  const config: JobConfig = {
    ...DEFAULT_JOB_CONFIG,
    quality: 'low',
    source_range: video.range === undefined ? null : [...video.range],
  };
  const { videoId } = video;
  return jobs.create(
    {
      ...{ videoId, templateVideoId: null, givenStyle: null, webhookUrl: null, warnings: [], config },
      ...{ client, origin: origin ?? null, priority: priority ?? config.priority, product: { kind } },
    },
    null,
  );
}

const creations = new SharedWork<Job>();

/** The job of an equal request that has not ended, else a new one. Equal requests at once wait for one creation. */
export function sharedProduct(jobs: JobService, request: NewJob, signal: AbortSignal): Promise<Job> {
  const { videoId, templateVideoId, product, config, edit, givenStyle } = request;
  const key = JSON.stringify([videoId, templateVideoId, product, config, edit, givenStyle]);
  return creations.of(
    key,
    signal,
    async () => (await jobs.products.equal(request)) ?? (await jobs.create(request, null)),
  );
}

/** Cancels a product's job if it has not ended, and removes it. */
export async function removeProductJob(jobs: JobService, { jobId, status }: Job): Promise<void> {
  if (!isTerminal(status))
    await jobs.cancel(jobId).catch((error) => {
      // The job has ended.
      if (!isFailure(error, 'JOB_NOT_CANCELLABLE')) throw error;
    });
  await jobs.remove(jobId);
}
