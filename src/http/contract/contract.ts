/** The shapes of the interface: they validate requests, give the types and make `openapi.json`. */
import { z } from 'zod';
import { editSchema } from '../../domain/edit-options.ts';
import { REQUEST_ERRORS, type RequestErrorCode } from '../../domain/errors.ts';
import { jobConfigPatchSchema } from '../../domain/job-config.ts';
import { STAGE_NAMES } from '../../domain/stage.ts';
import { JOB_STATUSES } from '../../jobs/model/job.ts';
import { PRESETS } from '../../presets/presets.ts';
import { editResultSchema } from '../../style/model/edit-result-schema.ts';
import { editSummarySchema } from '../../style/model/edit-summary.ts';
import { styleSchema } from '../../style/model/schema.ts';
import { fieldErrorSchema, jobErrorSchema } from './error-shapes.ts';
import { hasStyle, NEEDS_STYLE, refineStyleSources } from './style-sources.ts';

const text = z.string();
const time = z.iso.datetime().describe('RFC 3339, UTC, with milliseconds');
const count = z.int().min(0);
const id = z.string().min(1).max(255);

export const styleJsonSchema = styleSchema.meta({ id: 'StyleJSON' });
const editRequestSchema = editSchema.meta({
  id: 'EditRequest',
  description: 'Many takes and photos, cut to a song in the rhythm of a template.',
});
const configSchema = jobConfigPatchSchema.meta({ id: 'JobConfig' });

export const warningSchema = z.object({ code: text.describe('UPPER_SNAKE, stable'), message: text }).meta({
  id: 'Warning',
  description: 'A note on work that succeeded, such as a limit that changed the result.',
});

export const videoImportSchema = z
  .object({
    video_id: id,
    status: z.enum(['importing', 'failed']),
    filename: text.describe('For display only, sanitised'),
    received_bytes: count,
    size_bytes: count.nullable().describe('As reported by the address; null: unknown'),
    created_at: time,
    url: z.url().describe('Of the video'),
    error: z
      .object({ code: text, message: text, detail: text, retryable: z.boolean() })
      .nullable()
      .describe('Once failed: why there is no video'),
  })
  .meta({ id: 'VideoImport', description: 'A video that is fetched from an address.' });

export const videoSchema = z
  .object({
    video_id: id,
    status: z.literal('ready').describe('Another while it is imported: see VideoImport'),
    kind: z
      .enum(['video', 'image', 'audio'])
      .describe('Images are templates or takes of edits; sound files the music of edits, or templates'),
    filename: text.describe('For display only, sanitised'),
    size_bytes: count,
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    content_type: text.describe('Found from the bytes'),
    container: text,
    duration_seconds: z.number().min(0).describe('0 for an image'),
    width: count.describe('As displayed, after rotation; 0 for a sound file'),
    height: count.describe('As displayed, after rotation; 0 for a sound file'),
    rotation: z.number(),
    frame_rate: z.number().min(0).describe('0 for an image and a sound file'),
    video_codec: text.describe('Empty for a sound file'),
    audio_codec: text.nullable(),
    has_audio: z.boolean(),
    created_at: time,
    expires_at: time.nullable(),
    poster_url: z.url().describe('A JPEG, at most 640 pixels long; of a sound file its waveform'),
    filmstrip_url: z.url().describe('Frames in a row, one JPEG; of a sound file its waveform'),
    file_url: z.url().describe('As it was uploaded'),
    warnings: z.array(warningSchema),
  })
  .meta({ id: 'Video' });

const jobFields = {
  job_id: id,
  video_id: id,
  status: z.enum(JOB_STATUSES),
  progress_percent: z.number().min(0).max(100).describe('100 only together with completed'),
  current_stage: z.enum(STAGE_NAMES).nullable().describe('Null unless processing'),
  created_at: time,
  updated_at: time.describe('The most recent change of status'),
  started_at: time.nullable(),
  completed_at: time.nullable(),
  template_video_id: id.nullable(),
  source_filename: text.nullable().describe('Of the source, when the job was made'),
  template_filename: text.nullable().describe('Of the template, when the job was made'),
  preset: text.nullable().describe('`preset` of the request'),
  style_id: id.nullable().describe('`style_id` of the request; the style may have been deleted since'),
  style_name: text.nullable().describe('Name of the saved style, when the job was made'),
  attempt: count.describe('Number of times that a worker has started the job'),
  progress_updated_at: time,
  retry_of: id.nullable(),
  config: z.record(z.string(), z.unknown()).describe('As validated, with its defaults'),
  edit_request: editRequestSchema
    .nullable()
    .describe('`edit` of the request: all takes in order, each once; null: no edit'),
  warnings: z.array(warningSchema),
  url: z.url(),
  frame: z
    .object({
      url: z.url().describe('A new one for each frame'),
      sequence: z.int().min(1).describe('Increases with each frame'),
      at_seconds: z.number().min(0).describe('Of the output’s time'),
    })
    .nullable()
    .describe('The newest frame of the output, while it is rendered'),
  queue_position: count.nullable().optional().describe('From 1, while queued; not in lists'),
  eta_seconds: count.nullable().optional().describe('A guess, while processing; not in lists'),
};

export const jobSchema = z.object(jobFields).meta({ id: 'Job', description: 'JobResponse' });

export const jobDetailSchema = z
  .object({
    ...jobFields,
    style_json: styleJsonSchema.nullable(),
    summary: editSummarySchema
      .nullable()
      .describe('Changes of the source; null unless completed, and for results of earlier versions'),
    edit: editResultSchema
      .nullable()
      .describe('Result of an edit, slot by slot; null unless an edit has completed'),
    output_video_url: z.url().nullable(),
    error: jobErrorSchema.nullable(),
    processing_time_seconds: z.number().min(0).nullable(),
    expires_at: time.nullable().describe('After this time the result is 410; null: never'),
    artifacts: z.array(
      z.object({ name: text, content_type: text, size_bytes: count, url: z.url() }).meta({ id: 'Artifact' }),
    ),
  })
  .meta({ id: 'JobDetail', description: 'JobDetailResponse' });

export const healthSchema = z
  .object({
    status: z.enum(['healthy', 'degraded', 'draining']),
    version: text,
    uptime_seconds: z.number().min(0),
    checks: z.object({
      database: z.enum(['ok', 'failed']),
      storage: z.enum(['ok', 'failed']),
      disk_free_bytes: count.nullable(),
      media_engine: z.enum(['ok', 'failed']),
      media_isolation: z
        .object({
          filesystem: z.boolean(),
          network: z.boolean(),
          processes: z.boolean(),
          limits: z.boolean(),
        })
        .describe('Protections that are active in the processes that decode media'),
      queue: z
        .object({
          paused: z.boolean().describe('An operator has paused the queue; new jobs wait'),
          queued: count,
          processing: count,
          oldest_queued_seconds: z.number().min(0).nullable(),
        })
        .nullable(),
      workers: count.nullable(),
    }),
    features: z
      .object({
        transcription: z.boolean().describe('Whether `captions: "transcribe"` can be requested'),
      })
      .describe('What this installation offers beyond the default'),
  })
  .meta({ id: 'Health' });

export const webhookDeliverySchema = z
  .object({
    webhook_id: id,
    event: z.enum(['job.completed', 'job.failed', 'job.cancelled']),
    url: z.url(),
    state: z.enum(['pending', 'delivered', 'failed']),
    created_at: time,
    next_attempt_at: time.nullable(),
    attempts: z.array(
      z.object({
        attempted_at: time,
        status_code: z.int().nullable(),
        error: text.nullable(),
        duration_ms: z.number().min(0),
      }),
    ),
  })
  .meta({ id: 'WebhookDelivery' });

/** A query value is text: digits become a number before the schema of a number sees them. */
export const queryInteger = (schema: z.ZodType<number>) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value),
    schema,
  );

/** Like `queryInteger` for a decimal number. */
export const queryNumber = (schema: z.ZodType<number>) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : value),
    schema,
  );

export const pageQuery = z.object({
  page: queryInteger(z.int().min(1)).default(1).describe('Page number, starting at 1'),
  page_size: queryInteger(z.int().min(1).max(100)).default(10).describe('Items per page'),
  cursor: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .describe('`next_cursor` of an earlier page; overrides `page`'),
});

const nameQuery = z
  .string()
  .trim()
  .max(200)
  // PostgreSQL's texts cannot contain this character.
  .refine((text) => !text.includes('\u0000'), 'must not hold the character NUL')
  .optional();

/** `status=failed`, `status=failed,cancelled` and `status=failed&status=cancelled`. */
const statusQuery = z
  .preprocess(
    (value) => (typeof value === 'string' && value.includes(',') ? value.split(',') : value),
    z.union([z.enum(JOB_STATUSES), z.array(z.enum(JOB_STATUSES)).min(1).max(20)], {
      error: `must be one or several of ${JOB_STATUSES.join(', ')}`,
    }),
  )
  .optional();

const presetId = z.enum(PRESETS.map((preset) => preset.id) as [string, ...string[]]);

export const videoListQuery = pageQuery.extend({
  kind: z.enum(['video', 'image', 'audio']).optional().describe('Only videos, images or sound files'),
  q: nameQuery.describe('Part of the file’s name, in any case'),
});

export const jobListQuery = pageQuery.extend({
  status: statusQuery.describe('One, or several: with commas or repeated'),
  q: nameQuery.describe('Part of the source’s or the template’s file name, in any case'),
  video_id: id.optional().describe('Only jobs of this source, or with this take'),
  template_video_id: id.optional().describe('Only jobs of this template'),
  style_id: id.optional().describe('Only jobs in this saved style, which may have been deleted since'),
  preset: presetId.optional().describe('Only jobs in the style of this preset'),
});

export const resultQuery = z.object({
  wait: queryInteger(z.int().min(0).max(60))
    .default(0)
    .describe('Seconds to wait for the job to end before answering'),
});

const pageFields = {
  total: count,
  page: count,
  page_size: count,
  next_cursor: text.nullable().describe('Null on the last page'),
};

export const jobListSchema = z.object({ jobs: z.array(jobSchema), ...pageFields }).meta({ id: 'JobList' });
export const videoOrImportSchema = z
  .union([videoSchema, videoImportSchema])
  .meta({ id: 'VideoOrImport', description: 'Distinguished by `status`.' });

export const videoImportRequestSchema = z
  .object({
    url: z.url().max(2048).describe('http(s) address of the file'),
    filename: z.string().max(1024).nullish().describe('For display; default: the end of the address’s path'),
  })
  .meta({ id: 'VideoImportRequest' });

export const videoListSchema = z
  .object({ videos: z.array(videoSchema), ...pageFields })
  .meta({ id: 'VideoList' });
export const webhookSecretSchema = z
  .object({
    secret: z.string().describe('The first of `secrets`'),
    secrets: z
      .array(z.string())
      .describe('All are used for signatures; a receiver verifies with any of them'),
  })
  .meta({ id: 'WebhookSecret' });

export const webhookListSchema = z
  .object({ webhooks: z.array(webhookDeliverySchema) })
  .meta({ id: 'WebhookList' });

export const uploadSchema = z
  .object({
    upload_id: id,
    state: z.enum(['uploading', 'finished', 'failed']),
    filename: text.describe('For display only, sanitised'),
    offset_bytes: count.describe('Received bytes'),
    length_bytes: count,
    video_id: id.nullable().describe('Once finished'),
    error: z
      .object({ code: text, message: text, detail: text, retryable: z.boolean() })
      .nullable()
      .describe('Once failed: why the file is no video for this service'),
    created_at: time,
    expires_at: time.describe('An unfinished upload is removed at this time'),
  })
  .meta({ id: 'Upload' });

export const uploadPath = z.object({ upload_id: z.string().describe('The last part of `Location`') });
export const jobPath = z.object({ job_id: z.string().describe('As returned at creation') });
export const videoPath = z.object({ video_id: z.string().describe('As returned by the upload') });
export const artifactPath = jobPath.extend({ name: z.string().describe('`name` of an artifact') });
export const webhookPath = jobPath.extend({ webhook_id: z.string().describe('Of a delivery in the log') });

const TEMPLATE_HELP = 'A video, image or sound file; the last is also the music of an edit without one';

export const jobCreateSchema = z
  .object({
    video_id: id.describe('The source video'),
    template_video_id: id.nullish().describe(TEMPLATE_HELP),
    style_json: styleJsonSchema.nullish().describe('A Style DNA of an earlier result, instead of a template'),
    preset: presetId.nullish().describe('An included style, instead of a template: see `/api/v1/presets`'),
    style_id: id.nullish().describe('A saved style, instead of a template; the job keeps a copy'),
    config: configSchema
      .nullish()
      .describe('At most 16 KiB; unknown keys are stored and named in `warnings`'),
    edit: editRequestSchema
      .nullish()
      .describe('Makes an edit from many takes instead of styling one video; at most 80 KiB'),
    webhook_url: z.url().max(2048).nullish().describe('http(s) address that is called when the job ends'),
  })
  .loose()
  .superRefine(refineStyleSources)
  .refine((job) => job.edit == null || hasStyle(job), { path: ['edit'], message: NEEDS_STYLE })
  .meta({ id: 'JobCreateRequest' });

export const deletedVideoSchema = z
  .object({ video_id: id, deleted: z.literal(true) })
  .meta({ id: 'DeletedVideo' });
export const deletedJobSchema = z.object({ job_id: id, deleted: z.literal(true) }).meta({ id: 'DeletedJob' });

export const errorSchema = z
  .object({
    success: z.literal(false),
    message: text,
    error: z.object({
      code: z.enum(Object.keys(REQUEST_ERRORS) as [RequestErrorCode, ...RequestErrorCode[]]),
      detail: text,
      retryable: z.boolean().describe('Whether the same request may succeed later'),
      request_id: text,
      fields: z
        .array(fieldErrorSchema)
        .optional()
        .describe('Every field that is wrong; always with VALIDATION_ERROR'),
    }),
    data: jobDetailSchema.optional().describe('With JOB_NOT_COMPLETED only'),
  })
  .meta({ id: 'Error' });
