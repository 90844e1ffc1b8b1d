/** One function for each statement about imports. All times are the database's, one clock for all hosts. */
import type { Queryable, Row } from '../database/database.ts';
import { type Busy, busyArrays, hostOf } from '../database/shares.ts';
import type { RequestErrorCode } from '../domain/errors.ts';
import type { VideoImport } from './video.ts';

export const IMPORT_DUE_CHANNEL = 'styledna_import_due';

/** A holder without a heartbeat for this long has ended, like a worker of jobs. */
export const IMPORT_LEASE_SECONDS = 10;

const LEASED = `clock_timestamp() + interval '${IMPORT_LEASE_SECONDS} seconds'`;
const HELD = `video_id = $1 and holder = $2 and status = 'importing'`;
const FREE = 'holder = null, held_until = null';

/** An import that a process has claimed. */
export interface TakenImport extends VideoImport {
  readonly url: string;
  /** The host and the client determine its share of the slots. */
  readonly host: string;
  readonly client: string;
  readonly holder: string;
  /** Including this one and those of processes that have ended. */
  readonly tries: number;
  /** The lease of the process that fetched it before had expired. */
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
  given: {
    readonly videoId: string;
    readonly url: string;
    readonly filename: string;
    readonly client?: string;
  },
): Promise<VideoImport> {
  const [row] = await db.query<ImportRow>(
    `insert into imports (video_id, url, filename, client, status, created_at, next_attempt_at)
     values ($1, $2, $3, $4, 'importing', now(), now()) returning *, pg_notify('${IMPORT_DUE_CHANNEL}', '')`,
    [given.videoId, given.url, given.filename, given.client ?? null],
  );
  return importOf(row!);
}

/** Numbers of imports in progress: of all clients, and of one. */
export async function countImporting(
  db: Queryable,
  client: string,
): Promise<{ readonly open: number; readonly own: number }> {
  const [row] = await db.query<{ open: number; own: number }>(
    `select count(*) as open, count(*) filter (where client = $1) as own from imports where status = 'importing'`,
    [client],
  );
  return row!;
}

export async function selectImport(db: Queryable, videoId: string): Promise<VideoImport | null> {
  const [row] = await db.query<ImportRow>('select * from imports where video_id = $1', [videoId]);
  return row === undefined ? null : importOf(row);
}

export interface FailedImport extends Pick<VideoImport, 'filename'> {
  readonly error: NonNullable<VideoImport['error']>;
}

/** Those of these imports that failed. */
export async function selectFailedImports(
  db: Queryable,
  videoIds: readonly string[],
): Promise<ReadonlyMap<string, FailedImport>> {
  const rows = await db.query<ImportRow>(
    'select video_id, filename, error from imports where video_id = any($1::uuid[]) and error is not null',
    [videoIds],
  );
  return new Map(rows.map(({ video_id, filename, error }) => [video_id, { filename, error: error! }]));
}

/** Imports by ids, locked: none of them can end before the transaction does. */
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

/** Limits of a process for one host and for one client: slow servers must not use all of its slots. */
const MAX_IMPORTS = { perHost: 8, perClient: 16 };

/** Number of imports, the longest due first, that compete for slots. */
const CANDIDATES = 2_000;

const DUE = `status = 'importing' and next_attempt_at <= now() and (holder is null or held_until < clock_timestamp())`;

/** Numbers of imports that this process is fetching. */
export interface BusyImports {
  readonly hosts: Busy;
  readonly clients: Busy;
}

/**
 * Takes up to `limit` that are due and that no living process works on. Hosts and clients take turns, those with the fewest at work
 * first.
 */
export async function takeDueImports(
  db: Queryable,
  holder: string,
  limit: number,
  busy: BusyImports = { hosts: new Map(), clients: new Map() },
): Promise<TakenImport[]> {
  const rows = await db.query<ImportRow & { taken_over: boolean; host: string; client: string }>(
    `update imports set holder = $1, held_until = ${LEASED}, tries = tries + 1, received_bytes = 0
     from (
       select video_id as id, holder is not null as taken_over from imports
       where ${DUE} and video_id in (
         select video_id from (
           select video_id, next_attempt_at,
             row_number() over (partition by host order by next_attempt_at) + of_host as host_turn,
             row_number() over (partition by client order by next_attempt_at) + of_client as client_turn
           from (
             select video_id, next_attempt_at, ${hostOf('url')} as host, coalesce(imports.client, '') as client,
               coalesce(hosts.busy, 0) as of_host, coalesce(clients.busy, 0) as of_client
             from imports
               left join unnest($3::text[], $4::integer[]) as hosts (name, busy) on hosts.name = ${hostOf('url')}
               left join unnest($5::text[], $6::integer[]) as clients (name, busy)
                 on clients.name = coalesce(imports.client, '')
             where ${DUE} and coalesce(hosts.busy, 0) < $7 and coalesce(clients.busy, 0) < $8
             order by next_attempt_at limit $9) as candidates
         ) as ranked
         where host_turn <= $7 and client_turn <= $8
         order by greatest(host_turn, client_turn), next_attempt_at limit $2)
       for update skip locked) as due
     where video_id = due.id
     returning imports.*, coalesce(imports.client, '') as client, ${hostOf('url')} as host, due.taken_over`,
    [
      ...[holder, limit, ...busyArrays(busy.hosts), ...busyArrays(busy.clients)],
      ...[MAX_IMPORTS.perHost, MAX_IMPORTS.perClient, CANDIDATES],
    ],
  );
  return rows.map((row) => ({
    ...importOf(row),
    ...{ url: row.url, host: row.host, client: row.client },
    ...{ tries: row.tries, holder, isTakenOver: row.taken_over },
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

/** For an embedded database, which no other process uses: every holder in it has ended. */
export async function releaseAllImports(db: Queryable): Promise<void> {
  await db.query(`update imports set ${FREE} where holder is not null`);
}

export async function deleteOldImports(db: Queryable, before: Date): Promise<void> {
  await db.query("delete from imports where status = 'failed' and ended_at < $1", [before]);
}
