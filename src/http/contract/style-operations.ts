/** Saved styles: looks of one's own. */
import { z } from 'zod';
import { adjustmentsPatchSchema } from '../../domain/adjustments.ts';
import { JOB_STATUSES } from '../../jobs/model/job.ts';
import { MAX_TEMPLATES } from '../../style/model/template-limit.ts';
import { pageQuery, styleJsonSchema } from './contract.ts';
import { jobErrorSchema } from './error-shapes.ts';
import { IDEMPOTENCY, OF_NEW_WORK, OF_THE_VIDEO, operation } from './operation.ts';

const time = z.iso.datetime();
const id = z.string().min(1).max(255);
const MAX_NAME_CHARACTERS = 100;
/** Control characters, and marks that have no width or change the direction of text. */
const INVISIBLE = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;

const styleName = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(MAX_NAME_CHARACTERS, `must have at most ${MAX_NAME_CHARACTERS} characters`)
  .refine((name) => !INVISIBLE.test(name), 'must not contain invisible characters')
  .describe('Each saved style has another one, in any case');

const originSchema = z
  .object({
    kind: z.enum(['videos', 'job', 'style_json']),
    videos: z
      .array(z.object({ video_id: id, filename: z.string() }))
      .describe('Of `videos`; they may have been deleted since'),
    job_id: id.nullable().describe('Of `job`; it may have been deleted since'),
  })
  .describe('What the style was made from');

export const savedStyleSchema = z
  .object({
    style_id: id.describe('`style_id` of a new job or preview'),
    status: z.literal('ready').describe('Another while its templates are measured: see StyleMeasuring'),
    name: z.string(),
    description: z.string().describe('The style in one sentence'),
    origin: originSchema,
    use_count: z.int().min(0).describe('Number of existing jobs that were created with it'),
    created_at: time,
    updated_at: time.describe('The most recent change of the name'),
    picture_url: z.url().nullable().describe('A JPEG: the first template, or the poster of the job'),
    file_url: z.url().describe('The StyleJSON with the name, to be saved'),
    style_json: styleJsonSchema,
  })
  .meta({ id: 'SavedStyle' });

export const styleMeasuringSchema = z
  .object({
    status: z.literal('measuring'),
    progress_percent: z.number().min(0).max(100),
    analyses: z.array(
      z.object({
        video_id: id,
        filename: z.string(),
        status: z.enum(JOB_STATUSES),
        progress_percent: z.number().min(0).max(100),
        error: jobErrorSchema.nullable(),
        url: z.url().describe('Of the analysis'),
      }),
    ),
  })
  .meta({ id: 'StyleMeasuring', description: 'Nothing is saved yet: send the same request again.' });

export const styleCreateSchema = z
  .object({
    name: styleName,
    video_ids: z
      .array(id)
      .min(1)
      .max(MAX_TEMPLATES, `must be at most ${MAX_TEMPLATES} templates`)
      .refine(
        (ids) => new Set(ids.map((one) => one.toLowerCase())).size === ids.length,
        'must name each template once',
      )
      .nullish()
      .describe('Templates: videos, images or sound files. Several give one style, what most have in common'),
    style_json: styleJsonSchema.nullish().describe('A Style DNA, such as a saved file'),
    job_id: id.nullish().describe('A completed job: its style, with the dials of its `config.adjust`'),
    adjust: adjustmentsPatchSchema
      .nullish()
      .describe('Dials that change the style before it is saved, as `config.adjust` of a job'),
  })
  .refine(
    (body) => [body.video_ids, body.style_json, body.job_id].filter((one) => one != null).length === 1,
    { path: ['video_ids'], message: 'exactly one of video_ids, style_json and job_id is required' },
  )
  .meta({ id: 'StyleCreateRequest' });

export const stylePath = z.object({ style_id: z.string().describe('As returned at creation') });

export const styleListQuery = pageQuery.extend({
  q: z
    .string()
    .trim()
    .max(200)
    .refine((text) => !text.includes('\u0000'), 'must not hold the character NUL')
    .optional()
    .describe('Part of the name, in any case'),
});

export const createStyle = operation({
  id: 'createStyle',
  method: 'POST',
  path: '/api/v1/styles',
  tag: 'Styles',
  summary: 'Save a style',
  description:
    'Of one to ten templates, a Style DNA, or a completed job. 202 while templates are measured, with their analyses: nothing is saved yet; ' +
    'send the same request again. A failed analysis fails the request with the name of its video; an analysis can be requested again.',
  body: styleCreateSchema,
  headers: IDEMPOTENCY,
  success: {
    status: 201,
    message: 'Style saved',
    accepted: 'Templates are being measured',
    data: z
      .union([savedStyleSchema, styleMeasuringSchema])
      .meta({ id: 'StyleCreation', description: 'Distinguished by `status`.' }),
  },
  errors: [
    ...(['INVALID_JSON', 'REQUEST_TIMEOUT', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const),
    ...([
      'VALIDATION_ERROR',
      'STYLE_NAME_TAKEN',
      'JOB_NOT_FOUND',
      'JOB_NOT_COMPLETED',
      'RESULT_EXPIRED',
    ] as const),
    ...(['INVALID_VIDEO', 'IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED'] as const),
    ...OF_THE_VIDEO,
    ...OF_NEW_WORK,
  ],
});

export const listStyles = operation({
  id: 'listStyles',
  method: 'GET',
  path: '/api/v1/styles',
  tag: 'Styles',
  summary: 'List saved styles, newest first',
  query: styleListQuery,
  success: {
    status: 200,
    message: 'Styles listed',
    data: z
      .object({
        styles: z.array(savedStyleSchema),
        total: z.int().min(0),
        page: z.int().min(0),
        page_size: z.int().min(0),
        next_cursor: z.string().nullable().describe('Null on the last page'),
      })
      .meta({ id: 'SavedStyleList' }),
  },
  errors: ['VALIDATION_ERROR', 'SERVICE_UNAVAILABLE'],
});

export const getStyle = operation({
  id: 'getStyle',
  method: 'GET',
  path: '/api/v1/styles/{style_id}',
  tag: 'Styles',
  summary: 'Get a saved style',
  params: stylePath,
  success: { status: 200, message: 'Style found', data: savedStyleSchema },
  errors: ['STYLE_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});

export const renameStyle = operation({
  id: 'renameStyle',
  method: 'PATCH',
  path: '/api/v1/styles/{style_id}',
  tag: 'Styles',
  summary: 'Rename a saved style',
  description: 'Jobs that were created with it keep the name that it had.',
  params: stylePath,
  body: z.object({ name: styleName }).meta({ id: 'StyleRenameRequest' }),
  success: { status: 200, message: 'Style renamed', data: savedStyleSchema },
  errors: [
    ...(['INVALID_JSON', 'REQUEST_TIMEOUT', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const),
    ...(['VALIDATION_ERROR', 'STYLE_NOT_FOUND', 'STYLE_NAME_TAKEN', 'SERVICE_UNAVAILABLE'] as const),
  ],
});

export const deleteStyle = operation({
  id: 'deleteStyle',
  method: 'DELETE',
  path: '/api/v1/styles/{style_id}',
  tag: 'Styles',
  summary: 'Delete a saved style',
  description: 'Jobs that were created with it have their own copy.',
  params: stylePath,
  success: {
    status: 200,
    message: 'Style deleted',
    data: z.object({ style_id: id, deleted: z.literal(true) }).meta({ id: 'DeletedStyle' }),
  },
  errors: ['STYLE_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});

export const getStylePicture = operation({
  id: 'getStylePicture',
  method: 'GET',
  path: '/api/v1/styles/{style_id}/picture',
  tag: 'Styles',
  summary: 'Get the picture of a saved style',
  params: stylePath,
  headers: { Range: 'One byte range; several are answered with the whole file.' },
  success: { status: 200, contentType: 'image/jpeg', description: 'The picture; 206 for a range' },
  errors: ['STYLE_NOT_FOUND', 'ARTIFACT_NOT_FOUND', 'RANGE_NOT_SATISFIABLE', 'SERVICE_UNAVAILABLE'],
});

export const getStyleFile = operation({
  id: 'getStyleFile',
  method: 'GET',
  path: '/api/v1/styles/{style_id}/file',
  tag: 'Styles',
  summary: 'Download a saved style',
  description: 'StyleJSON with `name`. `style_json` of a new style, and `styledna apply --style`, accept it.',
  params: stylePath,
  success: { status: 200, contentType: 'application/json', description: 'StyleJSON, as a file' },
  errors: ['STYLE_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});
