/** The operations of the comparison of a job that was rendered without one. */
import { z } from 'zod';
import { JOB_STATUSES } from '../../jobs/model/job.ts';
import { jobPath } from './contract.ts';
import { jobErrorSchema } from './error-shapes.ts';
import { downloadQuery } from './job-file-operations.ts';
import { operation } from './operation.ts';

const comparisonSchema = z
  .object({
    job_id: z.string(),
    status: z.enum(JOB_STATUSES),
    progress_percent: z.number().min(0).max(100),
    file_url: z.url().nullable().describe('Once completed: MP4, source and output side by side'),
    error: jobErrorSchema.nullable().describe('Once failed'),
  })
  .meta({ id: 'Comparison' });

const PATH = '/api/v1/jobs/{job_id}/comparison';
const OF_THE_OUTPUT = [
  'JOB_NOT_FOUND',
  'ARTIFACT_NOT_FOUND',
  'COMPARISON_NOT_FOUND',
  'JOB_NOT_COMPLETED',
  'RESULT_EXPIRED',
  'SERVICE_UNAVAILABLE',
] as const;

export const createComparison = operation({
  id: 'createComparison',
  method: 'POST',
  path: PATH,
  tag: 'Jobs',
  summary: 'Make the comparison of a completed job',
  description:
    'Source and output side by side, made when no other job waits; the job itself is complete without it. Stored for a day; a later request ' +
    'makes it again. 200 if it is there already, also for a job with `config.comparison`. `COMPARISON_NOT_FOUND`: the job was rendered by ' +
    'an earlier version, or is an edit from many takes.',
  params: jobPath,
  success: {
    status: 200,
    message: 'Comparison found',
    accepted: 'Comparison queued',
    data: comparisonSchema,
  },
  errors: [
    ...OF_THE_OUTPUT,
    'VIDEO_NOT_FOUND',
    'VIDEO_EXPIRED',
    'VIDEO_LIMIT_EXCEEDED',
    'QUEUE_FULL',
    'DRAINING',
    'INSUFFICIENT_STORAGE',
  ],
});

export const getComparison = operation({
  id: 'getComparison',
  method: 'GET',
  path: PATH,
  tag: 'Jobs',
  summary: 'Get the state of a comparison',
  params: jobPath,
  success: { status: 200, message: 'Comparison found', data: comparisonSchema },
  errors: OF_THE_OUTPUT,
});

export const getComparisonFile = operation({
  id: 'getComparisonFile',
  method: 'GET',
  path: `${PATH}/file`,
  tag: 'Jobs',
  summary: 'Get a comparison',
  params: jobPath,
  query: downloadQuery,
  headers: { Range: 'One byte range; several are answered with the whole file.' },
  success: { status: 200, contentType: 'video/mp4', description: 'MP4: H.264, AAC, faststart' },
  errors: [...OF_THE_OUTPUT, 'RANGE_NOT_SATISFIABLE'],
});
