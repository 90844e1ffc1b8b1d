/** Every operation of the interface, in the order of the documentation. */

import {
  drainWorker,
  getQueue,
  pauseQueue,
  requeueJob,
  resumeQueue,
  resumeWorker,
  setJobPriority,
} from './admin-operations.ts';
import { deleteCaptions, getCaptions, putCaptions } from './caption-operations.ts';
import { createComparison, getComparison, getComparisonFile } from './comparison-operations.ts';
import {
  deletedJobSchema,
  deletedVideoSchema,
  healthSchema,
  jobCreateSchema,
  jobDetailSchema,
  jobListQuery,
  jobListSchema,
  jobPath,
  jobSchema,
  resultQuery,
  videoImportRequestSchema,
  videoImportSchema,
  videoListQuery,
  videoListSchema,
  videoOrImportSchema,
  videoPath,
  videoSchema,
} from './contract.ts';
import { getArtifact, getFrame, getJobTimeline, getOutput } from './job-file-operations.ts';
import { IDEMPOTENCY, operation } from './operation.ts';
import { getPresetClip, getPresetPicture, listPresets } from './preset-operations.ts';
import {
  createAnalysis,
  createPreview,
  deletePreview,
  getAnalysis,
  getAnalysisReport,
  getPreview,
  getPreviewFile,
} from './preview-operations.ts';
import { createProxy, deleteProxy, getProxy, getProxyFile } from './proxy-operations.ts';
import {
  createStyle,
  deleteStyle,
  getStyle,
  getStyleFile,
  getStylePicture,
  listStyles,
  renameStyle,
} from './style-operations.ts';
import { appendUpload, createUpload, deleteUpload, getUpload } from './upload-operations.ts';
import { getVideoFile, getVideoFilmstrip, getVideoPoster } from './video-file-operations.ts';
import { getWebhookSecret, listWebhooks, redeliverWebhook } from './webhook-operations.ts';

export const getHealth = operation({
  id: 'getHealth',
  method: 'GET',
  path: '/api/v1/health',
  tag: 'Service',
  summary: 'Check service health',
  success: { status: 200, message: 'The service answers', data: healthSchema },
  errors: ['SERVICE_UNAVAILABLE'],
});

export const uploadVideo = operation({
  id: 'uploadVideo',
  method: 'POST',
  path: '/api/v1/videos/upload',
  tag: 'Videos',
  summary: 'Upload a video file',
  description: 'The file goes in a form part named `file`. It is probed before the answer.',
  consumes: 'multipart/form-data',
  headers: {
    ...IDEMPOTENCY,
    'Content-Digest': 'RFC 9530, sha-256 or sha-512, of the body or of the file; verified.',
    'X-Checksum-Sha256': 'SHA-256 of the file in hexadecimal or base64; verified.',
  },
  success: { status: 201, message: 'Video uploaded', data: videoSchema },
  errors: [
    'MALFORMED_MULTIPART',
    'MISSING_FILE',
    'REQUEST_TIMEOUT',
    'FILE_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'UNSUPPORTED_VIDEO_FORMAT',
    'VALIDATION_ERROR',
    'INVALID_VIDEO',
    'VIDEO_LIMIT_EXCEEDED',
    'CHECKSUM_MISMATCH',
    'SERVICE_UNAVAILABLE',
    'DRAINING',
    'INSUFFICIENT_STORAGE',
  ],
});

export const importVideo = operation({
  id: 'importVideo',
  method: 'POST',
  path: '/api/v1/videos/import',
  tag: 'Videos',
  summary: 'Import a video from an address',
  description:
    'The service fetches the file, within the limits of an upload; the video reports the progress. A job may be created on it at once: it waits, ' +
    'and fails as the import does. Deleting the video ends the import. Inner addresses are refused as for webhooks.',
  body: videoImportRequestSchema,
  headers: IDEMPOTENCY,
  success: { status: 200, message: 'Video imported', accepted: 'Import begun', data: videoImportSchema },
  errors: ['IMPORT_URL_FORBIDDEN', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE', 'DRAINING', 'INSUFFICIENT_STORAGE'],
});

export const listVideos = operation({
  id: 'listVideos',
  method: 'GET',
  path: '/api/v1/videos',
  tag: 'Videos',
  summary: 'List videos, newest first',
  query: videoListQuery,
  success: { status: 200, message: 'Videos listed', data: videoListSchema },
  errors: ['VALIDATION_ERROR', 'SERVICE_UNAVAILABLE'],
});

export const getVideo = operation({
  id: 'getVideo',
  method: 'GET',
  path: '/api/v1/videos/{video_id}',
  tag: 'Videos',
  summary: 'Get a video',
  params: videoPath,
  success: { status: 200, message: 'Video found', data: videoOrImportSchema },
  errors: ['VIDEO_NOT_FOUND', 'VIDEO_EXPIRED', 'SERVICE_UNAVAILABLE'],
});

export const deleteVideo = operation({
  id: 'deleteVideo',
  method: 'DELETE',
  path: '/api/v1/videos/{video_id}',
  tag: 'Videos',
  summary: 'Delete a video that no live job needs',
  params: videoPath,
  success: { status: 200, message: 'Video deleted', data: deletedVideoSchema },
  errors: ['VIDEO_NOT_FOUND', 'VIDEO_IN_USE', 'VIDEO_EXPIRED', 'SERVICE_UNAVAILABLE'],
});

export const createJob = operation({
  id: 'createJob',
  method: 'POST',
  path: '/api/v1/jobs',
  tag: 'Jobs',
  summary: 'Create a processing job',
  body: jobCreateSchema,
  headers: {
    ...IDEMPOTENCY,
    Prefer: '`handling=strict`: unknown keys are refused instead of named in `warnings`.',
  },
  success: { status: 201, message: 'Job created', data: jobSchema },
  errors: [
    'VIDEO_NOT_FOUND',
    'TEMPLATE_VIDEO_NOT_FOUND',
    'STYLE_NOT_FOUND',
    'JOB_NOT_FOUND',
    'VIDEO_EXPIRED',
    'VIDEO_LIMIT_EXCEEDED',
    'IMPORT_FAILED',
    'TRANSCRIPTION_UNAVAILABLE',
    'WEBHOOK_URL_FORBIDDEN',
    'SERVICE_UNAVAILABLE',
    'QUEUE_FULL',
    'DRAINING',
    'INSUFFICIENT_STORAGE',
  ],
});

export const listJobs = operation({
  id: 'listJobs',
  method: 'GET',
  path: '/api/v1/jobs',
  tag: 'Jobs',
  summary: 'List jobs, newest first',
  query: jobListQuery,
  success: { status: 200, message: 'Jobs listed', data: jobListSchema },
  errors: ['VALIDATION_ERROR', 'SERVICE_UNAVAILABLE'],
});

export const getJob = operation({
  id: 'getJob',
  method: 'GET',
  path: '/api/v1/jobs/{job_id}',
  tag: 'Jobs',
  summary: 'Get job status',
  params: jobPath,
  success: { status: 200, message: 'Job found', data: jobSchema },
  errors: ['JOB_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});

export const getJobResult = operation({
  id: 'getJobResult',
  method: 'GET',
  path: '/api/v1/jobs/{job_id}/result',
  tag: 'Jobs',
  summary: 'Get job result',
  description: 'While the job is queued or processing: 409, whose `data` is the JobDetail with null results.',
  params: jobPath,
  query: resultQuery,
  success: { status: 200, message: 'The job has ended', data: jobDetailSchema },
  errors: ['JOB_NOT_FOUND', 'JOB_NOT_COMPLETED', 'RESULT_EXPIRED', 'VALIDATION_ERROR', 'SERVICE_UNAVAILABLE'],
});

export const cancelJob = operation({
  id: 'cancelJob',
  method: 'POST',
  path: '/api/v1/jobs/{job_id}/cancel',
  tag: 'Jobs',
  summary: 'Cancel a queued or processing job',
  params: jobPath,
  success: { status: 200, message: 'Job cancelled', data: jobSchema },
  errors: ['JOB_NOT_FOUND', 'JOB_NOT_CANCELLABLE', 'SERVICE_UNAVAILABLE'],
});

export const retryJob = operation({
  id: 'retryJob',
  method: 'POST',
  path: '/api/v1/jobs/{job_id}/retry',
  tag: 'Jobs',
  summary: 'Create a new job like a failed or cancelled one',
  params: jobPath,
  success: { status: 201, message: 'Job created', data: jobSchema },
  errors: [
    'JOB_NOT_FOUND',
    'JOB_NOT_RETRYABLE',
    'VIDEO_NOT_FOUND',
    'TEMPLATE_VIDEO_NOT_FOUND',
    'VALIDATION_ERROR',
    'VIDEO_EXPIRED',
    'VIDEO_LIMIT_EXCEEDED',
    'SERVICE_UNAVAILABLE',
    'QUEUE_FULL',
    'DRAINING',
    'INSUFFICIENT_STORAGE',
  ],
});

export const deleteJob = operation({
  id: 'deleteJob',
  method: 'DELETE',
  path: '/api/v1/jobs/{job_id}',
  tag: 'Jobs',
  summary: 'Delete an ended job with its files',
  params: jobPath,
  success: { status: 200, message: 'Job deleted', data: deletedJobSchema },
  errors: ['JOB_NOT_FOUND', 'JOB_NOT_TERMINAL', 'SERVICE_UNAVAILABLE'],
});

export const watchJob = operation({
  id: 'watchJob',
  method: 'GET',
  path: '/api/v1/jobs/{job_id}/events',
  tag: 'Jobs',
  summary: 'Follow a job by server-sent events',
  params: jobPath,
  headers: { 'Last-Event-ID': 'The last event received; it is not sent again.' },
  success: {
    status: 200,
    contentType: 'text/event-stream',
    description:
      'The first event and each of another status or stage is `status` with a Job; `progress` has `job_id` and those fields of the Job that ' +
      'changed since the event before; `done` has a JobDetail, and ends the stream.',
  },
  errors: ['JOB_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});

export const getOpenApi = operation({
  id: 'getOpenApi',
  method: 'GET',
  path: '/api/v1/openapi.json',
  tag: 'Service',
  summary: 'This description',
  success: { status: 200, contentType: 'application/json', description: 'OpenAPI 3.1' },
  errors: [],
});

export const OPERATIONS = [
  getHealth,
  uploadVideo,
  importVideo,
  createUpload,
  getUpload,
  appendUpload,
  deleteUpload,
  listVideos,
  getVideo,
  deleteVideo,
  getVideoFile,
  getVideoPoster,
  getVideoFilmstrip,
  putCaptions,
  getCaptions,
  deleteCaptions,
  createAnalysis,
  getAnalysis,
  getAnalysisReport,
  createPreview,
  getPreview,
  getPreviewFile,
  deletePreview,
  createProxy,
  getProxy,
  getProxyFile,
  deleteProxy,
  listPresets,
  getPresetPicture,
  getPresetClip,
  createStyle,
  listStyles,
  getStyle,
  renameStyle,
  deleteStyle,
  getStylePicture,
  getStyleFile,
  createJob,
  listJobs,
  getJob,
  getJobResult,
  cancelJob,
  retryJob,
  deleteJob,
  watchJob,
  getFrame,
  getOutput,
  getArtifact,
  getJobTimeline,
  createComparison,
  getComparison,
  getComparisonFile,
  getWebhookSecret,
  listWebhooks,
  redeliverWebhook,
  getQueue,
  pauseQueue,
  resumeQueue,
  drainWorker,
  resumeWorker,
  requeueJob,
  setJobPriority,
  getOpenApi,
] as const;
