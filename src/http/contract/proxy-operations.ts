/** The operations of proxies: small copies of uploaded files for players. */
import { z } from 'zod';
import { JOB_STATUSES } from '../../jobs/model/job.ts';
import { videoPath } from './contract.ts';
import { jobErrorSchema } from './error-shapes.ts';
import { OF_NEW_WORK, OF_THE_VIDEO, operation } from './operation.ts';

const count = z.int().min(0);

export const proxySchema = z
  .object({
    video_id: z.string(),
    kind: z.enum(['video', 'image', 'audio']),
    status: z.enum(JOB_STATUSES),
    progress_percent: z.number().min(0).max(100),
    file_url: z.url().nullable().describe('Once completed: MP4, of an image JPEG, of a sound file M4A'),
    width: count.nullable().describe('Once completed; 0 for a sound file'),
    height: count.nullable().describe('Once completed; 0 for a sound file'),
    frame_rate: z
      .number()
      .min(0)
      .nullable()
      .describe('Once completed: constant, frames per second; 0 for an image and a sound file'),
    duration_seconds: z.number().min(0).nullable().describe('Once completed; 0 for an image'),
    has_sound: z.boolean().nullable().describe('Once completed'),
    error: jobErrorSchema.nullable().describe('Once failed'),
  })
  .meta({ id: 'Proxy' });

const PATH = '/api/v1/videos/{video_id}/proxy';

export const createProxy = operation({
  id: 'createProxy',
  method: 'POST',
  path: PATH,
  tag: 'Proxies',
  summary: 'Make a small copy of a video for players',
  description:
    'Runs on the queue of jobs. H.264 of at most 540 lines (short side) at a constant rate, a key frame every 12 frames, BT.709, index in front, ' +
    'AAC. Its picture is what grade and crops of an output are applied to: upright, square pixels, progressive, SDR. Frame `n` shows what the ' +
    'source shows at `n / frame_rate`, so a plan’s `sourceStartSeconds` is a time of the proxy. Above 60 frames a second, it has a whole part of the rate. ' +
    'Of an image: a JPEG of at most 1080 lines; of a sound file: AAC. Stored as long as a video of the same content; then the same request is answered with 200.',
  params: videoPath,
  success: { status: 200, message: 'Proxy found', accepted: 'Proxy queued', data: proxySchema },
  errors: [...OF_THE_VIDEO, ...OF_NEW_WORK, 'VALIDATION_ERROR'],
});

export const getProxy = operation({
  id: 'getProxy',
  method: 'GET',
  path: PATH,
  tag: 'Proxies',
  summary: 'Get the state of a proxy',
  params: videoPath,
  success: { status: 200, message: 'Proxy found', data: proxySchema },
  errors: [...OF_THE_VIDEO, 'PROXY_NOT_FOUND'],
});

export const getProxyFile = operation({
  id: 'getProxyFile',
  method: 'GET',
  path: `${PATH}/file`,
  tag: 'Proxies',
  summary: 'Get a proxy',
  description: 'Redirects where the storage serves files itself.',
  params: videoPath,
  headers: {
    Range: 'One byte range; several are answered with the whole file.',
    'If-None-Match': 'ETag: 304 when the file is the same.',
  },
  success: {
    status: 200,
    contentType: 'application/octet-stream',
    description: 'video/mp4, image/jpeg or audio/mp4; 206 for a range',
  },
  errors: [...OF_THE_VIDEO, 'PROXY_NOT_FOUND', 'RANGE_NOT_SATISFIABLE'],
});

export const deleteProxy = operation({
  id: 'deleteProxy',
  method: 'DELETE',
  path: PATH,
  tag: 'Proxies',
  summary: 'Cancel or delete a proxy',
  description:
    'A queued or running proxy is cancelled. Its file is deleted, also for other videos of the same content.',
  params: videoPath,
  success: {
    status: 200,
    message: 'Proxy deleted',
    data: z.object({ video_id: z.string(), deleted: z.literal(true) }).meta({ id: 'DeletedProxy' }),
  },
  errors: [...OF_THE_VIDEO, 'PROXY_NOT_FOUND'],
});
