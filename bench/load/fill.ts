import type { Queryable } from '../../src/database/database.ts';
import { insertEntriesSql, QUEUE_TABLE } from '../../test/support/queue-entries.ts';

/** A tenth of the jobs has its own video, as those who upload one and try styles make it; one template has half of all. */
const JOBS_PER_VIDEO = 10;

const UUID = (kind: number, number: string) =>
  `(lpad(to_hex(${kind}), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;

export const POPULAR_TEMPLATE = '00000002-0000-7000-8000-000000000000';
export const videoOf = (number: number) => `00000001-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
export const jobOf = (number: number) => `00000003-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;

/** Reports progress to the client, in slices, so that a statement does not take minutes. */
const SLICE = 50_000;

export interface Filling {
  readonly jobs: number;
  /** The newest of them wait; 2 % of the others failed, 1 % were cancelled. */
  readonly queued: number;
}

/** Fills empty tables as years of work would, the queue's entries included. */
export async function fill(db: Queryable, { jobs, queued }: Filling): Promise<void> {
  const videos = Math.ceil(jobs / JOBS_PER_VIDEO);
  await eachSlice(videos, (from, to) => db.query(videosSql, [from, to]));
  await db.query(templateSql);
  await eachSlice(jobs, (from, to) => db.query(jobsSql, [from, to, jobs - queued]));
  await eachSlice(jobs - queued, (from, to) => db.query(deliveriesSql, [from, to]));
  await db.query(insertEntriesSql(UUID(3, 'n')), [jobs - queued, jobs]);
  await eachSlice(Math.min(jobs, 100_000), (from, to) => db.query(keysSql, [from, to]));
  for (const table of ['videos', 'jobs', 'webhook_deliveries', 'idempotency_keys', QUEUE_TABLE])
    await db.query(`vacuum (analyze) ${table}`);
}

async function eachSlice(count: number, work: (from: number, to: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < count; from += SLICE) await work(from, Math.min(count, from + SLICE) - 1);
}

const VIDEO_COLUMNS = `video_id, sha256, blob_key, filename, size_bytes, content_type, container, duration_seconds, width,
  height, rotation, frame_rate, video_codec, audio_codec, warnings, created_at, expires_at, search`;

const videosSql = `insert into videos (${VIDEO_COLUMNS})
  select ${UUID(1, 'n')}, md5(n::text) || md5(n::text), 'videos/' || ${UUID(1, 'n')}, 'holiday-' || n || '.mp4', 10485760, 'video/mp4',
    'mp4', 42.5, 1920, 1080, 0, 29.97, 'h264', 'aac', '[]', now() - interval '400 days' + n * interval '10 seconds',
    now() + interval '30 days' + n * interval '1 second', 'holiday-' || n || '.mp4'
  from generate_series($1::integer, $2::integer) as n`;

const templateSql = `insert into videos (${VIDEO_COLUMNS})
  select ${UUID(2, '0')}, repeat('f', 64), 'videos/template', 'trailer.mp4', 10485760, 'video/mp4', 'mp4', 42.5, 1920, 1080, 0,
    29.97, 'h264', 'aac', '[]', now() - interval '401 days', null, 'trailer.mp4'`;

/** The publication is as long as what stays in the row of a real one: the rest of that lies apart (TOAST). */
const jobsSql = `insert into jobs (job_id, video_id, template_video_id, config, webhook_url, priority, warnings, client, turn,
    source_filename, template_filename, search, status, attempt, created_at, updated_at, progress_updated_at, started_at,
    completed_at, progress_percent, publication, error, expires_at)
  select ${UUID(3, 'n')}, ${UUID(1, `n / ${JOBS_PER_VIDEO}`)}, case when n % 2 = 0 then ${UUID(2, '0')} end,
    '{"quality":"medium","priority":50}', 'https://example.com/hook', 50, '[]', 'client-' || n % 1000, n / 1000,
    'holiday-' || n / ${JOBS_PER_VIDEO} || '.mp4', case when n % 2 = 0 then 'trailer.mp4' end,
    'holiday-' || n / ${JOBS_PER_VIDEO} || '.mp4' || case when n % 2 = 0 then chr(10) || 'trailer.mp4' else '' end,
    status, case status when 'queued' then 0 else 1 end, created, created, created,
    case status when 'queued' then null else created end, case status when 'queued' then null else created + interval '60 s' end,
    case status when 'completed' then 100 else 0 end,
    case status when 'completed' then json_build_object('style', repeat('x', 1200), 'artifacts', '[]'::json) end,
    case status when 'failed' then '{"code":"INPUT_CORRUPT","occurredAt":"2026-01-01T00:00:00.000Z"}'::json end,
    case status when 'completed' then now() + interval '30 days' + n * interval '1 second' end
  from (select n, now() - interval '400 days' + n * interval '30 seconds' as created,
      case when n >= $3::integer then 'queued' when n % 100 < 2 then 'failed' when n % 100 = 2 then 'cancelled' else 'completed' end as status
    from generate_series($1::integer, $2::integer) as n) as made`;

const deliveriesSql = `insert into webhook_deliveries (webhook_id, job_id, event, url, body, state, tries, created_at)
  select ${UUID(4, 'n')}, ${UUID(3, 'n')}, 'job.completed', 'https://example.com/hook', '{}', 'delivered', 1, now()
  from generate_series($1::integer, $2::integer) as n`;

const keysSql = `insert into idempotency_keys (key, request_hash, owner, claimed_at, created_at, answer_status, answer_body)
  select 'key-' || n, md5(n::text), ${UUID(5, '0')}, now(), now(), 201, '{}'
  from generate_series($1::integer, $2::integer) as n`;
