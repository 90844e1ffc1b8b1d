/** The service from TypeScript or JavaScript, in browsers and in Node 20 or later. It needs nothing but `fetch`. */
import { AdminOperations } from './admin-operations.ts';
import { answerJson } from './answer-json.ts';
import type * as api from './api-types.ts';
import { errorOfJob, isStyleDnaError } from './error.ts';
import { newKey } from './idempotency-key.ts';
import { type JobEvent, jobEvents } from './job-events.ts';
import type { CreateOptions, FileOptions, WaitOptions } from './options.ts';
import { part } from './path-part.ts';
import { ended } from './polling.ts';
import { responseText, unexpectedResponse } from './response-text.ts';
import type { CallOptions, Query } from './transport.ts';

export type * from './api-types.ts';
export { isStyleDnaError, StyleDnaError, type StyleDnaErrorCode } from './error.ts';
export type { JobEvent } from './job-events.ts';
export type { AnalysisOptions, CreateOptions, FileOptions, WaitOptions } from './options.ts';
export type { CallOptions, ClientOptions } from './transport.ts';
export type { ResumableUpload, UploadOptions, UploadStore } from './upload.ts';
export type { UploadProgress } from './upload-progress.ts';
export { type VerifyOptions, verifyWebhook, type WebhookEvent, type WebhookHeaders } from './webhook.ts';

const JOBS = '/api/v1/jobs';
const PREVIEWS = '/api/v1/previews';
const PRESETS = '/api/v1/presets';
const LONG_POLL_SECONDS = 50;

/**
 * Methods have the names of the operations in the OpenAPI document; path parameters are first, then the body or the
 * query. They resolve with the `data` of the answer, files with the `Response`, and throw `StyleDnaError`.
 */
export class StyleDnaClient extends AdminOperations {
  // Previews and presets

  /** A plan (`kind: 'plan'`) of analysed videos, and frames of them, are completed at once. */
  createPreview(request: api.PreviewCreateRequest, options?: CreateOptions): Promise<api.Preview> {
    return this.#create(PREVIEWS, request, options);
  }

  getPreview(previewId: string, options?: CallOptions): Promise<api.Preview> {
    return this.get(`${PREVIEWS}/${part(previewId)}`, options);
  }

  /** JPEG of frames, MP4 of a draft. */
  getPreviewFile(previewId: string, options?: FileOptions): Promise<Response> {
    return this.file(`${PREVIEWS}/${part(previewId)}/file`, options);
  }

  previewFileUrl(previewId: string): string {
    return this.transport.url(`${PREVIEWS}/${part(previewId)}/file`);
  }

  deletePreview(previewId: string, options?: CallOptions): Promise<api.DeletedPreview> {
    return this.transport.data({ method: 'DELETE', path: `${PREVIEWS}/${part(previewId)}`, options });
  }

  /** Requests a preview and waits until it is drawn. Throws the error of its failure. */
  async waitForPreview(
    request: api.PreviewCreateRequest,
    { onUpdate, ...options }: WaitOptions<api.Preview> = {},
  ): Promise<api.Preview> {
    const first = await this.createPreview(request, options);
    return ended('preview', first, () => this.getPreview(first.preview_id, options), {
      onUpdate,
      ...options,
    });
  }

  listPresets(options?: CallOptions): Promise<api.PresetList> {
    return this.get(PRESETS, options);
  }

  getPresetPicture(presetId: string, options?: CallOptions): Promise<Response> {
    return this.file(`${PRESETS}/${part(presetId)}/picture`, options);
  }

  presetPictureUrl(presetId: string): string {
    return this.transport.url(`${PRESETS}/${part(presetId)}/picture`);
  }

  /** MP4, to be played in a loop. */
  getPresetClip(presetId: string, options?: FileOptions): Promise<Response> {
    return this.file(`${PRESETS}/${part(presetId)}/clip`, options);
  }

  presetClipUrl(presetId: string): string {
    return this.transport.url(`${PRESETS}/${part(presetId)}/clip`);
  }

  // Jobs

  createJob(request: api.JobCreateRequest, options?: CreateOptions): Promise<api.Job> {
    return this.#create(JOBS, request, options);
  }

  listJobs(query: api.ListJobsQuery = {}, options?: CallOptions): Promise<api.JobList> {
    return this.get(JOBS, options, query);
  }

  getJob(jobId: string, options?: CallOptions): Promise<api.Job> {
    return this.get(`${JOBS}/${part(jobId)}`, options);
  }

  /** Throws JOB_NOT_COMPLETED while the job is queued or processing, after at most `wait` (0..60) seconds. */
  getJobResult(
    jobId: string,
    query: api.GetJobResultQuery = {},
    options?: CallOptions,
  ): Promise<api.JobDetail> {
    return this.transport.data({
      method: 'GET',
      path: `${JOBS}/${part(jobId)}/result`,
      query: query as Query,
      options,
      // The service answers when the wait is over.
      timeoutSeconds: (query.wait ?? 0) + 30,
    });
  }

  /** Resolves with the result once the job has completed. Throws the error of its failure, or JOB_CANCELLED. */
  async waitForJob(
    jobId: string,
    { onUpdate, ...options }: WaitOptions<api.Job> = {},
  ): Promise<api.JobDetail> {
    const job =
      onUpdate === undefined
        ? await this.#endOfJob(jobId, options)
        : await this.#endOfWatchedJob(jobId, onUpdate, options);
    const error = errorOfJob(job);
    if (error !== null) throw error;
    return job;
  }

  /** The events of a job until `done`. Reconnects after a broken connection. */
  watchJob(jobId: string, options?: CallOptions): AsyncGenerator<JobEvent, void, undefined> {
    return jobEvents(this.transport, jobId, options);
  }

  cancelJob(jobId: string, options?: CallOptions): Promise<api.Job> {
    const path = `${JOBS}/${part(jobId)}/cancel`;
    return this.transport.data({ method: 'POST', path, options, isRepeatable: true });
  }

  /** A new job like this one, which failed or was cancelled. */
  retryJob(jobId: string, options?: CallOptions): Promise<api.Job> {
    return this.transport.data({ method: 'POST', path: `${JOBS}/${part(jobId)}/retry`, options });
  }

  deleteJob(jobId: string, options?: CallOptions): Promise<api.DeletedJob> {
    return this.transport.data({ method: 'DELETE', path: `${JOBS}/${part(jobId)}`, options });
  }

  /** The output video. */
  getOutput(jobId: string, options?: FileOptions): Promise<Response> {
    return this.file(`${JOBS}/${part(jobId)}/output`, options);
  }

  /** The newest frame of a job that is being rendered, a JPEG. Throws FRAME_NOT_READY before the first, FRAME_NOT_FOUND after the last. */
  getFrame(jobId: string, options?: CallOptions): Promise<Response> {
    return this.file(`${JOBS}/${part(jobId)}/frame`, options);
  }

  frameUrl(jobId: string): string {
    return this.transport.url(`${JOBS}/${part(jobId)}/frame`);
  }

  outputUrl(jobId: string, query: api.GetOutputQuery = {}): string {
    return this.transport.url(`${JOBS}/${part(jobId)}/output`, query as Query);
  }

  /** Another file of a completed job, by its name in `artifacts`. */
  getArtifact(jobId: string, name: string, options?: FileOptions): Promise<Response> {
    return this.file(`${JOBS}/${part(jobId)}/artifacts/${part(name)}`, options);
  }

  artifactUrl(jobId: string, name: string, query: api.GetArtifactQuery = {}): string {
    return this.transport.url(`${JOBS}/${part(jobId)}/artifacts/${part(name)}`, query as Query);
  }

  /** The timeline of the output: the video, moment and framing of each frame. */
  getJobTimeline(jobId: string, options?: CallOptions): Promise<api.JobTimeline> {
    return this.get(`${JOBS}/${part(jobId)}/timeline`, options);
  }

  /** Lets the service make the comparison of a completed job, when nothing else waits. Poll `getComparison` until it is completed. */
  createComparison(jobId: string, options?: CallOptions): Promise<api.Comparison> {
    const path = `${JOBS}/${part(jobId)}/comparison`;
    return this.transport.data({ method: 'POST', path, options, isRepeatable: true });
  }

  getComparison(jobId: string, options?: CallOptions): Promise<api.Comparison> {
    return this.get(`${JOBS}/${part(jobId)}/comparison`, options);
  }

  getComparisonFile(jobId: string, options?: FileOptions): Promise<Response> {
    return this.file(`${JOBS}/${part(jobId)}/comparison/file`, options);
  }

  comparisonFileUrl(jobId: string, query: api.GetComparisonFileQuery = {}): string {
    return this.transport.url(`${JOBS}/${part(jobId)}/comparison/file`, query as Query);
  }

  // Webhooks, health, description

  getWebhookSecret(options?: CallOptions): Promise<api.WebhookSecret> {
    return this.get('/api/v1/webhook-secret', options);
  }

  listWebhooks(jobId: string, options?: CallOptions): Promise<api.WebhookList> {
    return this.get(`${JOBS}/${part(jobId)}/webhooks`, options);
  }

  redeliverWebhook(jobId: string, webhookId: string, options?: CallOptions): Promise<api.WebhookDelivery> {
    const path = `${JOBS}/${part(jobId)}/webhooks/${part(webhookId)}/redeliver`;
    return this.transport.data({ method: 'POST', path, options });
  }

  getHealth(options?: CallOptions): Promise<api.Health> {
    return this.get('/api/v1/health', options);
  }

  /** The OpenAPI document. */
  async getOpenApi(options?: CallOptions): Promise<Record<string, unknown>> {
    const response = await this.file('/api/v1/openapi.json', options);
    const document = answerJson(await responseText(response));
    if (typeof document === 'object' && document !== null) return document as Record<string, unknown>;
    throw unexpectedResponse(response, 'it is no OpenAPI document');
  }

  /** Once, however often the request has to be sent. */
  #create<T>(
    path: string,
    json: object,
    { idempotencyKey = newKey(), strict = false, ...options }: CreateOptions = {},
  ): Promise<T> {
    const headers = { 'idempotency-key': idempotencyKey, ...(strict ? { prefer: 'handling=strict' } : {}) };
    return this.transport.data({ method: 'POST', path, json, headers, options, isRepeatable: true });
  }

  async #endOfJob(jobId: string, options: CallOptions): Promise<api.JobDetail> {
    for (;;) {
      try {
        return await this.transport.data<api.JobDetail>({
          method: 'GET',
          path: `${JOBS}/${part(jobId)}/result`,
          query: { wait: LONG_POLL_SECONDS },
          options,
          isPatient: true,
          timeoutSeconds: LONG_POLL_SECONDS + 30,
        });
      } catch (error) {
        if (!isStyleDnaError(error, 'JOB_NOT_COMPLETED')) throw error;
      }
    }
  }

  async #endOfWatchedJob(
    jobId: string,
    onUpdate: (job: api.Job) => void,
    options: CallOptions,
  ): Promise<api.JobDetail> {
    for await (const { job } of this.watchJob(jobId, options)) onUpdate(job);
    return this.#endOfJob(jobId, options);
  }
}
