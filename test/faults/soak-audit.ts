/** Invariants after a soak test. Each check names violations. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { openPglite } from '../../src/database/pglite.ts';
import { openFileStore } from '../../src/storage/file-store.ts';
import { Retention } from '../../src/videos/retention.ts';
import { call } from '../support/client.ts';
import { FROM_OPEN_ENTRIES } from '../support/queue-entries.ts';
import type { Ledger } from './soak-ledger.ts';

const ENDED_MS = 10 * 60_000;
const REPORT_DEADLINE_MS = 60_000;

interface Listed {
  readonly job_id: string;
  readonly status: string;
}

export async function allJobs(baseUrl: string): Promise<Listed[]> {
  const jobs: Listed[] = [];
  for (let page = 1; ; page++) {
    const { data } = (await call(baseUrl, 'GET', `/api/v1/jobs?page_size=100&page=${page}`)).body;
    jobs.push(...data.jobs);
    if (page * 100 >= data.total) return jobs;
  }
}

/** Waits until all jobs are terminal. */
export async function allEnded(baseUrl: string, ledger: Ledger): Promise<void> {
  const deadlineMs = performance.now() + ENDED_MS;
  for (;;) {
    const jobs = await allJobs(baseUrl);
    const open = jobs.filter(({ status }) => status === 'queued' || status === 'processing');
    if (open.length === 0) {
      const listed = new Set(jobs.map(({ job_id }) => job_id));
      for (const { job_id, status } of jobs) ledger.saw(job_id, status);
      for (const { jobId, isDeleted } of ledger.jobs.values())
        if (!isDeleted && !listed.has(jobId)) ledger.wrong.push(`job ${jobId} is lost`);
      return;
    }
    if (performance.now() > deadlineMs) {
      ledger.wrong.push(
        `not terminal: ${open.map(({ job_id, status }) => `${job_id} ${status}`).join(', ')}`,
      );
      return;
    }
    await sleep(1_000);
  }
}

/** Every end was reported: webhooks whose next attempt is in hours are sent again now, as an operator would. */
export async function allTold(baseUrl: string, ledger: Ledger): Promise<void> {
  const owed = () =>
    [...ledger.jobs.values()].filter(({ jobId, hasWebhook }) => hasWebhook && !ledger.accepted.has(jobId));
  for (const { jobId, isDeleted } of owed()) {
    if (isDeleted) continue;
    const { webhooks } = (await call(baseUrl, 'GET', `/api/v1/jobs/${jobId}/webhooks`)).body.data;
    for (const { webhook_id } of webhooks) {
      await call(baseUrl, 'POST', `/api/v1/jobs/${jobId}/webhooks/${webhook_id}/redeliver`);
      ledger.count('webhooks asked for again');
    }
  }
  const deadlineMs = performance.now() + REPORT_DEADLINE_MS;
  while (owed().length > 0 && performance.now() < deadlineMs) await sleep(250);
  for (const { jobId, end } of owed()) ledger.wrong.push(`the end of ${jobId} (${end}) was never told`);
  for (const [jobId, deliveries] of ledger.accepted) {
    const ids = new Set(deliveries.map(({ webhookId }) => webhookId));
    if (ids.size > 1) ledger.wrong.push(`job ${jobId} was told under ${ids.size} ids`);
    if (new Set(deliveries.map(({ text }) => text)).size > 1)
      ledger.wrong.push(`job ${jobId}: bodies differ`);
    const job = ledger.jobs.get(jobId);
    if (job !== undefined && !job.hasWebhook) ledger.wrong.push(`job ${jobId} asked for no webhook`);
  }
}

/** The rows and files of a service that has stopped. `knownUploads`: nothing else may be left of uploads. */
export async function assertClean(dataDir: string, ledger: Ledger): Promise<{ readonly sweptFiles: number }> {
  await using database = closing(await openPglite(join(dataDir, 'database')));
  const { query } = database;
  const logger = pino({ level: 'silent' });
  const blobs = await openFileStore(join(dataDir, 'blobs'));
  for (const [what, sql] of Object.entries(ROWS)) {
    const [row] = await query<{ number: number }>(sql);
    if (row!.number !== 0) ledger.wrong.push(`${row!.number} ${what}`);
  }
  const all = async () =>
    (
      await Promise.all(['videos/', 'jobs/', 'results/'].map((root) => Array.fromAsync(blobs.list(root))))
    ).flat();
  const before = (await all()).length;
  // Files without a row after a crash may stay for an hour.
  const clock = () => new Date(Date.now() + 2 * 3_600_000);
  await new Retention({ database, blobs, logger, clock }).sweepOrphans();
  const left = await all();
  const orphans = await withoutOwner(left, query);
  if (orphans.length > 0) ledger.wrong.push(`files without an owner: ${orphans.join(', ')}`);
  for (const folder of ['work', 'blobs/.incoming', 'uploads']) {
    const place = join(dataDir, folder);
    const names = existsSync(place) ? readdirSync(place) : [];
    if (names.length > 0) ledger.wrong.push(`left in ${folder}: ${names.join(', ')}`);
  }
  return { sweptFiles: before - left.length };
}

type Query = Awaited<ReturnType<typeof openPglite>>['query'];

function closing(database: Awaited<ReturnType<typeof openPglite>>) {
  return { ...database, [Symbol.asyncDispose]: () => database.close() };
}

/** Each must find none. */
const ROWS: Readonly<Record<string, string>> = {
  'jobs that are not terminal': `select count(*) as number from jobs where status in ('queued', 'processing')`,
  'queue entries of ended jobs': `select count(*) as number ${FROM_OPEN_ENTRIES}`,
  'webhooks that wait': `select count(*) as number from webhook_deliveries
    join jobs using (job_id) where state = 'pending'`,
  'idempotency keys without an answer': `select count(*) as number from idempotency_keys where answer_status is null`,
  'workers of a stopped service': 'select count(*) as number from workers',
  'counts that are not true': `select count(*) as number from (
    select status from (
      select status, count(*) as jobs from jobs group by status
      union all select status, -sum(jobs) from job_counts group by status
    ) as both_sides group by status having sum(jobs) <> 0) as wrong`,
};

async function withoutOwner(keys: readonly string[], query: Query): Promise<string[]> {
  const ids = async (sql: string) => new Set((await query<{ id: string }>(sql)).map(({ id }) => id));
  const owners = new Set([
    ...(await ids('select video_id::text as id from videos where expired_at is null')),
    ...(await ids(`select job_id::text as id from jobs where status = 'completed'`)),
    ...(await ids('select sha256 as id from videos where expired_at is null')),
  ]);
  return keys.filter((key) => !key.split(/[/.]/).some((part) => owners.has(part)));
}
