/** The videos of edits, so that each place that needs to know whether a job uses a video finds it. */
import type { Queryable } from '../../database/database.ts';
import { editVideoIds, wholeEdit } from '../../domain/edit-takes.ts';
import type { NewJob } from './job.ts';

/** Stores the takes, the first included, and the music of those new jobs that are edits. */
export async function insertJobVideos(
  db: Queryable,
  jobs: readonly { readonly jobId: string; readonly request: Pick<NewJob, 'edit'> }[],
): Promise<void> {
  const rows = jobs.flatMap(({ jobId, request: { edit } }) =>
    edit == null
      ? []
      : editVideoIds(edit).map(({ role, position, videoId }) => [jobId, role, String(position), videoId]),
  );
  if (rows.length === 0) return;
  const column = (index: number) => rows.map((row) => row[index]);
  await db.query(
    `insert into job_videos (job_id, role, position, video_id)
     select a::uuid, b, c::integer, d::uuid
     from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as new (a, b, c, d)`,
    [column(0), column(1), column(2), column(3)],
  );
}

/** The existing ones of these jobs, and whether each is an edit. Products do not count. */
export async function selectAreEdits(
  db: Queryable,
  jobIds: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  if (jobIds.length === 0) return new Map();
  const rows = await db.query<{ job_id: string; is_edit: boolean }>(
    `select job_id, edit is not null as is_edit from jobs where job_id = any($1::uuid[]) and product is null`,
    [[...new Set(jobIds)]],
  );
  return new Map(rows.map((row) => [row.job_id, row.is_edit]));
}

/** Edits with this take. */
export async function selectEditsOf(db: Queryable, videoId: string): Promise<string[]> {
  const rows = await db.query<{ job_id: string }>(
    `select job_id from job_videos where video_id = $1 and role = 'take'`,
    [videoId],
  );
  return rows.map((row) => row.job_id);
}

/** All videos of a job, as its request names them. */
export function videoIdsOf({
  videoId,
  templateVideoId,
  edit,
}: Pick<NewJob, 'videoId' | 'templateVideoId' | 'edit'>): string[] {
  const others = edit == null ? [] : editVideoIds(wholeEdit(videoId, edit)).map((one) => one.videoId);
  return [...new Set([videoId, ...(templateVideoId === null ? [] : [templateVideoId]), ...others])];
}

/** The takes of a job by the numbers of its timeline. */
export function takeIdsOf({ videoId, edit }: Pick<NewJob, 'videoId' | 'edit'>): string[] {
  return edit == null ? [videoId] : wholeEdit(videoId, edit).takes.map(({ video_id }) => video_id);
}
