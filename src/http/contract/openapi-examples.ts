/** Examples of requests and responses; a test validates them by the schemas. */
import { ADMIN_REQUESTS, ADMIN_RESPONSES, WORKER_ID } from './admin-examples.ts';
import { EDIT_JOB, EDIT_RESULT, WHOLE_EDIT } from './edit-examples.ts';
import { PLANNED, TIMELINE_RESPONSES } from './plan-examples.ts';
import { PROXY_RESPONSES } from './proxy-examples.ts';
import { STYLE, STYLE_ID, STYLE_REQUESTS, STYLE_RESPONSES } from './style-examples.ts';
import { IMPORT, VIDEO } from './video-examples.ts';

const JOB = {
  job_id: '019aa3f2-4c1e-7d0a-9b51-0c6f6f1f2e11',
  video_id: VIDEO.video_id,
  status: 'queued',
  progress_percent: 0,
  current_stage: null,
  created_at: '2026-01-15T10:01:00.000Z',
  updated_at: '2026-01-15T10:01:00.000Z',
  started_at: null,
  completed_at: null,
  template_video_id: '019aa3f1-9e0c-7b6e-a0d7-2f3c9d5e8b02',
  source_filename: VIDEO.filename,
  template_filename: 'trailer.mp4',
  preset: null,
  style_id: null,
  style_name: null,
  attempt: 0,
  progress_updated_at: '2026-01-15T10:01:00.000Z',
  retry_of: null,
  config: { quality: 'medium', style_strength: 0.8 },
  edit_request: null,
  warnings: [],
  url: 'http://127.0.0.1:8080/api/v1/jobs/019aa3f2-4c1e-7d0a-9b51-0c6f6f1f2e11',
  frame: null,
};

const SUMMARY = {
  text: '1 punch-in on the beat, cropped to 9:16 following the speaker, sound +6 LU',
  source: { width: 1920, height: 1080, frame_rate: 25, duration_seconds: 61.2 },
  output: { width: 1080, height: 1920, frame_rate: 25, duration_seconds: 61.2 },
  cuts: { of_source: 8, added: 2, on_beat_share: 0.6 },
  punch_ins: { count: 1, on_beat: 1, median_zoom: 1.32 },
  push_ins: 0,
  transitions: {},
  framing: { manner: 'crop', aspect_ratio: '9:16', follows: 'speaker' },
  stabilised_seconds: 0,
  left_out_seconds: 0,
  captions: 0,
  loudness: { before_lufs: -20.1, after_lufs: -14, change_lu: 6.1 },
  color_strength: null,
  entries: [
    { at_seconds: 12.48, kind: 'punch_in', text: 'punch-in 1.32× on the beat', source_seconds: 12.48 },
    { at_seconds: 15.2, kind: 'punch_out', text: 'back to the wider framing', source_seconds: 15.2 },
  ],
};

const RESULT = {
  ...JOB,
  status: 'completed',
  progress_percent: 100,
  attempt: 1,
  started_at: '2026-01-15T10:01:00.050Z',
  completed_at: '2026-01-15T10:02:10.250Z',
  updated_at: '2026-01-15T10:02:10.250Z',
  progress_updated_at: '2026-01-15T10:02:10.250Z',
  style_json: STYLE,
  summary: SUMMARY,
  edit: null,
  output_video_url: `${JOB.url}/output`,
  error: null,
  processing_time_seconds: 70.2,
  expires_at: null,
  artifacts: [
    {
      name: 'grade.cube',
      content_type: 'text/plain',
      size_bytes: 985000,
      url: `${JOB.url}/artifacts/grade.cube`,
    },
  ],
};

const HEALTH = {
  status: 'healthy',
  version: '1.0.0',
  uptime_seconds: 3600.5,
  checks: {
    database: 'ok',
    storage: 'ok',
    disk_free_bytes: 85899345920,
    media_engine: 'ok',
    media_isolation: { filesystem: true, network: true, processes: true, limits: true },
    queue: { paused: false, queued: 3, processing: 1, oldest_queued_seconds: 12.5 },
    workers: 1,
  },
  features: { transcription: true },
};

const COMPARISON = {
  job_id: JOB.job_id,
  status: 'completed',
  progress_percent: 100,
  file_url: `http://127.0.0.1:8080/api/v1/jobs/${JOB.job_id}/comparison/file`,
  error: null,
};

const page = { total: 1, page: 1, page_size: 10, next_cursor: null };
const ok = (message: string, data: object) => ({ success: true, message, data });

type Examples = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const PREVIEW_ID = '9f86d081884c7d659a2feaa0c55ad0154bf5122f344554c53bde2ebb8cd2b7e3';
const PREVIEW = {
  preview_id: PREVIEW_ID,
  kind: 'frames',
  status: 'completed',
  progress_percent: 100,
  video_id: VIDEO.video_id,
  template_video_id: JOB.template_video_id,
  url: `http://127.0.0.1:8080/api/v1/previews/${PREVIEW_ID}`,
  file_url: `http://127.0.0.1:8080/api/v1/previews/${PREVIEW_ID}/file`,
  picture: {
    width: 960,
    height: 1084,
    moments: [
      {
        at_seconds: 20,
        before: { x: 0, y: 0, width: 960, height: 540 },
        after: { x: 0, y: 544, width: 960, height: 540 },
        output_seconds: 20,
        framing: { x: 0.342, y: 0, width: 0.316, height: 1 },
      },
    ],
  },
  edit: null,
  plan: null,
  expected: {
    ...{ width: 1080, height: 1920, duration_seconds: 62.4, frame_rate: 30 },
    ...{ file_bytes: 58_000_000, rendering_seconds: 71 },
  },
  error: null,
  warnings: [],
};

const ANALYSIS = {
  video_id: VIDEO.video_id,
  status: 'completed',
  progress_percent: 100,
  style_json: STYLE,
  description: 'Vivid color, a cut every 3.2 s, 120 BPM',
  report_url: `http://127.0.0.1:8080/api/v1/videos/${VIDEO.video_id}/analysis/report`,
  error: null,
  warnings: [],
};

const UPLOAD = {
  upload_id: '019aa3f0-7d11-7b6e-8f42-2f3c9d5e8c03',
  state: 'uploading',
  filename: VIDEO.filename,
  offset_bytes: 4194304,
  length_bytes: VIDEO.size_bytes,
  video_id: null,
  error: null,
  created_at: '2026-01-15T09:59:00.000Z',
  expires_at: '2026-01-16T09:59:00.000Z',
};

const DELIVERY = {
  webhook_id: '019aa3f3-77c0-7d1f-8c11-5f0a2b9c4d05',
  event: 'job.completed',
  url: 'https://example.com/hooks/styledna',
  state: 'delivered',
  created_at: '2026-01-15T10:02:10.250Z',
  next_attempt_at: null,
  attempts: [{ attempted_at: '2026-01-15T10:02:10.300Z', status_code: 200, error: null, duration_ms: 84 }],
};

const CAPTIONS = 'WEBVTT\n\n00:00:01.000 --> 00:00:03.500\nWe were the first on the mountain.\n';

/** Parameters by name: all parameters of paths, and required headers. */
export const PARAMETER_EXAMPLES: Readonly<Record<string, string>> = {
  video_id: VIDEO.video_id,
  upload_id: UPLOAD.upload_id,
  preview_id: PREVIEW_ID,
  preset_id: 'noir',
  style_id: STYLE_ID,
  job_id: JOB.job_id,
  webhook_id: DELIVERY.webhook_id,
  worker_id: WORKER_ID,
  name: 'grade.cube',
  'Tus-Resumable': '1.0.0',
  'Upload-Length': String(VIDEO.size_bytes),
  'Upload-Metadata': 'filename aG9saWRheS5tcDQ=',
  'Upload-Offset': '0',
};

export const WEBHOOK_EXAMPLE = {
  ...ok('Job completed', RESULT),
  type: 'job.completed',
  timestamp: RESULT.completed_at,
};

/** Responses without an envelope. */
export const PLAIN_EXAMPLES: Readonly<Record<string, unknown>> = {
  getCaptions: CAPTIONS,
  getStyleFile: { ...STYLE, name: 'Our brand' },
  watchJob: `id: queued//0/0\nevent: status\ndata: ${JSON.stringify(JOB)}\n\n`,
};

export const REQUEST_EXAMPLES: Examples = {
  ...ADMIN_REQUESTS,
  ...STYLE_REQUESTS,
  putCaptions: { webvtt: CAPTIONS },
  importVideo: { address: { url: 'https://example.com/holiday.mp4' } },
  createJob: {
    minimal: { video_id: VIDEO.video_id },
    template: {
      video_id: VIDEO.video_id,
      template_video_id: JOB.template_video_id,
      config: { quality: 'high', style_strength: 1, components: { aspect_ratio: false } },
      webhook_url: 'https://example.com/hooks/styledna',
    },
    style: { video_id: VIDEO.video_id, style_json: STYLE },
    preset: { video_id: VIDEO.video_id, preset: 'noir' },
    saved: { video_id: VIDEO.video_id, style_id: STYLE_ID },
    edit: EDIT_JOB,
  },
  createPreview: {
    frames: {
      video_id: VIDEO.video_id,
      template_video_id: JOB.template_video_id,
      config: { style_strength: 0.6 },
      at_seconds: [1.5, 20],
    },
    draft: {
      video_id: VIDEO.video_id,
      preset: 'noir',
      kind: 'draft',
      start_seconds: 12,
      duration_seconds: 6,
    },
    storyboard: { ...EDIT_JOB, kind: 'storyboard' },
    plan: { ...EDIT_JOB, kind: 'plan' },
  },
};

export const RESPONSE_EXAMPLES: Examples = {
  getHealth: { healthy: ok('The service is healthy', HEALTH) },
  uploadVideo: { video: ok('Video uploaded', VIDEO) },
  listVideos: { page: ok('Videos listed', { videos: [VIDEO], ...page }) },
  importVideo: { begun: ok('Import begun', { ...IMPORT, received_bytes: 0, size_bytes: null }) },
  getVideo: { video: ok('Video found', VIDEO), importing: ok('Video found', IMPORT) },
  deleteVideo: { deleted: ok('Video deleted', { video_id: VIDEO.video_id, deleted: true }) },
  createUpload: { begun: ok('Upload created', { ...UPLOAD, offset_bytes: 0 }) },
  getUpload: {
    uploading: ok('Upload found', UPLOAD),
    finished: ok('Upload found', {
      ...UPLOAD,
      state: 'finished',
      offset_bytes: UPLOAD.length_bytes,
      video_id: VIDEO.video_id,
    }),
  },
  putCaptions: {
    stored: ok('Captions stored', {
      video_id: VIDEO.video_id,
      format: 'vtt',
      encoding: 'utf-8',
      cue_count: 1,
      size_bytes: 75,
      sha256: VIDEO.sha256,
      warnings: [],
    }),
  },
  deleteCaptions: { deleted: ok('Captions deleted', { video_id: VIDEO.video_id, deleted: true }) },
  createComparison: {
    there: ok('Comparison found', COMPARISON),
    queued: ok('Comparison queued', {
      ...COMPARISON,
      status: 'queued',
      progress_percent: 0,
      file_url: null,
    }),
  },
  getComparison: { completed: ok('Comparison found', COMPARISON) },
  ...PROXY_RESPONSES,
  ...TIMELINE_RESPONSES,
  ...STYLE_RESPONSES,
  createAnalysis: {
    kept: ok('Analysis cached', ANALYSIS),
    queued: ok('Analysis queued', {
      ...ANALYSIS,
      status: 'queued',
      progress_percent: 0,
      style_json: null,
      description: null,
      report_url: null,
    }),
  },
  getAnalysis: { found: ok('Analysis found', ANALYSIS) },
  createPreview: { drawn: ok('Preview drawn', PREVIEW) },
  getPreview: {
    drawn: ok('Preview found', PREVIEW),
    plan: ok('Preview found', { ...PREVIEW, ...PLANNED }),
    storyboard: ok('Preview found', {
      ...PREVIEW,
      preview_id: JOB.job_id,
      kind: 'storyboard',
      url: `http://127.0.0.1:8080/api/v1/previews/${JOB.job_id}`,
      file_url: `http://127.0.0.1:8080/api/v1/previews/${JOB.job_id}/file`,
      picture: null,
      edit: EDIT_RESULT,
    }),
  },
  deletePreview: { deleted: ok('Preview deleted', { preview_id: PREVIEW_ID, deleted: true }) },
  listPresets: {
    one: ok('Presets listed', {
      presets: [
        {
          preset_id: 'noir',
          name: 'Noir',
          description: 'Black and white with hard contrast; the cut and the sound stay yours.',
          components: ['color'],
          picture_url: 'https://styledna.example.com/api/v1/presets/noir/picture',
          clip_url: 'https://styledna.example.com/api/v1/presets/noir/clip',
          style_json: STYLE,
        },
      ],
      plain_picture_url: 'https://styledna.example.com/api/v1/presets/plain/picture',
    }),
  },
  createJob: {
    queued: ok('Job created', JOB),
    edit: ok('Job created', { ...JOB, edit_request: WHOLE_EDIT }),
  },
  listJobs: { page: ok('Jobs listed', { jobs: [JOB], ...page }) },
  getJob: {
    queued: ok('Job found', { ...JOB, queue_position: 2, eta_seconds: null }),
    rendering: ok('Job found', {
      ...JOB,
      status: 'processing',
      progress_percent: 71.5,
      current_stage: 'rendering',
      attempt: 1,
      started_at: '2026-01-15T10:01:00.050Z',
      frame: { url: `${JOB.url}/frame?sequence=4`, sequence: 4, at_seconds: 12.4 },
      queue_position: null,
      eta_seconds: 20,
    }),
  },
  getJobResult: {
    completed: ok('The job has ended: completed', RESULT),
    edit: ok('The job has ended: completed', { ...RESULT, edit_request: WHOLE_EDIT, edit: EDIT_RESULT }),
  },
  cancelJob: {
    cancelled: ok('Job cancelled', {
      ...JOB,
      status: 'cancelled',
      completed_at: '2026-01-15T10:01:05.000Z',
      updated_at: '2026-01-15T10:01:05.000Z',
    }),
  },
  ...ADMIN_RESPONSES,
  requeueJob: { queued: ok('Job created', { ...JOB, retry_of: '019aa3f0-11aa-7b6e-a0d7-2f3c9d5e8b02' }) },
  setJobPriority: { moved: ok('Job moved', { ...JOB, queue_position: 1 }) },
  retryJob: { queued: ok('Job created', { ...JOB, retry_of: '019aa3f0-11aa-7b6e-a0d7-2f3c9d5e8b02' }) },
  deleteJob: { deleted: ok('Job deleted', { job_id: JOB.job_id, deleted: true }) },
  getWebhookSecret: {
    found: ok('Webhook secret found', {
      secret: 'whsec_ZXhhbXBsZS1vZi1hLXNlY3JldC1vbmx5',
      secrets: ['whsec_ZXhhbXBsZS1vZi1hLXNlY3JldC1vbmx5'],
    }),
  },
  listWebhooks: {
    delivered: ok('Webhook deliveries listed', {
      webhooks: [DELIVERY],
    }),
  },
  redeliverWebhook: {
    queued: ok('Webhook queued again', {
      ...DELIVERY,
      state: 'pending',
      next_attempt_at: '2026-01-15T10:05:00.000Z',
    }),
  },
};
