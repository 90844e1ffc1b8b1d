/**
 * A stress test of a fleet: two API nodes behind nginx and three workers on PostgreSQL and an S3 store. First the tests of the interface
 * through nginx, then jobs and resumable uploads, while
 * nodes are killed at random, the database and the store are away for 20 s now and then, and answers to COMMIT are lost.
 * `node test/faults/fleet-soak.ts --minutes 20 --jobs 200 --uploads 50 --seed 1`; needs nginx and the `TEST_S3_…` variables.
 * Ends with 1 when anything was lost, doubled, failed without cause or left behind.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import type pg from 'pg';
import { v7 as newId } from 'uuid';
import { seededRandom } from '../../src/signal/seeded-random.ts';
import { newS3Client } from '../../src/storage/s3-client.ts';
import { call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { startCommitProxy } from '../support/commit-proxy.ts';
import { openPool, startPostgres } from '../support/postgres.ts';
import { FROM_OPEN_ENTRIES } from '../support/queue-entries.ts';
import { openReceiver } from '../support/receiver.ts';
import { newBucket, s3Environment } from '../support/s3.ts';
import { type Service, startService, startWorker } from '../support/service.ts';
import { NGINX, PEOPLE, startSignInProxy } from '../support/sign-in-proxy.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { runSpecificationTests } from './fleet-specification.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    jobs: { type: 'string', default: '200' },
    uploads: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
  },
});
const [MINUTES, JOBS, UPLOADS] = [values.minutes, values.jobs, values.uploads].map(Number) as [
  number,
  number,
  number,
];
const AWAY_MS = 20_000;
const CLIENTS = 4;
const TUS = { 'tus-resumable': '1.0.0', ...PEOPLE };
/** Failures that a client retries: the node exited, the database or the store is unavailable, another client holds the resource. */
const AGAIN = [409, 423, 502, 503, 504, 507];

const random = seededRandom(Number(values.seed));
const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)];
const wrong: string[] = [];
const counts = new Map<string, number>();
const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
const say = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);

/** Repeats the request until the answer is no temporary failure. */
async function persistently<T>(what: string, ask: () => Promise<T | 'again'>): Promise<T> {
  for (let tries = 0; tries < 600; tries++) {
    try {
      const answer = await ask();
      if (answer !== 'again') return answer;
    } catch (error) {
      // Thrown by `fetch` for a broken connection, by undici for a broken body.
      if (!(error instanceof TypeError) && (error as Error).name !== 'SyntaxError') throw error;
    }
    count('requests tried again');
    await sleep(300 + 700 * random());
  }
  throw new Error(`no answer: ${what}`);
}

/** Sends a file in pieces of random length, each from the offset that the service reports; resolves with the video's id. `begun` gets its path. */
async function sendInPieces(url: string, bytes: Buffer<ArrayBuffer>, started: Set<string>): Promise<string> {
  const path = await persistently('begin an upload', async () => {
    const answer = await fetch(`${url}/api/v1/uploads`, {
      method: 'POST',
      headers: { ...TUS, 'upload-length': String(bytes.length) },
    });
    if (AGAIN.includes(answer.status)) return 'again';
    if (answer.status !== 201)
      throw new Error(`an upload was answered ${answer.status}: ${await answer.text()}`);
    return new URL(answer.headers.get('location')!, url).pathname;
  });
  started.add(path);
  return persistently('send a piece', async () => {
    const head = await fetch(url + path, { method: 'HEAD', headers: TUS });
    if (AGAIN.includes(head.status)) return 'again';
    if (head.status !== 200) throw new Error(`an acknowledged upload was answered ${head.status}`);
    const from = Number(head.headers.get('upload-offset'));
    const to = Math.min(bytes.length, from + 200_000 + Math.floor(random() * 4_000_000));
    const answer = await fetch(url + path, {
      method: 'PATCH',
      body: bytes.subarray(from, to),
      headers: { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(from) },
    });
    if (answer.status !== 204 && !AGAIN.includes(answer.status))
      throw new Error(`a piece was answered ${answer.status}: ${await answer.text()}`);
    return answer.headers.get('x-video-id') ?? 'again';
  });
}

/** One job under one key; resolves with its id. */
function createJob(url: string, videoId: string, webhookUrl: string): Promise<string> {
  const headers = { ...PEOPLE, 'idempotency-key': newId() };
  const json = { video_id: videoId, webhook_url: webhookUrl, config: { quality: 'low' } };
  return persistently('create a job', async () => {
    const { status, body } = await call(url, 'POST', '/api/v1/jobs', { json, headers });
    if (status !== 201 && !AGAIN.includes(status))
      throw new Error(`a job was answered ${JSON.stringify(body)}`);
    return status === 201 ? (body.data.job_id as string) : 'again';
  });
}

const troubles = {
  async 'node killed'(nodes: readonly Service[]) {
    const node = pick(nodes);
    await node.kill();
    await sleep(1_000 * random());
    await node.restart();
  },
  async 'node drained'(nodes: readonly Service[]) {
    const node = pick(nodes);
    const code = await node.stop();
    if (code !== 0) wrong.push(`SIGTERM ended a node with ${code}`);
    await node.restart();
  },
};

interface Made {
  readonly jobs: readonly string[];
  readonly videos: readonly string[];
}

/** State before the stress test, after all earlier work has ended. */
async function endedJobs(pool: pg.Pool): Promise<Made> {
  for (;;) {
    const { rows } = await pool.query(
      `select count(*)::int as open from jobs where status in ('queued', 'processing')`,
    );
    if (rows[0].open === 0) break;
    await sleep(500);
  }
  const ids = async (sql: string) => (await pool.query<{ id: string }>(sql)).rows.map(({ id }) => id);
  return {
    jobs: await ids('select job_id::text as id from jobs'),
    videos: await ids('select video_id::text as id from videos'),
  };
}

/** Rows and files that must not be there when all is done. */
async function audit(pool: pg.Pool, jobIds: ReadonlySet<string>, earlier: Made): Promise<void> {
  const rows: Readonly<Record<string, string>> = {
    'entries in the queue': `select count(*) ${FROM_OPEN_ENTRIES}`,
    'parts of jobs': 'select count(*) from job_parts',
    'webhooks that wait': `select count(*) from webhook_deliveries where state = 'pending'`,
    'keys without an answer': 'select count(*) from idempotency_keys where answer_status is null',
  };
  for (const [what, sql] of Object.entries(rows)) {
    const found = Number((await pool.query<{ count: string }>(sql)).rows[0].count);
    if (found !== 0) wrong.push(`${found} ${what}`);
  }
  const { rows: jobs } = await pool.query<{ job_id: string }>(
    'select job_id::text from jobs where job_id <> all($1)',
    [earlier.jobs],
  );
  for (const { job_id } of jobs)
    if (!jobIds.has(job_id)) wrong.push(`job ${job_id} is known to nobody: doubled`);
  for (const id of jobIds) if (!jobs.some(({ job_id }) => job_id === id)) wrong.push(`job ${id} is lost`);
}

/**
 * Number of unfinished empty uploads that no client knows: the node exited, or the connection broke, before it reported
 * that the upload was begun, and the client began another. They expire. Any other one is wrong.
 */
async function auditUploads(pool: pg.Pool, paths: ReadonlySet<string>): Promise<number> {
  const { rows } = await pool.query<{ id: string; offset_bytes: number }>(
    'select upload_id::text as id, offset_bytes::float8 from uploads where ended is null',
  );
  const isUntold = (id: string) => ![...paths].some((path) => path.endsWith(id));
  for (const { id, offset_bytes } of rows)
    if (!isUntold(id) || offset_bytes > 0) wrong.push(`upload ${id} has not ended, at ${offset_bytes} bytes`);
  return rows.filter(({ id }) => isUntold(id)).length;
}

/** Objects of finished jobs and videos are the only ones; leftovers of a crash may stay for an hour, so they are counted only. */
async function auditStore(
  settings: Parameters<typeof newS3Client>[0],
  owners: ReadonlySet<string>,
): Promise<number> {
  const client = newS3Client(settings);
  let strays = 0;
  for (let token: string | undefined; ; ) {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: settings.bucket, ContinuationToken: token }),
    );
    for (const { Key: key = '' } of page.Contents ?? []) {
      const owned = key.split(/[/.]/).some((part) => owners.has(part));
      if (!owned && /^(videos|jobs)\//.test(key)) strays++;
    }
    token = page.NextContinuationToken;
    if (token === undefined) break;
  }
  const open = await client.send(new ListMultipartUploadsCommand({ Bucket: settings.bucket }));
  client.destroy();
  return strays + (open.Uploads?.length ?? 0);
}

async function siege(): Promise<Record<string, unknown>> {
  const folder = temporaryFolder();
  const clip = readFileSync(await makeClip(folder, { name: 'clip', durationSeconds: 1.5 }));
  const clips = Array.from({ length: UPLOADS }, () => {
    // A box of nothing behind the clip (ISO/IEC 14496-12, "free"): uploads of several parts, each of its own content.
    const free = randomBytes(1_000_000 + Math.floor(random() * 15_000_000));
    free.writeUInt32BE(free.length, 0);
    free.write('free', 4, 'latin1');
    return Buffer.concat([clip, free]);
  });
  await using server = await startPostgres();
  await using database = await startCommitProxy(server.url);
  const bucket = await newBucket();
  await using store = await startTcpProxy(bucket.endpoint!);
  const reported = new Map<string, Set<string>>();
  await using hook = await openReceiver((response, { webhookId, body }) => {
    const jobId = String(body.data.job_id);
    reported.set(jobId, (reported.get(jobId) ?? new Set()).add(webhookId));
    response.writeHead(204).end();
  });
  const environment = {
    DATABASE_URL: database.url,
    ...s3Environment({ ...bucket, endpoint: store.url }),
    ...{
      PUBLIC_BASE_URL: 'http://styledna.test',
      WEBHOOK_SECRETS: `whsec_${randomBytes(32).toString('base64')}`,
    },
    ...{ DRAIN_SECONDS: '5', DISK_RESERVE_BYTES: '0', TRUST_PROXY: '1', MAX_OPEN_UPLOADS: '1000' },
  };
  const own = () => mkdtempSync(join(tmpdir(), 'styledna-fleet-'));
  await using stack = new AsyncDisposableStack();
  const apis: Service[] = [];
  for (let node = 0; node < 2; node++)
    apis.push(stack.use(await startService({ ...environment, ROLE: 'api' }, own())));
  const workers: Service[] = [];
  for (let node = 0; node < 3; node++) workers.push(stack.use(await startWorker(environment, own())));
  const nodes = [...apis, ...workers];
  await using proxy = await startSignInProxy(
    NGINX,
    apis.map(({ baseUrl }) => baseUrl),
  );
  say('all nodes run');
  const specification = await runSpecificationTests(proxy.url);
  if (specification.failed !== 0 || !(specification.passed > 0))
    wrong.push('tests of the specification failed');
  say(`specification: ${JSON.stringify(specification)}`);
  const pool = openPool(server.url);
  const earlier = await endedJobs(pool);
  const { rowCount: openBefore } = await pool.query('delete from uploads where ended is null');
  say(`uploads that the specification's tests left open, and are removed: ${openBefore}`);

  const over = new AbortController();
  const besiege = async () => {
    let nextStoreMs = performance.now() + 45_000;
    let nextDatabaseMs = performance.now() + 90_000;
    while (!over.signal.aborted) {
      await sleep(4_000 + 8_000 * random(), undefined, { signal: over.signal }).catch(() => {});
      if (over.signal.aborted) return;
      using _lost = database.arm(
        /^(insert into|update) (jobs|uploads|job_parts|webhook_deliveries)/i,
        1,
        'lost',
      );
      count('COMMIT armed to be lost');
      if (performance.now() > nextStoreMs) {
        store.cut(random() < 0.5 ? 'closed' : 'silent');
        count('store away for 20 s');
        await sleep(AWAY_MS);
        store.mend();
        nextStoreMs = performance.now() + 120_000;
      } else if (performance.now() > nextDatabaseMs) {
        using away = database.arm(/./, 1, { awayMs: AWAY_MS });
        count('database away for 20 s');
        while (away.met === 0) await sleep(100);
        await sleep(AWAY_MS);
        nextDatabaseMs = performance.now() + 120_000;
      } else {
        const what = random() < 0.75 ? 'node killed' : 'node drained';
        await troubles[what](nodes);
        count(what);
      }
    }
  };
  const besieging = besiege();

  const videos: string[] = [];
  const jobIds = new Set<string>();
  const begunUploads = new Set<string>();
  const startedMs = performance.now();
  const paceMs = (MINUTES * 60_000) / Math.max(UPLOADS, JOBS / 4);
  let [nextUpload, nextJob] = [0, 0];
  const client = async () => {
    while (nextUpload < UPLOADS || nextJob < JOBS) {
      const due = (performance.now() - startedMs) / paceMs;
      if (nextUpload < UPLOADS && nextUpload <= due) {
        const bytes = clips[nextUpload++];
        const videoId = await sendInPieces(proxy.url, bytes, begunUploads);
        videos.push(videoId);
        const { body } = await persistently('read a video', async () => {
          const reply = await call(proxy.url, 'GET', `/api/v1/videos/${videoId}`, { headers: PEOPLE });
          return AGAIN.includes(reply.status) ? 'again' : reply;
        });
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        if (body.data?.sha256 !== sha256) wrong.push(`video ${videoId} is not what was sent`);
        count('uploads');
      } else if (nextJob < JOBS && videos.length > 0 && nextJob <= due * 4) {
        nextJob++;
        jobIds.add(await createJob(proxy.url, pick(videos), hook.url));
        count('jobs');
      } else await sleep(200);
    }
  };
  const progress = setInterval(() => say(JSON.stringify(Object.fromEntries(counts))), 60_000);
  await Promise.all(Array.from({ length: CLIENTS }, client));
  over.abort();
  await besieging;
  clearInterval(progress);
  say('waiting for the last jobs');
  const deadlineMs = performance.now() + 10 * 60_000;
  for (;;) {
    const { rows } = await pool.query(
      `select count(*)::int as open from jobs where status in ('queued', 'processing')`,
    );
    if (rows[0].open === 0 || performance.now() > deadlineMs) break;
    await sleep(1_000);
  }
  const toldMs = performance.now() + 2 * 60_000;
  while ([...jobIds].some((id) => !reported.has(id)) && performance.now() < toldMs) await sleep(500);
  const { rows: failed } = await pool.query(
    `select job_id, status, error from jobs where status <> 'completed' and job_id <> all($1)`,
    [earlier.jobs],
  );
  for (const { job_id, status, error } of failed)
    wrong.push(`job ${job_id} ${status}: ${JSON.stringify(error)}`);
  for (const id of jobIds) {
    const ids = reported.get(id);
    if (ids === undefined) wrong.push(`the end of ${id} was never told`);
    else if (ids.size > 1) wrong.push(`job ${id} was told under ${ids.size} ids`);
  }
  for (const id of jobIds) {
    const output = await fetch(`${proxy.url}/api/v1/jobs/${id}/output`, { headers: PEOPLE });
    const bytes = Buffer.from(await output.arrayBuffer());
    const { rows } = await pool.query(
      `select publication -> 'output' ->> 'sha256' as sha256 from jobs where job_id = $1`,
      [id],
    );
    if (createHash('sha256').update(bytes).digest('hex') !== rows[0]?.sha256)
      wrong.push(`the output of ${id} is not there whole`);
  }
  await audit(pool, jobIds, earlier);
  const untoldUploads = await auditUploads(pool, begunUploads);
  const owners = new Set([...jobIds, ...videos, ...earlier.jobs, ...earlier.videos]);
  const strays = await auditStore(bucket, owners);
  const { rows: attempts } = await pool.query(
    'select attempt, count(*)::int from jobs where job_id <> all($1) group by 1 order by 1',
    [earlier.jobs],
  );
  await pool.end();
  for (const node of nodes) {
    const code = await node.stop();
    if (code !== 0) wrong.push(`SIGTERM ended a node with ${code}`);
    rmSync(node.dataDir, { recursive: true, force: true });
  }
  const bugs = nodes.flatMap(({ log }) => log.filter((line) => Number(line['level']) >= 50));
  return {
    minutes: Math.round((performance.now() - startedMs) / 6_000) / 10,
    seed: Number(values.seed),
    specification,
    deeds: Object.fromEntries(counts),
    jobs: jobIds.size,
    attempts: Object.fromEntries(attempts.map(({ attempt, count: jobs }) => [attempt, jobs])),
    objectsThatSweepsRemoveLater: strays,
    uploadsThatNobodyWasToldOf: untoldUploads,
    bugsLogged: bugs.map(({ msg, err }) => ({ msg, err })),
    wrong,
  };
}

const result = await siege();
console.log(JSON.stringify(result, null, 2));
process.exitCode = wrong.length === 0 ? 0 : 1;
