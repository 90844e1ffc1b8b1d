/**
 * One function for each SQL statement about uploads. All times are the database's: one clock for all hosts.
 */
import type { Queryable, Row } from '../database/database.ts';
import type { FieldError, RequestErrorCode } from '../domain/errors.ts';
import type { UploadProgress } from '../storage/partial-blobs.ts';

/** The payload is the id of an upload for which a request waits. */
export const UPLOAD_REQUESTED_CHANNEL = 'styledna_upload_wanted';

/** The lease of a holder without renewal for this long has expired. */
export const LEASE_SECONDS = 10;

/** Counted from the creation of an upload that has received bytes. */
const RETENTION_SECONDS = 24 * 3_600;
/**
 * For an upload without bytes, counted from its creation; for small ones beyond a client's share, from their
 * last byte.
 */
const IDLE_RETENTION_SECONDS = 10 * 60;
/** An upload with fewer bytes is small. Larger ones cost an attacker who occupies slots bandwidth. */
export const SMALL_BYTES = 1 << 20;
/** Small uploads of one client that get the whole `RETENTION_SECONDS`. A client that loses its connection has a few. */
export const MAX_SMALL_PER_CLIENT = 8;

const LEASED = `clock_timestamp() + interval '${LEASE_SECONDS} seconds'`;

export interface UploadInfo {
  readonly lengthBytes: number;
  readonly fileName: string;
  /** `Upload-Metadata` in its received form. */
  readonly metadata: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Null while it is open. */
  readonly end: UploadEnd | null;
}

export type UploadEnd =
  | 'finished'
  | {
      readonly code: RequestErrorCode;
      readonly detail: string;
      /** Left out: none. */
      readonly fields?: readonly FieldError[];
    };

export interface Upload {
  readonly uploadId: string;
  readonly info: UploadInfo;
  /** The bytes recorded as durable. */
  readonly arrived: UploadProgress;
}

export interface UploadLease {
  readonly upload: Upload;
  /** Whether the previous holder's lease had expired. */
  readonly isTakenOver: boolean;
}

interface UploadRow extends Row {
  readonly upload_id: string;
  readonly length_bytes: number;
  readonly filename: string;
  readonly metadata: string | null;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly offset_bytes: number;
  readonly place: unknown;
  readonly ended: UploadEnd | null;
}

function uploadOf(row: UploadRow): Upload {
  return {
    uploadId: row.upload_id,
    info: {
      lengthBytes: row.length_bytes,
      fileName: row.filename,
      metadata: row.metadata,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
      end: row.ended,
    },
    arrived: { offsetBytes: row.offset_bytes, storeState: row.place },
  };
}

export async function insertUpload(
  db: Queryable,
  upload: { readonly uploadId: string; readonly client?: string } & Pick<
    UploadInfo,
    'lengthBytes' | 'fileName' | 'metadata'
  >,
): Promise<Upload> {
  const [row] = await db.query<UploadRow>(
    `insert into uploads (upload_id, length_bytes, filename, metadata, client, created_at, expires_at)
     values ($1, $2, $3, $4, $6, now(), now() + $5 * interval '1 second') returning *`,
    [
      upload.uploadId,
      upload.lengthBytes,
      upload.fileName,
      upload.metadata,
      IDLE_RETENTION_SECONDS,
      upload.client ?? null,
    ],
  );
  return uploadOf(row!);
}

/** The numbers for all clients and for one. */
export async function countOpenUploads(
  db: Queryable,
  client: string,
): Promise<{ readonly open: number; readonly own: number }> {
  const [row] = await db.query<{ open: number; own: number }>(
    `select count(*) as open, count(*) filter (where client = $1) as own from uploads
     where ended is null and expires_at > now()`,
    [client],
  );
  return row!;
}

export async function selectUpload(db: Queryable, uploadId: string): Promise<Upload | null> {
  const [row] = await db.query<UploadRow>('select * from uploads where upload_id = $1', [uploadId]);
  return row === undefined ? null : uploadOf(row);
}

/** Leases an upload to `holder`; null: another holder has it, or the upload does not exist. */
export async function leaseUpload(
  db: Queryable,
  uploadId: string,
  holder: string,
): Promise<UploadLease | null> {
  const [row] = await db.query<UploadRow & { taken_over: boolean }>(
    `update uploads set holder = $2, held_until = ${LEASED}
     from (select holder is not null as taken_over from uploads
       where upload_id = $1 and (holder is null or held_until < clock_timestamp()) for update) as free
     where upload_id = $1 returning uploads.*, free.taken_over`,
    [uploadId, holder],
  );
  return row === undefined ? null : { upload: uploadOf(row), isTakenOver: row.taken_over };
}

export async function requestUpload(db: Queryable, uploadId: string): Promise<void> {
  await db.query(`select pg_notify('${UPLOAD_REQUESTED_CHANNEL}', $1)`, [uploadId]);
}

/** Other small uploads of the same client that were created before. */
const SMALL_BEFORE = `(select count(*) from uploads as other
  where other.ended is null and other.expires_at > now() and other.client is not distinct from uploads.client
    and other.offset_bytes > 0 and other.offset_bytes < ${SMALL_BYTES}
    and (other.created_at, other.upload_id) < (uploads.created_at, uploads.upload_id))`;

/**
 * Extends the lease and stores the progress. Returns the expiry of the upload; null when `holder` has lost
 * it.
 */
export async function renewUpload(
  db: Queryable,
  uploadId: string,
  holder: string,
  arrived: UploadProgress,
): Promise<Date | null> {
  const [row] = await db.query<{ expires_at: Date }>(
    `update uploads set held_until = ${LEASED}, offset_bytes = $3::bigint, place = $4,
       expires_at = greatest(expires_at, case
         when $3::bigint = 0 then now() + interval '${LEASE_SECONDS} seconds'
         when $3::bigint >= ${SMALL_BYTES} or ${SMALL_BEFORE} < ${MAX_SMALL_PER_CLIENT}
           then created_at + interval '${RETENTION_SECONDS} seconds'
         when $3::bigint > offset_bytes then now() + interval '${IDLE_RETENTION_SECONDS} seconds' end)
     where upload_id = $1 and holder = $2 returning expires_at`,
    [uploadId, holder, arrived.offsetBytes, storeStateText(arrived)],
  );
  return row?.expires_at ?? null;
}

export async function releaseUpload(db: Queryable, uploadId: string, holder: string): Promise<void> {
  await db.query('update uploads set holder = null, held_until = null where upload_id = $1 and holder = $2', [
    uploadId,
    holder,
  ]);
}

/** For an embedded database, which no other process can use: all holders have ended. */
export async function releaseAllUploads(db: Queryable): Promise<void> {
  await db.query('update uploads set holder = null, held_until = null where holder is not null');
}

export async function endUpload(db: Queryable, uploadId: string, end: UploadEnd): Promise<void> {
  await db.query('update uploads set ended = $2 where upload_id = $1', [uploadId, JSON.stringify(end)]);
}

export async function deleteUpload(db: Queryable, uploadId: string): Promise<void> {
  await db.query('delete from uploads where upload_id = $1', [uploadId]);
}

export interface ExpiredUpload {
  readonly uploadId: string;
  readonly expiresAt: Date;
}

/** Uploads after `last`, in the order of their expiry. */
export async function selectExpiredUploads(
  db: Queryable,
  now: Date,
  limit: number,
  last: ExpiredUpload | null,
): Promise<ExpiredUpload[]> {
  const rows = await db.query<{ upload_id: string; expires_at: Date }>(
    `select upload_id, expires_at from uploads
     where expires_at <= $1 and ($3::timestamptz is null or (expires_at, upload_id) > ($3::timestamptz, $4::uuid))
     order by expires_at, upload_id limit $2`,
    [now, limit, last?.expiresAt ?? null, last?.uploadId ?? null],
  );
  return rows.map((row) => ({ uploadId: row.upload_id, expiresAt: row.expires_at }));
}

/** Returns the ids that belong to uploads. */
export async function selectKnownUploads(
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ upload_id: string }>(
    'select upload_id::text as upload_id from uploads where upload_id::text = any($1::text[])',
    [ids],
  );
  return new Set(rows.map((row) => row.upload_id));
}

function storeStateText({ storeState }: UploadProgress): string | null {
  return storeState === null ? null : JSON.stringify(storeState);
}
