import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { editKeys } from '../../domain/edit-keys.ts';
import { Failure } from '../../domain/errors.ts';
import { CONFIG_KEYS, type JobConfig, jobConfigSchema, unknownConfigKeys } from '../../domain/job-config.ts';
import type { Warning } from '../../domain/stage.ts';
import type { StoredResponse } from '../../idempotency/idempotency.ts';
import type { Job, NamedStyle, NewJob } from '../../jobs/model/job.ts';
import { presetNamed, withPreset } from '../../presets/presets.ts';
import { jobCreateSchema } from '../contract/contract.ts';
import { jobResponse } from '../contract/job-response.ts';
import { type Handler, invalid, shortened } from '../contract/operation.ts';
import type * as operations from '../contract/operations.ts';
import { baseUrl, type HttpContext } from '../server/context.ts';
import { claim, idempotencyKey, releaseOnFailure, sendReplay } from '../server/idempotency.ts';
import { nearestName } from '../server/nearest-name.ts';
import type { HttpParts } from '../server/parts.ts';
import { clientOf } from '../server/rate-limit.ts';
import { refuseWhenDraining } from '../server/readiness.ts';
import { originOf } from '../server/request-trace.ts';

type JobCreateRequest = z.output<typeof jobCreateSchema>;

/** The most that a config may take as JSON, labels and unknown keys included. */
const CONFIG_BYTES = 16384;
/** The most that an edit may take as JSON: answers and lists of jobs repeat it. 300 pins, bans and lengths take about 72 KiB. */
const EDIT_BYTES = 81_920;
/** Unknown keys that warnings name: the answer does not grow with the nonsense that was sent. */
const NAMED_KEYS = 20;
/** Length of a hash in base64url: 132 bits, so that no two clients share one. */
const CLIENT_CHARACTERS = 22;

export function createJob({ parts, reserve }: HttpContext): Handler<typeof operations.createJob> {
  return async ({ body, request, reply }) => {
    refuseWhenDraining(parts);
    await reserve.assertFree(0);
    const warnings = unknownKeyWarnings(request, jobCreateSchema.shape);
    if (body.webhook_url != null) await parts.webhooks.vet(body.webhook_url);
    const requested = await newJob(parts, body, request, warnings);
    assertTranscribable(parts, requested.config);
    const base = baseUrl(parts, request);
    const response = (job: Job): StoredResponse => ({
      status: 201,
      body: { success: true, message: 'Job created', data: jobResponse(job, base) },
    });
    const key = idempotencyKey(request, request.body);
    const stored = key === null ? null : await claim(parts.idempotency, key);
    if (stored !== null) {
      sendReplay(reply, stored, locationOf((stored.body as { data: { job_id: string } }).data.job_id));
      return undefined;
    }
    const job = await releaseOnFailure(parts.idempotency, key, () =>
      parts.jobs.create(requested, key === null ? null : { key, response }),
    );
    request.log.info({ jobId: job.jobId }, 'job created');
    return { data: jobResponse(job, base), headers: { location: locationOf(job.jobId) } };
  };
}

export function retryJob({ parts, reserve }: HttpContext): Handler<typeof operations.retryJob> {
  return async ({ params, request }) => {
    refuseWhenDraining(parts);
    await reserve.assertFree(0);
    const job = await parts.jobs.retry(params.job_id, originOf(request));
    request.log.info({ jobId: job.jobId, retryOf: params.job_id }, 'job created');
    return { data: jobResponse(job, baseUrl(parts, request)), headers: { location: locationOf(job.jobId) } };
  };
}

/** Throws TRANSCRIPTION_UNAVAILABLE where captions from speech are requested of a service without an engine. */
export function assertTranscribable({ config }: Pick<HttpParts, 'config'>, { captions }: JobConfig): void {
  if (captions !== 'transcribe' || config.TRANSCRIPTION_URL !== undefined) return;
  const message =
    'is "transcribe", but this service has no transcription engine; whoever runs it can connect one with TRANSCRIPTION_URL';
  throw new Failure('TRANSCRIPTION_UNAVAILABLE', `config.captions: ${message}`, {
    fields: [{ path: 'config.captions', message }],
  });
}

async function newJob(
  parts: HttpParts,
  body: JobCreateRequest,
  request: FastifyRequest,
  warnings: readonly Warning[],
): Promise<NewJob> {
  const { givenStyle, savedStyle, config, warnings: ofLook } = await lookOf(parts, body);
  return {
    videoId: body.video_id,
    templateVideoId: body.template_video_id ?? null,
    givenStyle,
    config,
    edit: body.edit ?? null,
    webhookUrl: body.webhook_url ?? null,
    warnings: [...warnings, ...ofLook],
    priority: config.priority,
    client: fairQueueClient(request, config.labels),
    preset: body.preset ?? null,
    savedStyle,
    origin: originOf(request),
  };
}

/**
 * The style of the request, if any, and the whole config, with every default. Components that the preset
 * switches off are off, and settings that an edit cannot have are removed. A saved style is copied: a later change or
 * deletion of it has no effect. Throws STYLE_NOT_FOUND.
 */
export async function lookOf(
  { styles }: Pick<HttpParts, 'styles'>,
  body: Pick<JobCreateRequest, 'preset' | 'style_json' | 'style_id' | 'config' | 'edit'>,
): Promise<{
  readonly givenStyle: unknown;
  readonly savedStyle: NamedStyle | null;
  readonly config: JobConfig;
  readonly warnings: readonly Warning[];
}> {
  const preset = body.preset == null ? null : presetNamed(body.preset);
  const requested = body.config ?? {};
  const config = jobConfigSchema.parse(preset === null ? requested : withPreset(preset, requested));
  const saved = body.style_id == null ? null : await styles.get(body.style_id);
  const givenStyle = preset?.style ?? saved?.style ?? body.style_json ?? null;
  const savedStyle = saved === null ? null : { styleId: saved.styleId, name: saved.name };
  if (body.edit == null || !config.comparison) return { givenStyle, savedStyle, config, warnings: [] };
  const message = 'An edit from many takes has no picture before: comparison.mp4 is not made.';
  const warnings = [{ code: 'COMPARISON_LEFT_OUT', message }];
  return { givenStyle, savedStyle, config: { ...config, comparison: false }, warnings };
}

/**
 * The client for fair queueing: the label `client`, else the address. Hashed, because addresses are personal
 * data.
 */
export function fairQueueClient(request: FastifyRequest, labels: Readonly<Record<string, string>>): string {
  const named = Object.hasOwn(labels, 'client') ? labels['client'] : undefined;
  const who = named === undefined ? `address ${clientOf(request.ip)}` : `label ${named}`;
  return createHash('sha256').update(who).digest('base64url').slice(0, CLIENT_CHARACTERS);
}

/** Reads the body as it was sent: the schemas keep unknown keys among the known ones. */
export function unknownKeyWarnings(
  request: FastifyRequest,
  known: Readonly<Record<string, unknown>>,
): Warning[] {
  const raw = request.body as Record<string, unknown>;
  const config = rawConfig(request);
  const { edit } = raw;
  if (edit !== undefined && Buffer.byteLength(JSON.stringify(edit)) > EDIT_BYTES) {
    throw invalid([{ path: 'edit', message: `must take at most ${EDIT_BYTES} bytes as JSON` }]);
  }
  const ofEdit = editKeys(edit);
  if (Buffer.byteLength(JSON.stringify(config)) > CONFIG_BYTES) {
    throw invalid([{ path: 'config', message: `must take at most ${CONFIG_BYTES} bytes as JSON` }]);
  }
  const unknown = [
    ...Object.keys(raw).filter((key) => !Object.hasOwn(known, key)),
    ...unknownConfigKeys(config).map((key) => `config.${key}`),
    ...ofEdit.unknown,
  ];
  const names = [...Object.keys(known), ...CONFIG_KEYS.map((key) => `config.${key}`), ...ofEdit.known];
  if (unknown.length > 0 && isStrict(request)) {
    const named = unknown.slice(0, NAMED_KEYS);
    throw invalid(named.map((path) => ({ path, message: `is not known${suggestion(path, names)}` })));
  }
  return unknown.slice(0, NAMED_KEYS).map((path) => ({
    code: 'UNKNOWN_KEY',
    message: `${shortened(path)} is not known and has no effect${suggestion(path, names) || '.'}`,
  }));
}

/** The warning for a key of the config that was sent outside it names its place. */
function suggestion(path: string, names: readonly string[]): string {
  const name = nearestName(path, names) ?? nearestName(`config.${path}`, names);
  return name === undefined ? '' : `; did you mean ${name}?`;
}

function rawConfig(request: FastifyRequest): Record<string, unknown> {
  const { config } = request.body as Record<string, unknown>;
  return z.record(z.string(), z.unknown()).catch({}).parse(config);
}

/** RFC 7240, section 4.4. */
function isStrict(request: FastifyRequest): boolean {
  const prefer = String(request.headers['prefer'] ?? '');
  return prefer.split(/[,;]/).some((part) => /^\s*handling\s*=\s*"?strict"?\s*$/i.test(part));
}

function locationOf(jobId: string): string {
  return `/api/v1/jobs/${jobId}`;
}
