import { cursorAfter, readCursor } from '../database/cursor.ts';
import type { Queryable, Row } from '../database/database.ts';
import { type Listing, type ListRequest, rangeFromNearerEnd } from '../database/listing.ts';
import { searchText } from '../database/search-text.ts';
import type { EditVideo } from '../domain/edit-takes.ts';
import type { Size } from '../domain/footage.ts';
import type { VideoKind, VideoReference, Warning } from '../domain/stage.ts';
import { kindOf, type Video, type VideoFilter } from './video.ts';

interface VideoRow extends Row {
  readonly video_id: string;
  readonly sha256: string;
  readonly blob_key: string;
  readonly filename: string;
  readonly size_bytes: number;
  readonly content_type: string;
  readonly container: string;
  readonly duration_seconds: number;
  readonly width: number;
  readonly height: number;
  readonly rotation: number;
  readonly frame_rate: number;
  readonly video_codec: string;
  readonly audio_codec: string | null;
  readonly warnings: readonly Warning[];
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly expired_at: Date | null;
}

export interface VideoExpiry {
  readonly expiresAt: Date | null;
  /** Set once retention has removed its bytes. */
  readonly expiredAt: Date | null;
}

/** Fields that decide whether a video may have a new job, and those that the job stores. */
export interface JobVideo extends VideoExpiry, Size, EditVideo {
  readonly filename: string;
}

export interface StoredVideo extends VideoExpiry {
  readonly video: Video;
}

/** When a video stopped to be there for clients: its time is over, whether its bytes were removed yet or not. */
export function expiryOf({ expiresAt, expiredAt }: VideoExpiry, now: Date): Date | null {
  if (expiredAt !== null) return expiredAt;
  return expiresAt !== null && expiresAt <= now ? expiresAt : null;
}

function videoOf(row: VideoRow): Video {
  return {
    videoId: row.video_id,
    sha256: row.sha256,
    blobKey: row.blob_key,
    filename: row.filename,
    sizeBytes: row.size_bytes,
    contentType: row.content_type,
    container: row.container,
    durationSeconds: row.duration_seconds,
    width: row.width,
    height: row.height,
    rotation: row.rotation,
    frameRate: row.frame_rate,
    videoCodec: row.video_codec,
    audioCodec: row.audio_codec,
    warnings: row.warnings,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

/** Each id is made for one file: an existing row is the same video, registered again. */
export async function insertVideo(db: Queryable, video: Video): Promise<void> {
  await db.query(
    `insert into videos (video_id, sha256, blob_key, filename, size_bytes, content_type, container, duration_seconds,
       width, height, rotation, frame_rate, video_codec, audio_codec, warnings, created_at, expires_at, search)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
     on conflict (video_id) do nothing`,
    [
      video.videoId,
      video.sha256,
      video.blobKey,
      video.filename,
      video.sizeBytes,
      video.contentType,
      video.container,
      video.durationSeconds,
      video.width,
      video.height,
      video.rotation,
      video.frameRate,
      video.videoCodec,
      video.audioCodec,
      JSON.stringify(video.warnings),
      video.createdAt,
      video.expiresAt,
      searchText(video.filename),
    ],
  );
}

/** Reads a video. With `lock`, no new job can take it until the transaction's end. */
export async function selectVideo(
  db: Queryable,
  videoId: string,
  lock?: 'update',
): Promise<StoredVideo | null> {
  const locking = lock === undefined ? '' : `for ${lock}`;
  const [row] = await db.query<VideoRow>(`select * from videos where video_id = $1 ${locking}`, [videoId]);
  if (row === undefined) return null;
  return { video: videoOf(row), expiresAt: row.expires_at, expiredAt: row.expired_at };
}

/**
 * Locks the videos until the transaction's end, so that they cannot be removed. In one order, against
 * deadlocks.
 */
export async function selectVideosForJobs(
  db: Queryable,
  videoIds: readonly string[],
): Promise<ReadonlyMap<string, JobVideo>> {
  const rows = await db.query<VideoRow>(
    `select video_id, filename, content_type, audio_codec, duration_seconds, width, height, expires_at, expired_at
     from videos where video_id = any($1::uuid[]) order by video_id for share`,
    [[...new Set(videoIds)]],
  );
  return new Map(
    rows.map((row) => [
      row.video_id,
      {
        ...editVideoOf(row),
        filename: row.filename,
        width: row.width,
        height: row.height,
        expiresAt: row.expires_at,
        expiredAt: row.expired_at,
      },
    ]),
  );
}

function editVideoOf(row: VideoRow): EditVideo {
  return {
    kind: kindOf({ contentType: row.content_type, durationSeconds: row.duration_seconds }),
    durationSeconds: row.duration_seconds,
    hasAudio: row.audio_codec !== null,
  };
}

/** A video that a running job uses. */
export interface UsedVideo extends EditVideo {
  readonly reference: VideoReference;
}

/** Videos by ids, without expired ones. */
export async function selectUsedVideos(
  db: Queryable,
  videoIds: readonly string[],
): Promise<ReadonlyMap<string, UsedVideo>> {
  const rows = await db.query<VideoRow>(
    `select video_id, sha256, blob_key, filename, content_type, audio_codec, duration_seconds, width, height
     from videos where video_id = any($1::uuid[]) and expired_at is null`,
    [videoIds],
  );
  return new Map(rows.map((row) => [row.video_id, { ...editVideoOf(row), reference: referenceOf(row) }]));
}

function referenceOf(row: VideoRow): VideoReference {
  const { sha256, blob_key: blobKey, filename, duration_seconds: durationSeconds, width, height } = row;
  return { videoId: row.video_id, sha256, blobKey, filename, durationSeconds, width, height };
}

/** Jobs with this source that have not ended. The captions of other takes have no part in a job. */
export async function selectLiveJobs(db: Queryable, videoId: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ job_id: string }>(
    `select job_id from jobs where video_id = $1 and status in ('queued', 'processing') limit $2`,
    [videoId, limit],
  );
  return rows.map((row) => row.job_id);
}

export async function isVideoInUse(db: Queryable, videoId: string): Promise<boolean> {
  const rows = await db.query(
    `select 1 where exists (select 1 from jobs where video_id = $1 and status in ('queued', 'processing'))
       or exists (select 1 from jobs where template_video_id = $1 and status in ('queued', 'processing'))
       or exists (select 1 from job_videos join jobs using (job_id)
         where job_videos.video_id = $1 and status in ('queued', 'processing'))`,
    [videoId],
  );
  return rows.length > 0;
}

/** The blob to remove, or null when another video still has it. */
export async function deleteVideo(db: Queryable, videoId: string): Promise<string | null> {
  const [deleted] = await db.query<VideoRow>('delete from videos where video_id = $1 returning blob_key', [
    videoId,
  ]);
  const others = await db.query('select 1 from videos where blob_key = $1 limit 1', [deleted!.blob_key]);
  return others.length > 0 ? null : deleted!.blob_key;
}

const NOT_EXPIRED = 'expired_at is null and (expires_at is null or expires_at > $1)';

/** Conditions of the partial indexes of images and sound files. */
const OF_KIND: Readonly<Record<VideoKind, string>> = {
  video: "(content_type not like 'image/%' or duration_seconds > 0) and content_type not like 'audio/%'",
  image: "content_type like 'image/%' and duration_seconds = 0",
  audio: "content_type like 'audio/%'",
};

/** The conditions of a filter beside `NOT_EXPIRED`, whose time is the first parameter; pure. */
function filterSql({ kind, text }: VideoFilter, now: Date): { where: string; parameters: unknown[] } {
  const parameters: unknown[] = [now];
  let where = `where ${NOT_EXPIRED}`;
  if (kind !== undefined) where += ` and ${OF_KIND[kind]}`;
  if (text !== undefined) where += ` and strpos(search, $${parameters.push(searchText(text))}) > 0`;
  return { where, parameters };
}

/** Newest first, without those that have expired by `now`. */
export async function listVideos(
  db: Queryable,
  request: ListRequest<VideoFilter>,
  now: Date,
): Promise<Listing<Video>> {
  const cursor = request.cursor === undefined ? null : readCursor(request.cursor);
  const total = await countVideos(db, request.filter, now);
  const { where, parameters } = filterSql(request.filter, now);
  const given = (value: unknown) => `$${parameters.push(value)}`;
  const after =
    cursor === null ? '' : `and (created_at, video_id) < (${given(cursor.createdAt)}, ${given(cursor.id)})`;
  const { offset, limit, direction } =
    cursor === null
      ? rangeFromNearerEnd((request.page - 1) * request.pageSize, request.pageSize + 1, total)
      : ({ offset: 0, limit: request.pageSize + 1, direction: 'desc' } as const);
  // The ids come from the index alone.
  const rows = await db.query<VideoRow>(
    `select videos.* from (
       select video_id from videos ${where} ${after} order by created_at ${direction}, video_id ${direction}
       limit ${given(limit)} offset ${given(offset)}
     ) as page join videos using (video_id)
     order by videos.created_at desc, videos.video_id desc`,
    parameters,
  );
  const items = rows.slice(0, request.pageSize).map(videoOf);
  const last = items.at(-1);
  const nextCursor =
    rows.length > request.pageSize && last !== undefined ? cursorAfter(last.createdAt, last.videoId) : null;
  return { items, total, nextCursor };
}

/**
 * Exact: triggers keep `video_counts` in the transaction of each change; those whose time is over and that no sweep has met
 * yet are few. Names are counted.
 */
async function countVideos(db: Queryable, filter: VideoFilter, now: Date): Promise<number> {
  if (filter.text !== undefined) {
    const { where, parameters } = filterSql(filter, now);
    const [row] = await db.query<{ total: number }>(
      `select count(*) as total from videos ${where}`,
      parameters,
    );
    return row!.total;
  }
  const [row] = await db.query<{ total: number }>(
    `select (select coalesce(sum(videos), 0)::bigint from video_counts where kind = $2 or $2::text is null)
       - (select count(*) from videos where expires_at <= $1 and expired_at is null
            and ($2::text is null or video_kind(content_type, duration_seconds) = $2)) as total`,
    [now, filter.kind ?? null],
  );
  return row!.total;
}
