/** The operations of the files of jobs. */
import { z } from 'zod';
import { artifactPath, jobPath } from './contract.ts';
import { operation } from './operation.ts';

export const downloadQuery = z.object({
  download: z.enum(['0', '1', 'true', 'false']).optional().describe('1: as an attachment'),
  sha256: z.string().optional().describe('Of the file: pages of any origin may show it, as reports do'),
});

const FILE_HEADERS = {
  Range: 'One byte range; several are answered with the whole file.',
  'If-Range': 'ETag or date under which `Range` holds.',
  'If-None-Match': 'ETag: 304 when the file is the same.',
};

export const jobTimelineSchema = z
  .object({
    job_id: z.string(),
    timeline: z
      .record(z.string(), z.unknown())
      .describe(
        'Version 2, as in a plan: `frameRate`, `width`, `height`, `clips`, `transitions`, `audio`. Without grades, captions and the mix of an edit’s sound. New fields may be added',
      ),
    takes: z
      .array(z.object({ video_id: z.string() }))
      .describe('The videos of the timeline’s `takes`, by their numbers. They may have been deleted since'),
  })
  .meta({ id: 'JobTimeline' });

export const getJobTimeline = operation({
  id: 'getJobTimeline',
  method: 'GET',
  path: '/api/v1/jobs/{job_id}/timeline',
  tag: 'Jobs',
  summary: 'Get the timeline of the output',
  description:
    'As data, for players that show before and after: each frame of the output with its video, moment and framing. `ARTIFACT_NOT_FOUND`: the ' +
    'job has no output, or was rendered by an earlier version.',
  params: jobPath,
  success: { status: 200, message: 'Timeline found', data: jobTimelineSchema },
  errors: [
    'JOB_NOT_FOUND',
    'ARTIFACT_NOT_FOUND',
    'JOB_NOT_COMPLETED',
    'RESULT_EXPIRED',
    'SERVICE_UNAVAILABLE',
  ],
});

export const getFrame = operation({
  id: 'getFrame',
  method: 'GET',
  path: '/api/v1/jobs/{job_id}/frame',
  tag: 'Jobs',
  summary: 'Get the newest rendered frame',
  description:
    'At most 640 pixels long, a new one about every two seconds; `frame` of the job and of its events is its number. ' +
    'Before the first one 409, after the end 404.',
  params: jobPath,
  query: z.object({
    sequence: z.string().max(20).optional().describe('Has no effect; gives each frame an address of its own'),
  }),
  success: { status: 200, contentType: 'image/jpeg', description: 'The frame' },
  errors: [
    'JOB_NOT_FOUND',
    'FRAME_NOT_FOUND',
    'FRAME_NOT_READY',
    'RANGE_NOT_SATISFIABLE',
    'SERVICE_UNAVAILABLE',
  ],
});

export const getOutput = operation({
  id: 'getOutput',
  method: 'GET',
  path: '/api/v1/jobs/{job_id}/output',
  tag: 'Jobs',
  summary: 'Get the output video',
  description: 'May redirect to a time-limited address of the storage.',
  params: jobPath,
  query: downloadQuery,
  headers: FILE_HEADERS,
  success: { status: 200, contentType: 'video/mp4', description: 'MP4: H.264, AAC, faststart' },
  errors: [
    'JOB_NOT_FOUND',
    'ARTIFACT_NOT_FOUND',
    'JOB_NOT_COMPLETED',
    'RESULT_EXPIRED',
    'RANGE_NOT_SATISFIABLE',
  ],
});

export const getArtifact = operation({
  id: 'getArtifact',
  method: 'GET',
  path: '/api/v1/jobs/{job_id}/artifacts/{name}',
  tag: 'Jobs',
  summary: 'Get another file of a completed job',
  params: artifactPath,
  query: downloadQuery,
  headers: FILE_HEADERS,
  success: {
    status: 200,
    contentType: 'application/octet-stream',
    description: 'The bytes, under the content type that the job names',
  },
  errors: [
    'JOB_NOT_FOUND',
    'ARTIFACT_NOT_FOUND',
    'JOB_NOT_COMPLETED',
    'RESULT_EXPIRED',
    'RANGE_NOT_SATISFIABLE',
  ],
});
