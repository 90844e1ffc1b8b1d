/** Operations that show a style before rendering: analyses of videos, and previews. */
import { z } from 'zod';
import { MAX_DRAFT_SECONDS, MAX_PREVIEW_MOMENTS, MIN_DRAFT_SECONDS } from '../../domain/preview.ts';
import { JOB_STATUSES } from '../../jobs/model/job.ts';
import { editResultSchema } from '../../style/model/edit-result-schema.ts';
import { jobCreateSchema, queryNumber, styleJsonSchema, videoPath, warningSchema } from './contract.ts';
import { jobErrorSchema } from './error-shapes.ts';
import { IDEMPOTENCY, OF_NEW_WORK, OF_THE_VIDEO, operation } from './operation.ts';
import { hasStyle, NEEDS_STYLE, refineStyleSources } from './style-sources.ts';

const { video_id, template_video_id, style_json, preset, style_id, config, edit } = jobCreateSchema.shape;

export const PREVIEW_KINDS = ['frames', 'draft', 'storyboard', 'plan'] as const;

export const previewCreateSchema = z
  .object({
    video_id,
    template_video_id,
    style_json,
    preset,
    style_id,
    config,
    edit: edit.describe('Of a storyboard or a plan: as in a job'),
    kind: z
      .enum(PREVIEW_KINDS)
      .default('frames')
      .describe(
        '`frames`: moments before and after, one picture. `draft`: a piece of the output, 480 lines. `storyboard`: the plan of an edit in words and one picture. `plan`: the plan as data, for players',
      ),
    at_seconds: z
      .array(z.number().min(0))
      .min(1)
      .max(MAX_PREVIEW_MOMENTS)
      .nullish()
      .describe('Of `frames`: moments of the source; left out: three that are typical of it'),
    start_seconds: z.number().min(0).default(0).describe('Of a draft: its start in the output'),
    duration_seconds: z
      .number()
      .min(MIN_DRAFT_SECONDS)
      .max(MAX_DRAFT_SECONDS)
      .default(MAX_DRAFT_SECONDS)
      .describe('Of a draft'),
  })
  .loose()
  .superRefine(refineStyleSources)
  .refine((body) => body.kind === 'frames' || body.at_seconds == null, {
    path: ['at_seconds'],
    message: 'is for frames; a draft begins at start_seconds',
  })
  .refine((body) => body.kind === 'plan' || (body.kind === 'storyboard') === (body.edit != null), {
    path: ['edit'],
    message: 'is required for a storyboard, and not allowed for frames and drafts',
  })
  .refine((body) => body.edit == null || hasStyle(body), { path: ['edit'], message: NEEDS_STYLE })
  .meta({ id: 'PreviewCreateRequest' });

const count = z.int().min(0);
const pixelBox = z.object({ x: count, y: count, width: count, height: count }).meta({ id: 'PixelBox' });

export const previewSchema = z
  .object({
    preview_id: z.string(),
    kind: z.enum(PREVIEW_KINDS),
    status: z.enum(JOB_STATUSES),
    progress_percent: z.number().min(0).max(100),
    video_id: z.string(),
    template_video_id: z.string().nullable(),
    url: z.url(),
    file_url: z
      .url()
      .nullable()
      .describe('Once completed: JPEG of frames and of a storyboard, MP4 of a draft; null for a plan'),
    picture: z
      .object({
        width: count,
        height: count,
        moments: z.array(
          z.object({
            at_seconds: z.number(),
            before: pixelBox.describe('Area of the picture with the source'),
            after: pixelBox.describe('Area of the picture with the same frame in the style’s colors'),
            output_seconds: z.number().nullable().describe('Its time in the output; null: it is left out'),
            framing: z
              .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
              .nullable()
              .describe('The part of the frame that the output shows, 0..1 from its left and top'),
          }),
        ),
      })
      .nullable()
      .describe('Of `frames`, once completed'),
    edit: editResultSchema.nullable().describe('Of a storyboard, and of a plan with `edit`, once completed'),
    plan: z
      .object({
        timeline: z
          .record(z.string(), z.unknown())
          .describe(
            'The edit decision list that would be rendered, version 2: `frameRate`, `width`, `height`, `takes` with their `grade`, `clips`, `transitions`, `captions`, `captionLook`, `sound`, `audio`. New fields may be added',
          ),
        loudness_gain_db: z
          .number()
          .describe(
            'Gain that brings the sound to its planned loudness; the limiter may keep an output quieter',
          ),
        takes: z
          .array(
            z.object({
              video_id: z.string(),
              width: count,
              height: count,
              duration_seconds: z.number().min(0),
            }),
          )
          .describe('The videos of the timeline’s `takes`, by their numbers'),
        music: z.object({ video_id: z.string(), duration_seconds: z.number().min(0) }).nullable(),
      })
      .nullable()
      .describe('Of a plan, once completed'),
    expected: z
      .object({
        width: count,
        height: count,
        duration_seconds: z.number().min(0),
        frame_rate: z.number().min(0),
        file_bytes: count,
        rendering_seconds: z
          .number()
          .min(0)
          .describe('From the start of the job, at the pace of the jobs of the last hour'),
      })
      .nullable()
      .describe(
        'Of `frames`, once completed: the expected output and cost of a job with this config, mostly within a factor of 1.5',
      ),
    error: jobErrorSchema.nullable().describe('Once failed'),
    warnings: z.array(warningSchema),
  })
  .meta({ id: 'Preview' });

export const analysisSchema = z
  .object({
    video_id: z.string(),
    status: z.enum(JOB_STATUSES),
    progress_percent: z.number().min(0).max(100),
    style_json: styleJsonSchema.nullable().describe('As soon as it is known'),
    description: z
      .string()
      .nullable()
      .describe('The style in one sentence, for people; null until it is known. Its words may change'),
    report_url: z.url().nullable().describe('All findings as one HTML page; stored for a day'),
    error: jobErrorSchema.nullable().describe('Once failed'),
    warnings: z.array(warningSchema),
  })
  .meta({ id: 'Analysis' });

const previewPath = z.object({ preview_id: z.string().describe('As returned at creation') });
const ANALYSIS = '/api/v1/videos/{video_id}/analysis';
const edge = queryNumber(z.number().min(0)).optional();
export const analysisPartSchema = z.object({
  start_seconds: edge.describe('Start of the measured part; default: the start'),
  end_seconds: edge.describe('End of the measured part, at least 0.5 s later; default: the end'),
});

export const createAnalysis = operation({
  id: 'createAnalysis',
  method: 'POST',
  path: ANALYSIS,
  tag: 'Analyses',
  summary: 'Analyze the style of a video without rendering',
  description:
    'Runs on the queue of jobs and is cached like the measurements of jobs. While it is cached, the same request is answered with 200. Of a sound file the tempo, beats, loudness and spectrum are measured, so that plans of edits need not wait for them.',
  params: videoPath,
  query: analysisPartSchema,
  success: { status: 200, message: 'Analysis cached', accepted: 'Analysis queued', data: analysisSchema },
  errors: [...OF_THE_VIDEO, ...OF_NEW_WORK, 'VALIDATION_ERROR'],
});

export const getAnalysis = operation({
  id: 'getAnalysis',
  method: 'GET',
  path: ANALYSIS,
  tag: 'Analyses',
  summary: 'Get the analysis of a video’s style',
  params: videoPath,
  query: analysisPartSchema,
  success: { status: 200, message: 'Analysis found', data: analysisSchema },
  errors: [...OF_THE_VIDEO, 'ANALYSIS_NOT_FOUND', 'VALIDATION_ERROR'],
});

export const getAnalysisReport = operation({
  id: 'getAnalysisReport',
  method: 'GET',
  path: `${ANALYSIS}/report`,
  tag: 'Analyses',
  summary: 'Get the report of an analysis',
  params: videoPath,
  query: analysisPartSchema,
  success: { status: 200, contentType: 'text/html', description: 'One page that needs nothing else' },
  errors: [...OF_THE_VIDEO, 'ANALYSIS_NOT_FOUND', 'VALIDATION_ERROR'],
});

export const createPreview = operation({
  id: 'createPreview',
  method: 'POST',
  path: '/api/v1/previews',
  tag: 'Previews',
  summary: 'See a style on a video before rendering it',
  description:
    'Frames and plans are answered at once (200) when all videos are analyzed: the same request gets the cached answer, and drawing stops ' +
    'when the client aborts the request. Else, and for drafts and storyboards, 202: the missing parts are queued like jobs; poll the ' +
    'preview’s own address until it is completed. Previews are stored for a day. An `Idempotency-Key` is for drafts and storyboards: frames ' +
    'are cached by their request, with or without one.',
  body: previewCreateSchema,
  headers: {
    ...IDEMPOTENCY,
    Prefer: '`handling=strict`: unknown keys are refused instead of named in `warnings`.',
  },
  success: { status: 200, message: 'Preview drawn', accepted: 'Preview queued', data: previewSchema },
  errors: [
    ...OF_THE_VIDEO,
    ...OF_NEW_WORK,
    'TEMPLATE_VIDEO_NOT_FOUND',
    'STYLE_NOT_FOUND',
    'JOB_NOT_FOUND',
    'TRANSCRIPTION_UNAVAILABLE',
    'INVALID_VIDEO',
  ],
});

export const getPreview = operation({
  id: 'getPreview',
  method: 'GET',
  path: '/api/v1/previews/{preview_id}',
  tag: 'Previews',
  summary: 'Get a preview',
  params: previewPath,
  success: { status: 200, message: 'Preview found', data: previewSchema },
  errors: ['PREVIEW_NOT_FOUND', 'INVALID_VIDEO', ...OF_NEW_WORK, 'SERVICE_UNAVAILABLE'],
});

export const getPreviewFile = operation({
  id: 'getPreviewFile',
  method: 'GET',
  path: '/api/v1/previews/{preview_id}/file',
  tag: 'Previews',
  summary: 'Get the picture, the draft or the storyboard',
  params: previewPath,
  headers: {
    Range: 'One byte range; several are answered with the whole file.',
    'If-None-Match': 'ETag: 304 when the file is the same.',
  },
  success: {
    status: 200,
    contentType: 'application/octet-stream',
    description: 'image/jpeg or video/mp4',
  },
  errors: ['PREVIEW_NOT_FOUND', 'PREVIEW_NOT_COMPLETED', 'RANGE_NOT_SATISFIABLE', 'SERVICE_UNAVAILABLE'],
});

export const deletePreview = operation({
  id: 'deletePreview',
  method: 'DELETE',
  path: '/api/v1/previews/{preview_id}',
  tag: 'Previews',
  summary: 'Give up a preview, or remove it',
  description: 'A draft that is queued or rendered is cancelled first.',
  params: previewPath,
  success: {
    status: 200,
    message: 'Preview deleted',
    data: z.object({ preview_id: z.string(), deleted: z.literal(true) }).meta({ id: 'DeletedPreview' }),
  },
  errors: ['PREVIEW_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});
