/** Random requests of the clients of a soak test, over the whole interface. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as newId } from 'uuid';
import { call, type Reply, upload } from '../support/client.ts';
import type { Ledger } from './soak-ledger.ts';

export interface SoakPlace {
  readonly baseUrl: string;
  readonly clips: readonly string[];
  readonly webhookUrl: string;
  readonly random: () => number;
  readonly ledger: Ledger;
  readonly over: AbortSignal;
}

const MAX_VIDEOS = 24;
/** More would only wait. */
const MAX_OPEN_JOBS = 12;
const FORESEEN = [200, 201, 204, 404, 409, 410, 503];

/** Null when the service was down or exited during it. */
async function ask(place: SoakPlace, work: () => Promise<Reply>): Promise<Reply | null> {
  try {
    const reply = await work();
    if (!FORESEEN.includes(reply.status)) place.ledger.wrong.push(`answered ${JSON.stringify(reply.body)}`);
    return reply;
  } catch (error) {
    // Thrown by `fetch` for a broken connection, by undici for a broken body.
    if (error instanceof TypeError || (error as Error).name === 'SyntaxError') return null;
    place.ledger.wrong.push(String(error));
    return null;
  }
}

function pick<Item>(items: Iterable<Item>, random: () => number): Item | undefined {
  const all = [...items];
  return all[Math.floor(random() * all.length)];
}

async function sendVideo(place: SoakPlace): Promise<void> {
  const { ledger, random, baseUrl, clips } = place;
  if (ledger.videos.size >= MAX_VIDEOS) return removeVideo(place);
  const headers = { 'idempotency-key': newId() };
  for (let tries = 0; tries < 20; tries++) {
    const reply = await ask(place, () => upload(baseUrl, pick(clips, random)!, { headers }));
    if (reply?.status === 201) {
      ledger.videos.add(reply.body.data.video_id);
      return ledger.count('uploads');
    }
    await sleep(500);
  }
}

/** A sender that goes away in the middle. */
async function breakUpload({ baseUrl, clips, ledger }: SoakPlace): Promise<void> {
  const { hostname, port } = new URL(baseUrl);
  const bytes = readFileSync(clips[0]);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(
    `POST /api/v1/videos/upload HTTP/1.1\r\nhost: localhost\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: ${bytes.length + 500}\r\n\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\n\r\n`,
  );
  socket.write(bytes.subarray(0, bytes.length >> 1));
  await sleep(200);
  socket.destroy();
  ledger.count('uploads broken off');
}

/** Repeats the request under the same key until it is answered, as a careful client does. */
async function createJob(place: SoakPlace): Promise<void> {
  const { ledger, random, baseUrl, webhookUrl } = place;
  const open = [...ledger.jobs.values()].filter(({ end }) => end === null);
  if (open.length >= MAX_OPEN_JOBS) return;
  const video_id = pick(ledger.videos, random);
  if (video_id === undefined) return;
  const hasWebhook = random() < 0.8;
  const json = {
    video_id,
    ...(random() < 0.5 ? { template_video_id: pick(ledger.videos, random) } : {}),
    ...(hasWebhook ? { webhook_url: webhookUrl } : {}),
    config: { quality: pick(['low', 'medium'], random), priority: Math.floor(random() * 100) },
  };
  const headers = { 'idempotency-key': newId() };
  for (;;) {
    const reply = await ask(place, () => call(baseUrl, 'POST', '/api/v1/jobs', { json, headers }));
    if (reply?.status === 201) {
      ledger.created(reply.body.data.job_id, hasWebhook);
      return ledger.count('jobs');
    }
    if (reply?.status === 404 || reply?.status === 410) return;
    await sleep(500);
  }
}

async function lookAt(place: SoakPlace): Promise<void> {
  const { ledger, random, baseUrl } = place;
  const job = pick(
    [...ledger.jobs.values()].filter(({ isDeleted }) => !isDeleted),
    random,
  );
  if (job === undefined) return;
  const reply = await ask(place, () => call(baseUrl, 'GET', `/api/v1/jobs/${job.jobId}`));
  if (reply?.status === 200) ledger.saw(job.jobId, reply.body.data.status);
  if (reply?.status === 404 && !job.isDeleted) ledger.wrong.push(`job ${job.jobId} is lost`);
}

async function cancel(place: SoakPlace): Promise<void> {
  const { ledger, random, baseUrl } = place;
  const job = pick(
    [...ledger.jobs.values()].filter(({ end }) => end === null),
    random,
  );
  if (job === undefined) return;
  const reply = await ask(place, () => call(baseUrl, 'POST', `/api/v1/jobs/${job.jobId}/cancel`));
  if (reply?.status !== 200) return;
  ledger.saw(job.jobId, 'cancelled');
  ledger.count('cancels');
}

/** Of a job that ended badly: a new one. A lost answer leaves a job that nobody knows; the audit finds it. */
async function retry(place: SoakPlace): Promise<void> {
  const { ledger, random, baseUrl } = place;
  const bad = [...ledger.jobs.values()].filter(({ end, isDeleted }) => !isDeleted && end === 'cancelled');
  const job = pick(bad, random);
  if (job === undefined) return;
  const reply = await ask(place, () => call(baseUrl, 'POST', `/api/v1/jobs/${job.jobId}/retry`));
  if (reply?.status !== 201) return;
  ledger.created(reply.body.data.job_id, job.hasWebhook);
  ledger.count('retries');
}

async function remove(place: SoakPlace): Promise<void> {
  const { ledger, random, baseUrl } = place;
  const ended = [...ledger.jobs.values()].filter(({ end, isDeleted }) => end !== null && !isDeleted);
  const job = pick(ended, random);
  if (job === undefined) return;
  // From now on it may be gone, with any answer.
  job.isDeleted = true;
  const reply = await ask(place, () => call(baseUrl, 'DELETE', `/api/v1/jobs/${job.jobId}`));
  if (reply?.status === 200) ledger.count('deletes');
}

async function removeVideo(place: SoakPlace): Promise<void> {
  const { ledger, random, baseUrl } = place;
  const videoId = pick(ledger.videos, random);
  if (videoId === undefined) return;
  ledger.videos.delete(videoId);
  ledger.removing.add(videoId);
  const reply = await ask(place, () => call(baseUrl, 'DELETE', `/api/v1/videos/${videoId}`));
  if (reply?.status === 200) ledger.count('videos deleted');
}

/** Each with its share. */
const DEEDS: readonly (readonly [number, (place: SoakPlace) => Promise<void>])[] = [
  [0.35, createJob],
  [0.25, lookAt],
  [0.1, sendVideo],
  [0.05, breakUpload],
  [0.08, cancel],
  [0.05, retry],
  [0.1, remove],
  [0.02, removeVideo],
];

/** One client, until the soak is over. */
export async function beClient(place: SoakPlace): Promise<void> {
  while (!place.over.aborted) {
    let left = place.random();
    for (const [share, deed] of DEEDS) {
      left -= share;
      if (left > 0) continue;
      await deed(place);
      break;
    }
    await sleep(100 + 400 * place.random());
  }
}
