/** One function for each statement about imports. All times are the database's, one clock for all hosts. */
import type { Queryable, Row } from '../database/database.ts';
import type { RequestErrorCode } from '../errors.ts';
import type { VideoImport } from './video.ts';

export const IMPORT_DUE_CHANNEL = 'styledna_import_due';

/** A holder that has not been heard for so long is dead; as with jobs. */
export const IMPORT_LEASE_SECONDS = 10;

const LEASED = `clock_timestamp() + interval '${IMPORT_LEASE_SECONDS} seconds'`;
const HELD = `video_id = $1 and holder = $2 and status = 'importing'`;
const FREE = 'holder = null, held_until = null';

/** One that a process works on. */
export interface TakenImport extends VideoImport {
  readonly url: string;
  readonly holder: string;
  /** With this one; those that a process left by its death count. */
  readonly tries: number;
  /** The process that fetched it before had not been heard for its time. */
  readonly isTakenOver: boolean;
}

interface ImportRow extends Row {
  readonly video_id: string;
  readonly url: string;
  readonly filename: string;
  readonly status: VideoImport['status'];
  readonly error: VideoImport['error'];
  readonly received_bytes: number;
  readonly total_bytes: number | null;
  readonly tries: number;
  readonly created_at: Date;
}

function importOf(row: ImportRow): VideoImport {
  return {
    videoId: row.video_id,
    filename: row.filename,
    status: row.status,
    error: row.error,
    receivedBytes: row.received_bytes,
    totalBytes: row.total_bytes,
    createdAt: row.created_at,
  };
}

export async function insertImport(
  db: Queryable,
  given: { readonly videoId: string; readonly url: string; readonly filename: string },
): Promise<VideoImport> {
  const [row] = await db.query<ImportRow>(
    `insert into imports (video_id, url, filename, status, created_at, next_attempt_at)
     values ($1, $2, $3, 'importing', now(), now()) returning *, pg_notify('${IMPORT_DUE_CHANNEL}', '')`,
    [given.videoId, given.url, given.filename],
  );
  return importOf(row!);
}

export async function countImporting(db: Queryable): Promise<number> {
  const [row] = await db.query<{ open: number }>(
    "select count(*) as open from imports where status = 'importing'",
  );
  return row!.open;
}

export async function selectImport(db: Queryable, videoId: string): Promise<VideoImport | null> {
  const [row] = await db.query<ImportRow>('select * from imports where video_id = $1', [videoId]);
  return row === undefined ? null : importOf(row);
}

/** By their ids; until the transaction's end none of them can end. */
export async function selectImportsForJobs(
  db: Queryable,
  videoIds: readonly string[],
): Promise<ReadonlyMap<string, VideoImport>> {
  const rows = await db.query<ImportRow>(
    'select * from imports where video_id = any($1::uuid[]) order by video_id for share',
    [[...new Set(videoIds)]],
  );
  return new Map(rows.map((row) => [row.video_id, importOf(row)]));
}

/** Takes up to `limit` that are due and that no living process works on. */
export async function takeDueImports(db: Queryable, holder: string, limit: number): Promise<TakenImport[]> {
  const rows = await db.query<ImportRow & { taken_over: boolean }>(
    `update imports set holder = $1, held_until = ${LEASED}, tries = tries + 1, received_bytes = 0
     from (
       select video_id as id, holder is not null as taken_over from imports
       where status = 'importing' and next_attempt_at <= now() and (holder is null or held_until < clock_timestamp())
       order by next_attempt_at limit $2 for update skip locked) as due
     where video_id = due.id returning imports.*, due.taken_over`,
    [holder, limit],
  );
  return rows.map((row) => ({
    ...importOf(row),
    ...{ url: row.url, tries: row.tries, holder, isTakenOver: row.taken_over },
  }));
}

/** False: it is this holder's no more. */
export async function renewImport(
  db: Queryable,
  { videoId, holder }: TakenImport,
  progress: { readonly receivedBytes: number; readonly totalBytes: number | null },
): Promise<boolean> {
  const rows = await db.query(
    `update imports set held_until = ${LEASED}, received_bytes = $3, total_bytes = $4
     where ${HELD} returning video_id`,
    [videoId, holder, progress.receivedBytes, progress.totalBytes],
  );
  return rows.length > 0;
}

/** To be tried again. `isCounted`: the try counts as one. */
export async function postponeImport(
  db: Queryable,
  { videoId, holder }: TakenImport,
  delayMs: number,
  isCounted: boolean,
): Promise<void> {
  await db.query(
    `update imports set ${FREE}, tries = tries - $4, next_attempt_at = now() + $3 * interval '1 millisecond'
     where ${HELD} returning pg_notify('${IMPORT_DUE_CHANNEL}', '')`,
    [videoId, holder, delayMs, isCounted ? 0 : 1],
  );
}

/** False: it is this holder's no more. Waits for jobs that are being created on it. */
export async function failImport(
  db: Queryable,
  { videoId, holder }: TakenImport,
  error: { readonly code: RequestErrorCode; readonly detail: string },
): Promise<boolean> {
  const rows = await db.query(
    `update imports set ${FREE}, status = 'failed', error = $3, ended_at = now() where ${HELD} returning video_id`,
    [videoId, holder, JSON.stringify(error)],
  );
  return rows.length > 0;
}

/** The same for one that has become a video. */
export async function endImport(db: Queryable, { videoId, holder }: TakenImport): Promise<boolean> {
  const rows = await db.query(`delete from imports where ${HELD} returning video_id`, [videoId, holder]);
  return rows.length > 0;
}

/** False: there is none. */
export async function deleteImport(db: Queryable, videoId: string): Promise<boolean> {
  const rows = await db.query('delete from imports where video_id = $1 returning video_id', [videoId]);
  return rows.length > 0;
}

/** For an embedded database, which no other process can be using: every holder in it is dead. */
export async function releaseAllImports(db: Queryable): Promise<void> {
  await db.query(`update imports set ${FREE} where holder is not null`);
}

export async function deleteOldImports(db: Queryable, before: Date): Promise<void> {
  await db.query("delete from imports where status = 'failed' and ended_at < $1", [before]);
}
