import { validate as isUuid, v7 as newId } from 'uuid';
import type { Database, Queryable } from '../../database/database.ts';
import { wholeEdit } from '../../domain/edit-takes.ts';
import type { Failure } from '../../domain/errors.ts';
import { selectImportsForJobs } from '../../videos/import-store.ts';
import type { VideoImport } from '../../videos/video.ts';
import { type JobVideo, selectVideosForJobs } from '../../videos/video-store.ts';
import type { Job, NewJob } from '../model/job.ts';
import { insertJobs, type JobInsertion } from '../model/job-store.ts';
import { selectAreEdits, videoIdsOf } from '../model/job-videos.ts';
import { turnsFor } from '../queue/fair-queue.ts';
import { GroupCommit } from '../queue/group-commit.ts';
import type { JobQueue } from '../queue/queue.ts';
import { creationFailure, type JobRefusal } from './new-job-check.ts';

export interface JobIntakeParts {
  readonly database: Database;
  readonly queue: JobQueue;
  readonly clock: () => Date;
  readonly refusal: JobRefusal;
}

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
   * Throws VIDEO_NOT_FOUND, TEMPLATE_VIDEO_NOT_FOUND, VIDEO_EXPIRED, VIDEO_LIMIT_EXCEEDED, IMPORT_FAILED, VALIDATION_ERROR, JOB_NOT_FOUND
   * (of a revised job), and what `within` throws. A job whose video is still being imported gets its queue entry when the import ends.
   */
  create(request: NewJob, retryOf: string | null, within: Within = async () => {}): Promise<Job> {
    return this.#commits.do({ jobId: newId(), request, retryOf, within });
  }

  async #createAll(
    transaction: Queryable,
    entries: readonly Entry[],
  ): Promise<ReadonlyMap<Entry, Job | Failure>> {
    const ids = entries.flatMap(({ request }) => videoIdsOf(request)).filter(isUuid);
    // Imports are read first: one that ends in between is found among the videos.
    const [imports, stored, areEdits, turnOf] = await Promise.all([
      selectImportsForJobs(transaction, ids),
      selectVideosForJobs(transaction, ids),
      selectAreEdits(
        transaction,
        entries.flatMap(({ request: { edit } }) => edit?.revises ?? []),
      ),
      turnsFor(
        transaction,
        entries.map(({ request }) => request),
      ),
    ]);
    const videos = new Map([...importedVideos(imports), ...stored]);
    const outcomes = new Map<Entry, Job | Failure>();
    const accepted: Entry[] = [];
    const limits = { now: this.#parts.clock(), refusal: this.#parts.refusal };
    for (const entry of entries) {
      const isRetry = entry.retryOf !== null;
      const failure = creationFailure(entry.request, isRetry, { videos, imports, areEdits }, limits);
      if (failure === null) accepted.push(entry);
      else outcomes.set(entry, failure);
    }
    if (accepted.length === 0) return outcomes;
    const nameOf = (id: string | null) => (id === null ? null : videos.get(id.toLowerCase())!.filename);
    const insertions = accepted.map((entry) => ({
      ...entry,
      request: withWholeEdit(entry.request),
      sourceFilename: nameOf(entry.request.videoId)!,
      templateFilename: nameOf(entry.request.templateVideoId),
      turn: turnOf(entry.request),
    }));
    const waits = (entry: Pick<Entry, 'request'>) =>
      videoIdsOf(entry.request).some((id) => imports.get(id.toLowerCase())?.status === 'importing');
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
}

/** The part of an import that a job needs. */
function importedVideos(imports: ReadonlyMap<string, VideoImport>): [string, JobVideo][] {
  return [...imports].map(([id, { filename }]) => [
    id,
    {
      ...{ filename, kind: 'video', durationSeconds: 0, hasAudio: false, width: 0, height: 0 },
      ...{ expiresAt: null, expiredAt: null },
    },
  ]);
}

export function withWholeEdit(request: NewJob): NewJob {
  return request.edit == null ? request : { ...request, edit: wholeEdit(request.videoId, request.edit) };
}
