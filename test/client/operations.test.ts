/** The client against the real service: a whole job, and every operation of the interface at least once. */
import assert from 'node:assert/strict';
import { openAsBlob } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { isStyleDnaError, type Job, StyleDnaClient, verifyWebhook } from '../../src/client/client.ts';
import { OPERATIONS } from '../../src/http/contract/operations.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { waitFor } from '../support/processes.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { type Service, startService } from '../support/service.ts';

/** `METHOD /path` of every request that was sent. */
const sent = new Set<string>();
const watched: typeof fetch = (input, init) => {
  sent.add(`${init?.method ?? 'GET'} ${new URL(String(input)).pathname}`);
  return fetch(input, init);
};

const TOKEN = 'a-token-of-at-least-24-characters';
const NOBODY = '019aa3f2-4c1e-7d0a-9b51-0c6f6f1f2e11';
const CAPTIONS = 'WEBVTT\n\n00:00.100 --> 00:00.900\nHello there\n';

describe('the client', { concurrency: 1 }, () => {
  let service: Service;
  let hook: Receiver;
  let client: StyleDnaClient;
  let videoId: string;
  let jobId: string;
  let clip: Blob;
  before(async () => {
    service = await startService({ ADMIN_TOKEN: TOKEN });
    hook = await openReceiver();
    client = new StyleDnaClient({ baseUrl: `${service.baseUrl}/`, fetch: watched });
    clip = await openAsBlob(await makeClip(temporaryFolder(), { name: 'clip', durationSeconds: 0.8 }));
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await hook[Symbol.asyncDispose]();
  });

  test('uploads in one request', async () => {
    const idempotencyKey = 'one-and-the-same';
    const first = await client.uploadVideo(clip, { filename: 'Ferien – 1.mp4', idempotencyKey });
    const second = await client.uploadVideo(clip, { filename: 'Ferien – 1.mp4', idempotencyKey });
    assert.deepEqual(second, first);
    assert.equal(first.filename, 'Ferien – 1.mp4');
    videoId = first.video_id;
    assert.deepEqual(await client.getVideo(videoId), first);
    const { videos, total } = await client.listVideos({ page_size: 1 });
    assert.deepEqual([videos, total], [[first], 1]);
  });

  test('shows a video', async () => {
    assert.deepEqual(await (await client.getVideoFile(videoId)).arrayBuffer(), await clip.arrayBuffer());
    for (const answer of [await client.getVideoPoster(videoId), await client.getVideoFilmstrip(videoId)])
      assert.equal(answer.headers.get('content-type'), 'image/jpeg');
    assert.equal((await fetch(client.videoPosterUrl(videoId))).status, 200);
  });

  test('lets the service fetch a file', async () => {
    const seen: string[] = [];
    const url = client.videoFileUrl(videoId);
    const video = await client.waitForImport(
      { url, filename: 'fetched.mp4' },
      { onUpdate: ({ status }) => seen.push(status) },
    );
    const { sha256 } = await client.getVideo(videoId);
    assert.deepEqual([video.status, video.filename, video.sha256], ['ready', 'fetched.mp4', sha256]);
    assert.equal(seen[0], 'importing');
    const nothing = await client.importVideo({ url: `${url}/nothing` });
    await assert.rejects(
      client.waitForImport({ url: `${url}/nothing` }),
      (error) => isStyleDnaError(error, 'IMPORT_FAILED') && /answered 404/.test(error.detail),
    );
    for (const id of [nothing.video_id, video.video_id]) await client.deleteVideo(id);
  });

  test('uploads piece by piece', async () => {
    const bytes = new Uint8Array(await clip.arrayBuffer());
    const upload = await client.createUpload(bytes.length, 'pieces.mp4');
    const half = bytes.length >> 1;
    assert.equal(await client.appendUpload(upload.upload_id, new Blob([bytes.subarray(0, half)]), 0), half);
    assert.equal((await client.getUpload(upload.upload_id)).offset_bytes, half);
    await client.deleteUpload(upload.upload_id);
    await assert.rejects(client.getUpload(upload.upload_id), (error) =>
      isStyleDnaError(error, 'UPLOAD_NOT_FOUND', 'UPLOAD_EXPIRED'),
    );
  });

  test('fetches the file and its pictures', async () => {
    const file = await client.getVideoFile(videoId, { range: 'bytes=0-99' });
    assert.deepEqual([file.status, (await file.blob()).size], [206, 100]);
    for (const picture of [await client.getVideoPoster(videoId), await client.getVideoFilmstrip(videoId)])
      assert.equal(picture.headers.get('content-type'), 'image/jpeg');
    for (const url of [client.videoPosterUrl, client.videoFilmstripUrl, client.videoFileUrl])
      assert.equal((await fetch(url.call(client, videoId), { method: 'HEAD' })).status, 200);
  });

  test('gives captions and takes them back', async () => {
    assert.equal((await client.putCaptions(videoId, CAPTIONS)).cue_count, 1);
    assert.equal(await (await client.getCaptions(videoId)).text(), CAPTIONS);
    assert.equal((await client.deleteCaptions(videoId)).deleted, true);
  });

  test('waits for an analysis and fetches its report', async () => {
    await assert.rejects(client.getAnalysis(videoId), (error) =>
      isStyleDnaError(error, 'ANALYSIS_NOT_FOUND'),
    );
    const states: string[] = [];
    const analysis = await client.waitForAnalysis(videoId, { onUpdate: ({ status }) => states.push(status) });
    assert.equal(analysis.style_json?.aspect_ratio, '16:9');
    assert.equal(states.at(-1), 'completed');
    assert.match(await (await client.getAnalysisReport(videoId)).text(), /^<!doctype html>/);
  });

  test('waits for a proxy and fetches it', async () => {
    await assert.rejects(client.getProxy(videoId), (error) => isStyleDnaError(error, 'PROXY_NOT_FOUND'));
    const proxy = await client.waitForProxy(videoId);
    assert.deepEqual([proxy.kind, proxy.file_url], ['video', client.proxyFileUrl(videoId)]);
    const part = await client.getProxyFile(videoId, { range: 'bytes=0-99' });
    assert.deepEqual([part.status, part.headers.get('content-type')], [206, 'video/mp4']);
    assert.equal((await client.deleteProxy(videoId)).deleted, true);
  });

  test('previews a preset', async () => {
    const { presets } = await client.listPresets();
    const [{ preset_id: preset }] = presets as [(typeof presets)[0]];
    const picture = await client.getPresetPicture(preset);
    assert.equal(picture.headers.get('content-type'), 'image/jpeg');
    assert.equal((await fetch(client.presetPictureUrl(preset))).status, 200);
    const clip = await client.getPresetClip(preset, { range: 'bytes=4-7' });
    assert.equal(await clip.text(), 'ftyp');
    assert.equal((await fetch(client.presetClipUrl(preset))).status, 200);
    const preview = await client.waitForPreview({ video_id: videoId, preset: 'noir' });
    assert.ok(preview.picture!.moments.length > 0);
    const drawn = new Uint8Array(await (await client.getPreviewFile(preview.preview_id)).arrayBuffer());
    assert.deepEqual([...drawn.subarray(0, 3)], [0xff, 0xd8, 0xff]);
    assert.equal((await fetch(client.previewFileUrl(preview.preview_id))).status, 200);
    assert.equal((await client.getPreview(preview.preview_id)).status, 'completed');
    assert.equal((await client.deletePreview(preview.preview_id)).deleted, true);
  });

  test('saves a style, uses it, and has its files', async () => {
    const states: number[] = [];
    const saved = await client.waitForStyle(
      { name: 'Ours', video_ids: [videoId] },
      { onUpdate: ({ progress_percent }) => states.push(progress_percent) },
    );
    assert.equal((await client.listStyles({ q: 'our' })).styles[0].style_id, saved.style_id);
    assert.equal((await client.renameStyle(saved.style_id, { name: 'Theirs' })).name, 'Theirs');
    const picture = await client.getStylePicture(saved.style_id);
    assert.equal(picture.headers.get('content-type'), 'image/jpeg');
    const file = await (await client.getStyleFile(saved.style_id)).json();
    assert.deepEqual(file, { ...saved.style_json, name: 'Theirs' });
    for (const url of [client.stylePictureUrl, client.styleFileUrl])
      assert.equal((await fetch(url.call(client, saved.style_id))).status, 200);
    const job = await client.createJob({ video_id: videoId, style_id: saved.style_id });
    await client.cancelJob(job.job_id);
    assert.equal((await client.getStyle(saved.style_id)).use_count, 1);
    await client.deleteJob(job.job_id);
    const again = await client.createStyle({ name: 'Again', style_json: saved.style_json });
    assert.equal(again.status, 'ready');
    assert.equal((await client.deleteStyle(saved.style_id)).deleted, true);
  });

  test('creates a job, follows it, and has its files', async () => {
    const created = await client.createJob(
      { video_id: videoId, preset: 'noir', config: { quality: 'low' }, webhook_url: hook.url },
      { strict: true },
    );
    jobId = created.job_id;
    await assert.rejects(client.getJobResult(jobId), (error) => {
      assert.ok(isStyleDnaError(error, 'JOB_NOT_COMPLETED'));
      assert.deepEqual([error.status, error.retryable, error.retryAfterSeconds], [409, true, 5]);
      assert.equal(error.job?.job_id, jobId);
      return true;
    });
    const jobs: Job[] = [];
    const result = await client.waitForJob(jobId, { onUpdate: (job) => jobs.push(job) });
    assert.ok(jobs.every(({ job_id, created_at }) => job_id === jobId && created_at === created.created_at));
    // With a cached analysis the first stages pass between two updates.
    assert.ok(new Set(jobs.map(({ current_stage }) => current_stage)).size > 1);
    assert.equal(result.status, 'completed');
    assert.deepEqual(await client.waitForJob(jobId), result);
    assert.equal((await client.getJob(jobId)).progress_percent, 100);
    assert.deepEqual(
      (await client.listJobs({ status: 'completed', video_id: videoId })).jobs.map(({ job_id }) => job_id),
      [jobId],
    );

    const range = await client.getOutput(jobId, { range: 'bytes=4-7' });
    assert.deepEqual([range.status, await range.text()], [206, 'ftyp']);
    const attached = await fetch(client.outputUrl(jobId, { download: '1' }), { method: 'HEAD' });
    assert.match(attached.headers.get('content-disposition')!, /^attachment/);
    await assert.rejects(client.getFrame(jobId), (error) => isStyleDnaError(error, 'FRAME_NOT_FOUND'));
    const style = await (await client.getArtifact(jobId, 'style.json')).json();
    assert.deepEqual(style, result.style_json);
    assert.equal((await fetch(client.artifactUrl(jobId, 'grade.cube'))).status, 200);
    const { takes, timeline } = await client.getJobTimeline(jobId);
    assert.deepEqual(takes, [{ video_id: videoId }]);
    assert.equal(timeline['version'], 2);
  });

  test('lets the comparison be made afterwards', async () => {
    await client.createComparison(jobId);
    await waitFor('the comparison', async () => (await client.getComparison(jobId)).status === 'completed');
    const range = await client.getComparisonFile(jobId, { range: 'bytes=4-7' });
    assert.equal(await range.text(), 'ftyp');
    assert.equal((await fetch(client.comparisonFileUrl(jobId), { method: 'HEAD' })).status, 200);
  });

  test('verifies the webhook of that job', async () => {
    const { secrets } = await client.getWebhookSecret();
    const [call] = await waitFor('the webhook', () => (hook.calls.length > 0 ? hook.calls : undefined));
    const event = await verifyWebhook(call!.text, call!.headers, secrets);
    assert.deepEqual([event.type, event.data.job_id], ['job.completed', jobId]);
    const { webhooks } = await client.listWebhooks(jobId);
    assert.equal(webhooks[0].webhook_id, call!.webhookId);
    await client.redeliverWebhook(jobId, call!.webhookId);
    await waitFor('the second delivery', () => hook.calls.length > 1);
  });

  test('cancels, retries and deletes', async () => {
    const job = await client.createJob({ video_id: videoId, config: { quality: 'ultra' } });
    assert.equal((await client.cancelJob(job.job_id)).status, 'cancelled');
    await assert.rejects(client.waitForJob(job.job_id), (error) => isStyleDnaError(error, 'JOB_CANCELLED'));
    const again = await client.retryJob(job.job_id);
    assert.equal(again.retry_of, job.job_id);
    await client.cancelJob(again.job_id);
    for (const id of [jobId, job.job_id, again.job_id])
      assert.equal((await client.deleteJob(id)).deleted, true);
    assert.equal((await client.deleteVideo(videoId)).deleted, true);
  });

  test('returns health, and the document', async () => {
    assert.equal((await client.getHealth()).status, 'healthy');
    assert.equal((await client.getOpenApi())['openapi'], '3.1.0');
  });

  test("throws the service's refusals with their text", async () => {
    await assert.rejects(client.getJob(NOBODY), (error) => {
      assert.ok(isStyleDnaError(error, 'JOB_NOT_FOUND'));
      assert.deepEqual([error.status, error.retryable], [404, false]);
      assert.match(error.requestId!, /^[\w-]{8,}$/);
      return true;
    });
    const wrong = client.createJob({ video_id: videoId, config: { style_strength: 2 } });
    await assert.rejects(wrong, (error) => {
      assert.ok(isStyleDnaError(error, 'VALIDATION_ERROR'));
      assert.deepEqual(
        error.fields.map(({ path }) => path),
        ['config.style_strength'],
      );
      return true;
    });
  });

  test('controls the queue with the token', async () => {
    await assert.rejects(client.getQueue(), (error) => isStyleDnaError(error, 'UNAUTHORIZED'));
    const headers = { authorization: `Bearer ${TOKEN}` };
    const admin = new StyleDnaClient({ baseUrl: service.baseUrl, fetch: watched, headers });
    const paused = await admin.pauseQueue();
    assert.notEqual(paused.paused_at, null);
    const [worker] = paused.workers;
    const drained = await admin.drainWorker(worker!.worker_id);
    assert.equal(drained.workers[0].state, 'drained');
    assert.equal((await admin.resumeWorker(worker!.worker_id)).workers[0].state, 'working');
    const { video_id } = await client.uploadVideo(clip, { filename: 'clip.mp4' });
    const { job_id } = await client.createJob({ video_id });
    const first = await admin.setJobPriority(job_id, { priority: 99 });
    assert.deepEqual([first.job_id, first.status], [job_id, 'queued']);
    assert.equal((await admin.getQueue()).queued, 1);
    await client.cancelJob(job_id);
    const again = await admin.requeueJob(job_id);
    assert.equal((await admin.resumeQueue()).paused_at, null);
    assert.equal((await client.waitForJob(again.job_id)).status, 'completed');
  });

  test('has called every operation of the interface', () => {
    const left = OPERATIONS.filter(({ method, path }) => {
      const pattern = new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      return ![...sent].some((request) => pattern.test(request));
    });
    assert.deepEqual(
      left.map(({ id }) => id),
      [],
    );
  });
});
