import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../src/domain/errors.ts';
import { jobDetailResponse, jobResponse } from '../../src/http/contract/job-response.ts';
import type { Job } from '../../src/jobs/model/job.ts';
import { jobErrorOf } from '../../src/jobs/model/job-failure.ts';
import { aPublication } from '../support/jobs.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second, 250));

const common = {
  jobId: 'j',
  videoId: 'v',
  templateVideoId: null,
  givenStyle: null,
  config: { quality: 'low' },
  edit: null,
  webhookUrl: 'http://example.com',
  retryOf: null,
  createdAt: at(0),
  updatedAt: at(1),
  progressUpdatedAt: at(2),
  progressPercent: 12.5,
  warnings: [],
  product: null,
  sourceFilename: 'beach.mp4',
  templateFilename: null,
  preset: 'noir',
  savedStyle: null,
  origin: { requestId: 'r', trace: null },
  attempt: 1,
};

const error = jobErrorOf(new Failure('ENCODER_FAILED', 'Broken.'), 'rendering', 1, at(9));

/**
 * For each status: fields that may have values and fields that must be null (interface specification, "Job",
 * "Job result").
 */
const table: readonly [Job, Record<string, unknown>][] = [
  [
    { ...common, status: 'queued', progressPercent: 0 },
    { current_stage: null, started_at: null, completed_at: null },
  ],
  [
    { ...common, status: 'processing', stage: 'rendering', startedAt: at(3), frame: null },
    { current_stage: 'rendering', started_at: '2026-01-01T00:00:03.250Z', completed_at: null },
  ],
  [
    {
      ...common,
      status: 'completed',
      startedAt: at(3),
      completedAt: at(8),
      publication: { ...aPublication('j', 1), summary: { text: '1 dissolve' } },
      expiresAt: null,
    },
    {
      current_stage: null,
      completed_at: '2026-01-01T00:00:08.250Z',
      style_json: { version: '1.0.0' },
      summary: { text: '1 dissolve' },
      output_video_url: 'https://host/api/v1/jobs/j/output',
      processing_time_seconds: 5,
      artifacts: [
        {
          name: 'grade.cube',
          content_type: 'video/mp4',
          size_bytes: 9,
          url: 'https://host/api/v1/jobs/j/artifacts/grade.cube',
        },
      ],
    },
  ],
  [
    {
      ...common,
      status: 'completed',
      startedAt: at(3),
      completedAt: at(8),
      publication: aPublication('j', 1),
      expiresAt: null,
    },
    // Of a version that made no summary.
    {
      current_stage: null,
      completed_at: '2026-01-01T00:00:08.250Z',
      style_json: { version: '1.0.0' },
      summary: null,
      output_video_url: 'https://host/api/v1/jobs/j/output',
      processing_time_seconds: 5,
    },
  ],
  [
    { ...common, status: 'failed', startedAt: at(3), completedAt: at(9), error },
    {
      current_stage: null,
      error: {
        code: 'ENCODER_FAILED',
        message: 'The encoder failed',
        detail: 'Broken.',
        stage: 'rendering',
        attempt: 1,
        retryable: true,
        occurred_at: '2026-01-01T00:00:09.250Z',
      },
    },
  ],
  [
    { ...common, status: 'cancelled', startedAt: null, completedAt: at(9) },
    { current_stage: null, started_at: null, completed_at: '2026-01-01T00:00:09.250Z' },
  ],
];

for (const [job, expected] of table) {
  test(`a ${job.status} job has the fields of its status`, () => {
    const detail: Record<string, unknown> = jobDetailResponse(job, 'https://host');
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(detail[name], value, name);
    const absent = {
      style_json: null,
      summary: null,
      output_video_url: null,
      error: null,
      processing_time_seconds: null,
    };
    for (const name of Object.keys(absent).filter((key) => !(key in expected))) {
      assert.equal(detail[name], null, name);
    }
    assert.equal(detail['created_at'], '2026-01-01T00:00:00.250Z');
    const plain = jobResponse(job, 'https://host');
    for (const [name, value] of Object.entries(plain)) assert.deepEqual(detail[name], value, name);
    assert.ok(!('style_json' in plain));
    assert.deepEqual(JSON.parse(JSON.stringify(detail)), detail);
  });
}
