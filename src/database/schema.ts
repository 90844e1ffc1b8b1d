import { STYLE_TABLES } from './style-tables.ts';
import { countingVideos } from './video-counts.ts';

/**
 * The tables, migration by migration: number n is at index n - 1. Never change a released one; add one. Text
 * is split into statements at its semicolons. A migration with other semicolons is a list of statements.
 *
 * Processes of the previous version continue to work during a migration and after it (docs/operating.md,
 * "Upgrades"). It changes nothing that they read or write, and a new column has a default. Only a later
 * version may remove such parts. That migration also sets `MIN_KNOWN_MIGRATIONS`, so that old processes
 * refuse to start.
 *
 * Clients' data is stored as `json`: `jsonb` refuses the valid JSON escape \\u0000. Times have milliseconds,
 * like JavaScript's `Date`, so that a read time equals the stored time.
 */
export type Migration = string | readonly string[];

/** A trigger that adds the counts in `selection` (state, slot, jobs) to the counts of jobs. */
function counting(create: string, name: string, selection: string): string {
  return `${create} function ${name}() returns trigger language plpgsql as $$
     begin
       insert into job_counts as known
         ${selection}
         on conflict (status, slot) do update set jobs = known.jobs + excluded.jobs;
       return null;
     end $$`;
}

export const MIGRATIONS: readonly Migration[] = [
  `
  create table videos (
    video_id uuid primary key,
    sha256 text not null,
    blob_key text not null,
    filename text not null,
    size_bytes bigint not null,
    content_type text not null,
    container text not null,
    duration_seconds double precision not null,
    width integer not null,
    height integer not null,
    rotation integer not null,
    frame_rate double precision not null,
    video_codec text not null,
    audio_codec text,
    warnings json not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3),
    expired_at timestamptz(3)
  );
  create index videos_newest on videos (created_at desc, video_id desc) where expired_at is null;
  create index videos_blob on videos (blob_key);

  create table jobs (
    job_id uuid primary key,
    video_id uuid not null,
    template_video_id uuid,
    given_style json,
    config json not null,
    webhook_url text,
    retry_of uuid,
    priority integer not null,
    warnings json not null,
    status text not null check (status in ('queued', 'processing', 'completed', 'failed', 'cancelled')),
    stage text,
    progress_percent double precision not null default 0,
    attempt integer not null default 0,
    workers_lost integer not null default 0,
    handed_over boolean not null default false,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    progress_updated_at timestamptz(3) not null,
    started_at timestamptz(3),
    completed_at timestamptz(3),
    publication json,
    error json,
    check ((status = 'processing') = (stage is not null)),
    check ((status in ('completed', 'failed', 'cancelled')) = (completed_at is not null)),
    check ((status = 'completed') = (publication is not null)),
    check ((status = 'failed') = (error is not null)),
    check ((progress_percent >= 100) = (status = 'completed'))
  ) with (fillfactor = 80);
  create index jobs_newest on jobs (created_at desc, job_id desc);
  create index jobs_by_status on jobs (status, created_at desc, job_id desc);
  create index jobs_by_video on jobs (video_id, created_at desc, job_id desc);
  create index jobs_by_template on jobs (template_video_id, created_at desc, job_id desc)
    where template_video_id is not null;
  create index jobs_waiting on jobs (priority desc, created_at, job_id) where status = 'queued';

  create table idempotency_keys (
    key text primary key,
    request_hash text not null,
    owner uuid not null,
    claimed_at timestamptz(3) not null,
    created_at timestamptz(3) not null,
    answer_status integer,
    answer_body json
  );
  create index idempotency_keys_oldest on idempotency_keys (created_at);

  create table workers (
    worker_id uuid primary key,
    host text not null,
    pid integer not null,
    concurrency integer not null,
    seen_at timestamptz(3) not null
  );

  create table webhook_deliveries (
    webhook_id uuid primary key,
    job_id uuid not null,
    event text not null,
    url text not null,
    body text not null,
    state text not null check (state in ('pending', 'delivered', 'failed')),
    tries integer not null default 0,
    created_at timestamptz(3) not null,
    next_attempt_at timestamptz(3),
    leased_until timestamptz(3),
    check ((state = 'pending') = (next_attempt_at is not null))
  );
  create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where state = 'pending';
  create index webhook_deliveries_by_job on webhook_deliveries (job_id, created_at);

  create table webhook_attempts (
    webhook_id uuid not null references webhook_deliveries on delete cascade,
    attempted_at timestamptz(3) not null,
    status_code integer,
    error text,
    duration_ms integer not null
  );
  create index webhook_attempts_by_delivery on webhook_attempts (webhook_id, attempted_at);

  create table webhook_secrets (
    secret text primary key,
    created_at timestamptz(3) not null default now()
  )
  `,
  // Retention of results, and counts of jobs, so that a list of 100,000 need not count them again.
  [
    `alter table jobs add expires_at timestamptz(3), add expired_at timestamptz(3)`,
    // The third of the table's unnamed checks.
    `alter table jobs drop constraint jobs_check2`,
    `alter table jobs add constraint jobs_published
       check ((status = 'completed') = (publication is not null or expired_at is not null))`,
    `create index jobs_expiring on jobs (expires_at) where expires_at is not null and expired_at is null`,
    `create index videos_expiring on videos (expires_at) where expires_at is not null and expired_at is null`,
    `create index videos_content on videos (sha256)`,
    // Each connection adds in its own slot, so that creations do not wait for each other's commit.
    `create table job_counts (
       status text not null,
       slot integer not null,
       jobs bigint not null,
       primary key (status, slot)
     ) with (fillfactor = 50)`,
    counting(
      'create',
      'count_new_jobs',
      `select status, pg_backend_pid() % 16, count(*) from changed group by status order by status`,
    ),
    counting(
      'create',
      'count_deleted_jobs',
      `select status, pg_backend_pid() % 16, -count(*) from changed group by status order by status`,
    ),
    counting(
      'create',
      'count_moved_job',
      `select status, pg_backend_pid() % 16, jobs
         from (values (old.status, -1), (new.status, 1)) as move (status, jobs) order by status`,
    ),
    `create trigger count_new after insert on jobs
       referencing new table as changed for each statement execute function count_new_jobs()`,
    `create trigger count_deleted after delete on jobs
       referencing old table as changed for each statement execute function count_deleted_jobs()`,
    `create trigger count_moved after update on jobs
       for each row when (old.status is distinct from new.status) execute function count_moved_job()`,
    `insert into job_counts select status, 0, count(*) from jobs group by status`,
  ],
  // Turns, so that the jobs of one client do not starve those of another.
  [
    `alter table jobs add client text not null default '', add turn bigint not null default 0`,
    `drop index jobs_waiting`,
    `create index jobs_waiting on jobs (priority desc, turn, created_at, job_id) where status = 'queued'`,
    `create index jobs_of_client on jobs (client, priority, turn) where status in ('queued', 'processing')`,
  ],
  // Settings that all processes on this database must agree on, and the database's id.
  `
  create table shared_settings (
    name text primary key,
    value text not null,
    decided_at timestamptz(3) not null default now()
  );
  insert into shared_settings (name, value) values ('database_id', gen_random_uuid()::text)
  `,
  // Previews on the queue of jobs, which lists and counts of jobs leave out.
  [
    `alter table jobs add product json`,
    `drop index jobs_newest`,
    `create index jobs_newest on jobs (created_at desc, job_id desc) where product is null`,
    `drop index jobs_by_status`,
    `create index jobs_by_status on jobs (status, created_at desc, job_id desc) where product is null`,
    `create index jobs_products on jobs (video_id, created_at desc) where product is not null`,
    `create index jobs_ended_products on jobs (completed_at) where product is not null`,
    `create function counted_status(status text, product json) returns text language sql immutable as
       $$ select case when product is null then status else 'product ' || status end $$`,
    counting(
      'create or replace',
      'count_new_jobs',
      `select counted_status(status, product), pg_backend_pid() % 16, count(*) from changed group by 1 order by 1`,
    ),
    counting(
      'create or replace',
      'count_deleted_jobs',
      `select counted_status(status, product), pg_backend_pid() % 16, -count(*) from changed group by 1 order by 1`,
    ),
    counting(
      'create or replace',
      'count_moved_job',
      `select counted_status(status, new.product), pg_backend_pid() % 16, jobs
         from (values (old.status, -1), (new.status, 1)) as move (status, jobs) order by 1`,
    ),
  ],
  // The preview frame during rendering.
  `alter table jobs add frame json`,
  // Columns for a page of jobs without a query of their videos, which may be deleted; and names to search
  // from an index alone.
  [
    `alter table jobs add source_filename text, add template_filename text, add preset text,
       add search text not null default ''`,
    `alter table videos add search text not null default ''`,
    `update videos set search = lower(filename)`,
    `update jobs set source_filename = videos.filename, search = videos.search
       from videos where videos.video_id = jobs.video_id`,
    `update jobs set template_filename = videos.filename, search = jobs.search || chr(10) || videos.search
       from videos where videos.video_id = jobs.template_video_id`,
    `drop index jobs_newest`,
    `create index jobs_newest on jobs (created_at desc, job_id desc) include (search) where product is null`,
    `drop index videos_newest`,
    `create index videos_newest on videos (created_at desc, video_id desc) include (search, content_type, expires_at)
       where expired_at is null`,
  ],
  // Parts of the stage of a running job, for every idle worker.
  `
  create table job_parts (
    job_id uuid not null references jobs (job_id) on delete cascade,
    plan text not null,
    part integer not null,
    tries integer not null default 0,
    holder uuid,
    held_until timestamptz,
    result json,
    primary key (job_id, part)
  );
  create index job_parts_open on job_parts (job_id, part) where result is null
  `,
  // Periodic tasks of one of all processes, with the time of the last begin.
  `
  create table maintenance (
    name text primary key,
    begun_at timestamptz(3) not null
  )
  `,
  // Resumable uploads, which continue at any process: the bytes received, and the current holder.
  `
  create table uploads (
    upload_id uuid primary key,
    length_bytes bigint not null,
    filename text not null,
    metadata text,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    offset_bytes bigint not null default 0,
    place json,
    ended json,
    holder uuid,
    held_until timestamptz(3)
  ) with (fillfactor = 70);
  create index uploads_expiring on uploads (expires_at);
  create index uploads_open on uploads (expires_at) where ended is null
  `,
  // Videos that are being fetched from an address. Another table, since an earlier version would treat them
  // as complete.
  `
  create table imports (
    video_id uuid primary key,
    url text not null,
    filename text not null,
    status text not null check (status in ('importing', 'failed')),
    error json,
    received_bytes bigint not null default 0,
    total_bytes bigint,
    tries integer not null default 0,
    created_at timestamptz(3) not null,
    next_attempt_at timestamptz(3) not null,
    ended_at timestamptz(3),
    holder uuid,
    held_until timestamptz(3),
    check ((status = 'failed') = (error is not null and ended_at is not null))
  ) with (fillfactor = 70);
  create index imports_due on imports (next_attempt_at) where status = 'importing'
  `,
  // The request and the trace of a job; reports of its end continue the same trace.
  `alter table jobs add origin json; alter table webhook_deliveries add trace json`,
  // The worker of a job, and whether a worker may get more jobs.
  `alter table jobs add worker_id uuid;
   alter table workers add draining boolean not null default false, add started_at timestamptz(3) not null default now()`,
  // Queries whose cost grew with the number of jobs in bench/load/million.ts. Lists and counts by video and
  // template, the oldest job's age, a worker's running jobs, whether a video is needed; and the number of
  // videos.
  [
    `drop index jobs_by_video`,
    `create index jobs_by_video on jobs (video_id, created_at desc, job_id desc) where product is null`,
    `drop index jobs_by_template`,
    `create index jobs_by_template on jobs (template_video_id, created_at desc, job_id desc)
       where template_video_id is not null and product is null`,
    `create index jobs_live_of_video on jobs (video_id) where status in ('queued', 'processing')`,
    `create index jobs_live_of_template on jobs (template_video_id)
       where status in ('queued', 'processing') and template_video_id is not null`,
    `create index jobs_oldest_queued on jobs (created_at) where status = 'queued'`,
    `create index jobs_processing on jobs (worker_id, started_at) where status = 'processing'`,
    `create index videos_images on videos (created_at desc, video_id desc)
       where expired_at is null and content_type like 'image/%'`,
    `create table video_counts (
       kind text not null,
       slot integer not null,
       videos bigint not null,
       primary key (kind, slot)
     ) with (fillfactor = 50)`,
    `create function video_kind(content_type text) returns text language sql immutable as
       $$ select case when content_type like 'image/%' then 'image' else 'video' end $$`,
    countingVideos('count_new_videos', '1'),
    countingVideos('count_deleted_videos', '-1'),
    `create function count_expired_video() returns trigger language plpgsql as $$
     begin
       insert into video_counts as known
         values (video_kind(new.content_type), pg_backend_pid() % 16, case when new.expired_at is null then 1 else -1 end)
         on conflict (kind, slot) do update set videos = known.videos + excluded.videos;
       return null;
     end $$`,
    `create trigger count_new after insert on videos
       referencing new table as changed for each statement execute function count_new_videos()`,
    `create trigger count_deleted after delete on videos
       referencing old table as changed for each statement execute function count_deleted_videos()`,
    `create trigger count_expired after update on videos
       for each row when ((old.expired_at is null) <> (new.expired_at is null)) execute function count_expired_video()`,
    `insert into video_counts select video_kind(content_type), 0, count(*) from videos where expired_at is null group by 1`,
  ],
  // The sender of a delivery, so that it can release leases of which it missed the confirmation.
  `alter table webhook_deliveries add holder uuid`,
  // The client of an upload or import: each client has a share of the slots.
  `alter table uploads add client text; alter table imports add client text`,
  // Edits from many takes: the request, and all videos of each, so that none is removed while a job needs it.
  // Also songs.
  [
    `alter table jobs add edit json`,
    `create table job_videos (
       job_id uuid not null references jobs (job_id) on delete cascade,
       role text not null check (role in ('take', 'music')),
       position integer not null,
       video_id uuid not null,
       primary key (job_id, role, position)
     )`,
    `create index job_videos_by_video on job_videos (video_id)`,
    `create index videos_audio on videos (created_at desc, video_id desc)
       where expired_at is null and content_type like 'audio/%'`,
    `create or replace function video_kind(content_type text) returns text language sql immutable as
       $$ select case when content_type like 'image/%' then 'image' when content_type like 'audio/%' then 'audio' else 'video' end $$`,
  ],
  // Animated pictures are videos. The old function stays for processes of the previous version.
  [
    `create function video_kind(content_type text, duration_seconds double precision) returns text language sql immutable as
       $$ select case when content_type like 'image/%' and duration_seconds = 0 then 'image' when content_type like 'audio/%' then 'audio' else 'video' end $$`,
    countingVideos('count_new_videos', '1', 'create or replace', 'content_type, duration_seconds'),
    countingVideos('count_deleted_videos', '-1', 'create or replace', 'content_type, duration_seconds'),
    `create or replace function count_expired_video() returns trigger language plpgsql as $$
     begin
       insert into video_counts as known
         values (video_kind(new.content_type, new.duration_seconds), pg_backend_pid() % 16, case when new.expired_at is null then 1 else -1 end)
         on conflict (kind, slot) do update set videos = known.videos + excluded.videos;
       return null;
     end $$`,
    `drop index videos_newest`,
    `create index videos_newest on videos (created_at desc, video_id desc) include (search, content_type, expires_at, duration_seconds)
       where expired_at is null`,
  ],
  // Saved styles, and the one of a job.
  STYLE_TABLES,
];
