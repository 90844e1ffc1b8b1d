import { validate as isUuid, v7 as newId } from 'uuid';
import type { Database, Queryable } from '../../database/database.ts';
import { Failure } from '../../domain/errors.ts';
import type { Size } from '../../domain/footage.ts';
import { importFailure } from '../../videos/import-failure.ts';
import { selectImportsForJobs } from '../../videos/import-store.ts';
import type { VideoImport } from '../../videos/video.ts';
import { expiryOf, type JobVideo, selectVideosForJobs } from '../../videos/video-store.ts';
import type { Job, NewJob } from '../model/job.ts';
import { insertJobs, type JobInsertion } from '../model/job-store.ts';
import { turnsFor } from '../queue/fair-queue.ts';
import { GroupCommit } from '../queue/group-commit.ts';
import type { JobQueue } from '../queue/queue.ts';

export interface JobIntakeParts {
  readonly database: Database;
  readonly queue: JobQueue;
  readonly clock: () => Date;
  readonly refusal: JobRefusal;
}

/** Returns why videos of these sizes cannot be processed as the job requests; null: they can. */
export type JobRefusal = (request: NewJob, source: Size, template: Size | null) => string | null;

/** Work in the transaction that creates the job; if it throws, no job is created. */
type Within = (transaction: Queryable, job: Job) => Promise<void>;

interface Entry extends Pick<JobInsertion, 'jobId' | 'request' | 'retryOf'> {
  readonly within: Within;
}

/** Creates jobs: the row, the queue entry and `within`, in one transaction, which several requests may share. */
export class JobIntake {
  readonly #parts: JobIntakeParts;
  readonly #commits: GroupCommit<Entry, Job>;

  constructor(parts: JobIntakeParts) {
    this.#parts = parts;
    this.#commits = new GroupCommit(parts.database, (transaction, entries) =>
      this.#createAll(transaction, entries),
    );
  }

  /**
   * Throws VIDEO_NOT_FOUND, TEMPLATE_VIDEO_NOT_FOUND, VIDEO_EXPIRED, VIDEO_LIMIT_EXCEEDED, IMPORT_FAILED, and what `within` throws. A
   * job whose video is still being imported gets its queue entry when the import ends.
   */
  create(request: NewJob, retryOf: string | null, within: Within = async () => {}): Promise<Job> {
    return this.#commits.do({ jobId: newId(), request, retryOf, within });
  }

  async #createAll(
    transaction: Queryable,
    entries: readonly Entry[],
  ): Promise<ReadonlyMap<Entry, Job | Failure>> {
    const ids = entries.flatMap(videoIdsOf).filter(isUuid);
    // Imports are read first: one that ends in between is found among the videos.
    const [imports, stored, turnOf] = await Promise.all([
      selectImportsForJobs(transaction, ids),
      selectVideosForJobs(transaction, ids),
      turnsFor(
        transaction,
        entries.map(({ request }) => request),
      ),
    ]);
    const videos = new Map([...importedVideos(imports), ...stored]);
    const outcomes = new Map<Entry, Job | Failure>();
    const accepted: Entry[] = [];
    for (const entry of entries) {
      const failure = this.#refusal(entry.request, videos, imports);
      if (failure === null) accepted.push(entry);
      else outcomes.set(entry, failure);
    }
    if (accepted.length === 0) return outcomes;
    const nameOf = (id: string | null) => (id === null ? null : videos.get(id.toLowerCase())!.filename);
    const insertions = accepted.map((entry) => ({
      ...entry,
      sourceFilename: nameOf(entry.request.videoId)!,
      templateFilename: nameOf(entry.request.templateVideoId),
      turn: turnOf(entry.request),
    }));
    const waits = (entry: Pick<Entry, 'request'>) =>
      videoIdsOf(entry).some((id) => imports.has(id.toLowerCase()));
    const places = insertions
      .filter((entry) => !waits(entry))
      .map(({ jobId, request, turn }) => ({ id: jobId, priority: request.priority, turn }));
    const [jobs] = await Promise.all([
      insertJobs(transaction, insertions),
      this.#parts.queue.add(transaction, places),
    ]);
    for (const entry of accepted) {
      const job = jobs.get(entry.jobId)!;
      await entry.within(transaction, job);
      outcomes.set(entry, job);
    }
    return outcomes;
  }

  #refusal(
    request: NewJob,
    videos: ReadonlyMap<string, JobVideo>,
    imports: ReadonlyMap<string, VideoImport>,
  ): Failure | null {
    const { videoId, templateVideoId } = request;
    const named = videoIdsOf({ request }).map((id) => imports.get(id.toLowerCase()));
    const failedImport = named.find((one) => one !== undefined && one.error !== null);
    if (failedImport !== undefined) return importFailure(failedImport);
    const codes = [
      [videoId, 'VIDEO_NOT_FOUND'],
      [templateVideoId, 'TEMPLATE_VIDEO_NOT_FOUND'],
    ] as const;
    for (const [id, missing] of codes) {
      if (id === null) continue;
      const stored = videos.get(id.toLowerCase());
      if (stored === undefined) return new Failure(missing, `There is no video ${id}.`);
      const expiredAt = expiryOf(stored, this.#parts.clock());
      if (expiredAt !== null) {
        return new Failure('VIDEO_EXPIRED', `The video ${id} expired ${expiredAt.toISOString()}.`);
      }
    }
    // Sizes of imports are not known yet: the job checks them when it runs.
    if (named.some((one) => one !== undefined)) return null;
    if (videos.get(videoId.toLowerCase())!.kind === 'image' && request.product?.kind !== 'analysis') {
      const message = 'is an image; the source must be a video, only a template may be an image';
      return new Failure('VALIDATION_ERROR', `video_id: ${message}`, {
        fields: [{ path: 'video_id', message }],
      });
    }
    const sizeOf = (id: string | null) => (id === null ? null : videos.get(id.toLowerCase())!);
    const refusal = this.#parts.refusal(request, sizeOf(request.videoId)!, sizeOf(request.templateVideoId));
    return refusal === null ? null : new Failure('VIDEO_LIMIT_EXCEEDED', refusal);
  }
}

/** The part of an import that a job needs. */
function importedVideos(imports: ReadonlyMap<string, VideoImport>): [string, JobVideo][] {
  return [...imports].map(([id, { filename }]) => [
    id,
    { filename, kind: 'video', width: 0, height: 0, expiresAt: null, expiredAt: null },
  ]);
}

function videoIdsOf({ request }: Pick<Entry, 'request'>): string[] {
  return request.templateVideoId === null ? [request.videoId] : [request.videoId, request.templateVideoId];
}
