import type { IncomingMessage } from 'node:http';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { Failure } from '../domain/errors.ts';
import type { Config } from '../settings/config.ts';
import { ResumableUploads } from '../uploads/resumable-uploads.ts';
import * as adminOperations from './contract/admin-operations.ts';
import * as captionOperations from './contract/caption-operations.ts';
import * as comparisonOperations from './contract/comparison-operations.ts';
import * as jobFileOperations from './contract/job-file-operations.ts';
import * as operations from './contract/operations.ts';
import * as presetOperations from './contract/preset-operations.ts';
import * as previewOperations from './contract/preview-operations.ts';
import * as proxyOperations from './contract/proxy-operations.ts';
import * as styleOperations from './contract/style-operations.ts';
import * as uploadOperations from './contract/upload-operations.ts';
import * as videoFileOperations from './contract/video-file-operations.ts';
import * as webhookOperations from './contract/webhook-operations.ts';
import { adminHandlers } from './routes/admin.ts';
import { createAnalysis, getAnalysis, getAnalysisReport } from './routes/analysis.ts';
import { deleteCaptions, getCaptions, putCaptions } from './routes/captions.ts';
import { createComparison, getComparison, getComparisonFile } from './routes/comparison.ts';
import { addProbes, getHealth } from './routes/health.ts';
import { createJob, retryJob } from './routes/job-creation.ts';
import { watchJob } from './routes/job-events.ts';
import { getArtifact, getFrame, getJobTimeline, getOutput } from './routes/job-files.ts';
import { listWebhooks, redeliverWebhook } from './routes/job-webhooks.ts';
import { cancelJob, deleteJob, getJob, getJobResult, listJobs } from './routes/jobs.ts';
import { getOpenApi } from './routes/openapi.ts';
import { addPage, WebPage } from './routes/page.ts';
import { getPresetClip, getPresetPicture, listPresets } from './routes/presets.ts';
import { previewHandlers } from './routes/previews.ts';
import { createProxy, deleteProxy, getProxy, getProxyFile } from './routes/proxies.ts';
import { addReference } from './routes/reference.ts';
import { createStyle } from './routes/style-creation.ts';
import {
  deleteStyle,
  getStyle,
  getStyleFile,
  getStylePicture,
  listStyles,
  renameStyle,
} from './routes/styles.ts';
import { appendUpload, createUpload, deleteUpload, getUpload } from './routes/uploads.ts';
import { videoFileHandlers } from './routes/video-files.ts';
import { importVideo } from './routes/video-import.ts';
import { uploadVideo } from './routes/video-upload.ts';
import { deleteVideo, getVideo, listVideos } from './routes/videos.ts';
import { getWebhookSecret } from './routes/webhook-secret.ts';
import { adminGate } from './server/admin-gate.ts';
import { hostGuard } from './server/allowed-hosts.ts';
import { AllowedMethods } from './server/allowed-methods.ts';
import { answerBrokenRequest } from './server/broken-request.ts';
import type { HttpContext } from './server/context.ts';
import { DEFAULT_HEADERS } from './server/default-headers.ts';
import { DiskReserve } from './server/disk-reserve.ts';
import { type EarlyListener, SERVER_OPTIONS } from './server/early-listener.ts';
import { addErrorHandling, sendFailure } from './server/error-handling.ts';
import { FileSender } from './server/file-sender.ts';
import { HealthCheck } from './server/health-check.ts';
import { readJson } from './server/json-body.ts';
import { addMetrics } from './server/metrics.ts';
import { OpenResponseLimit } from './server/open-responses.ts';
import { applyOriginPolicy } from './server/origins.ts';
import type { HttpParts } from './server/parts.ts';
import { rateLimiter } from './server/rate-limit.ts';
import { assertOneHost, refuseCodedBody } from './server/request-head.ts';
import { requestIdOf } from './server/request-id.ts';
import { addRequestLog } from './server/request-log.ts';
import { addRequestTrace } from './server/request-trace.ts';
import { route } from './server/route.ts';
import { addTusHeaders } from './server/tus.ts';
import { drainUnreadBody } from './server/unread-body.ts';
import { limitYoungHeap } from './server/young-heap.ts';

const UPLOAD_SWEEP_MS = 3_600_000;
/** An event stream holds about 60 kB, a wait less. */
const MAX_WATCHERS = 4000;

/** The HTTP interface, not yet listening. `earlyListener`: provides the server; missing: the interface gets its own server. */
export async function createApp(parts: HttpParts, earlyListener?: EarlyListener): Promise<FastifyInstance> {
  const closing = new AbortController();
  const reserve = new DiskReserve(parts.config);
  const sender = new FileSender(parts.blobs, parts.metrics);
  const watchers = new OpenResponseLimit(
    'waits and event streams',
    MAX_WATCHERS,
    parts.config.MAX_WATCHERS_PER_CLIENT,
  );
  const context: HttpContext = { parts, reserve, sender, watchers, closing: closing.signal };
  const app = newServer(parts, earlyListener);
  app.addHook('preClose', async () => closing.abort());
  addErrorHandling(app);
  addRequestTrace(app, parts.tracing);
  addRequestLog(app);
  addBodyParsers(app, closing.signal);
  const page = parts.config.ROLE === 'worker' ? null : new WebPage(parts.config);
  addFirstHook(app, parts, page, hostGuard(parts.config, earlyListener?.isLoopback));

  const health = new HealthCheck(parts, reserve);
  addMetrics(app, parts);
  addProbes(app, parts, health);

  route(app, operations.getHealth, getHealth(health));
  // A worker answers probes, metrics and health only.
  if (page === null) return app;
  route(app, operations.uploadVideo, uploadVideo(context));
  const uploads = await openUploads(app, parts, closing.signal);
  route(app, uploadOperations.createUpload, createUpload(context, uploads));
  route(app, uploadOperations.getUpload, getUpload(uploads));
  route(app, uploadOperations.appendUpload, appendUpload(context, uploads));
  route(app, uploadOperations.deleteUpload, deleteUpload(uploads));
  route(app, operations.importVideo, importVideo(context));
  route(app, operations.listVideos, listVideos(context));
  route(app, operations.getVideo, getVideo(context));
  route(app, operations.deleteVideo, deleteVideo(context));
  const files = videoFileHandlers(context);
  route(app, videoFileOperations.getVideoFile, files.getVideoFile);
  route(app, videoFileOperations.getVideoPoster, files.getVideoPoster);
  route(app, videoFileOperations.getVideoFilmstrip, files.getVideoFilmstrip);
  route(app, captionOperations.putCaptions, putCaptions(context));
  route(app, captionOperations.getCaptions, getCaptions(context));
  route(app, captionOperations.deleteCaptions, deleteCaptions(context));
  route(app, previewOperations.createAnalysis, createAnalysis(context));
  route(app, previewOperations.getAnalysis, getAnalysis(context));
  route(app, previewOperations.getAnalysisReport, getAnalysisReport(context));
  const previews = previewHandlers(context);
  route(app, previewOperations.createPreview, previews.createPreview);
  route(app, previewOperations.getPreview, previews.getPreview);
  route(app, previewOperations.getPreviewFile, previews.getPreviewFile);
  route(app, previewOperations.deletePreview, previews.deletePreview);
  route(app, proxyOperations.createProxy, createProxy(context));
  route(app, proxyOperations.getProxy, getProxy(context));
  route(app, proxyOperations.getProxyFile, getProxyFile(context));
  route(app, proxyOperations.deleteProxy, deleteProxy(context));
  route(app, presetOperations.listPresets, listPresets(context));
  route(app, presetOperations.getPresetPicture, getPresetPicture());
  route(app, presetOperations.getPresetClip, getPresetClip());
  addStyles(app, context);
  addJobs(app, context);
  route(app, webhookOperations.getWebhookSecret, getWebhookSecret(context));
  route(app, webhookOperations.listWebhooks, listWebhooks(context));
  route(app, webhookOperations.redeliverWebhook, redeliverWebhook(context));
  addAdmin(app, context);
  route(app, operations.getOpenApi, getOpenApi(context));
  addReference(app, context);
  addPage(app, page, parts.config);
  limitYoungHeap();
  return app;
}

function addStyles(app: FastifyInstance, context: HttpContext): void {
  route(app, styleOperations.createStyle, createStyle(context));
  route(app, styleOperations.listStyles, listStyles(context));
  route(app, styleOperations.getStyle, getStyle(context));
  route(app, styleOperations.renameStyle, renameStyle(context));
  route(app, styleOperations.deleteStyle, deleteStyle(context));
  route(app, styleOperations.getStylePicture, getStylePicture(context));
  route(app, styleOperations.getStyleFile, getStyleFile(context));
}

function addJobs(app: FastifyInstance, context: HttpContext): void {
  route(app, operations.createJob, createJob(context));
  route(app, operations.listJobs, listJobs(context));
  route(app, operations.getJob, getJob(context));
  route(app, operations.getJobResult, getJobResult(context));
  route(app, operations.cancelJob, cancelJob(context));
  route(app, operations.retryJob, retryJob(context));
  route(app, operations.deleteJob, deleteJob(context));
  route(app, operations.watchJob, watchJob(context));
  route(app, jobFileOperations.getFrame, getFrame(context));
  route(app, jobFileOperations.getOutput, getOutput(context));
  route(app, jobFileOperations.getArtifact, getArtifact(context));
  route(app, jobFileOperations.getJobTimeline, getJobTimeline(context));
  route(app, comparisonOperations.createComparison, createComparison(context));
  route(app, comparisonOperations.getComparison, getComparison(context));
  route(app, comparisonOperations.getComparisonFile, getComparisonFile(context));
}

/** Without a token these paths do not exist: they answer 404, not 401. */
function addAdmin(app: FastifyInstance, context: HttpContext): void {
  const { ADMIN_TOKEN } = context.parts.config;
  if (ADMIN_TOKEN === undefined) return;
  app.addHook('onRequest', adminGate(ADMIN_TOKEN));
  const admin = adminHandlers(context);
  route(app, adminOperations.getQueue, admin.getQueue);
  route(app, adminOperations.pauseQueue, admin.pauseQueue);
  route(app, adminOperations.resumeQueue, admin.resumeQueue);
  route(app, adminOperations.drainWorker, admin.drainWorker);
  route(app, adminOperations.resumeWorker, admin.resumeWorker);
  route(app, adminOperations.requeueJob, admin.requeueJob);
  route(app, adminOperations.setJobPriority, admin.setJobPriority);
}

function newServer({ config, logger }: HttpParts, earlyListener: EarlyListener | undefined): FastifyInstance {
  return fastify({
    loggerInstance: logger as FastifyBaseLogger,
    // Requests are logged by request-log.ts: without query, headers and addresses.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: requestIdOf,
    trustProxy: trustedProxies(config),
    ...(earlyListener === undefined ? { http: SERVER_OPTIONS } : { serverFactory: earlyListener.serverFor }),
    return503OnClosing: false,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => {
      void reply.headers({ ...DEFAULT_HEADERS, 'x-request-id': request.id });
      sendFailure(error, request, reply);
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 4096 },
    // The contract validates requests (`contract/`); no route has a schema of Fastify's. Without this option Fastify still loads Ajv.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  }) as unknown as FastifyInstance;
}

function noSchemas(): never {
  throw new Error('A route has a schema of Fastify’s: nothing compiles it.');
}

/** The connection itself is hop 0. */
function trustedProxies({
  TRUST_PROXY: proxies,
}: Config): string[] | ((address: string, hop: number) => boolean) {
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies;
}

async function openUploads(
  app: FastifyInstance,
  parts: HttpParts,
  closing: AbortSignal,
): Promise<ResumableUploads> {
  const uploads = new ResumableUploads(parts, closing);
  await uploads.start();
  const sweep = () =>
    uploads.sweepInTurn().catch((error) => app.log.warn({ err: error }, 'uploads were not swept'));
  const timer = setInterval(sweep, UPLOAD_SWEEP_MS);
  timer.unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await uploads.stop();
  });
  return uploads;
}

function addBodyParsers(app: FastifyInstance, closing: AbortSignal): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (_request: FastifyRequest, body: IncomingMessage) =>
    readJson(body),
  );
  // Uploads read their own body; operations without a body ignore it.
  app.addContentTypeParser('*', async () => undefined);
  app.addHook('onResponse', async (request) => {
    // A closing server waits for its connections, and this one would stay open for the next request.
    if (closing.aborted) request.raw.socket.destroySoon();
    else drainUnreadBody(request.raw, closing);
  });
}

/** Rules of all requests: id, default headers, host, origin, and whether the path exists. */
function addFirstHook(
  app: FastifyInstance,
  { config }: HttpParts,
  page: WebPage | null,
  assertHost: ReturnType<typeof hostGuard>,
): void {
  const allowed = new AllowedMethods();
  allowed.watch(app);
  const policy = { allowed: config.CORS_ORIGINS, publicBaseUrl: config.PUBLIC_BASE_URL };
  const limitRate = rateLimiter(config.RATE_LIMIT_PER_MINUTE);
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({ ...DEFAULT_HEADERS, 'x-request-id': request.id });
    addTusHeaders(config, request, reply);
    assertOneHost(request);
    assertHost(request);
    if (applyOriginPolicy(policy, request, reply)) return reply;
    limitRate(request, reply);
    refuseCodedBody(request, reply);
    if (!request.is404) return;
    const path = request.url.split('?', 1)[0];
    const methods = allowed.of(path);
    if (methods.length === 0) {
      if (page?.isLookedFor(request) === true) return page.send(request, reply, 404);
      throw new Failure('ROUTE_NOT_FOUND', `There is no ${JSON.stringify(path.slice(0, 200))}`);
    }
    void reply.header('allow', [...methods, 'OPTIONS'].join(', '));
    if (request.method === 'OPTIONS') return reply.code(204).send();
    throw new Failure(
      'METHOD_NOT_ALLOWED',
      `${request.method} is not possible here; ${methods.join(', ')} is`,
    );
  });
}
