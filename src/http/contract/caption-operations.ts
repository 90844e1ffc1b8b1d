/** The operations of a video's captions. */
import { z } from 'zod';
import { videoPath, warningSchema } from './contract.ts';
import { OF_THE_VIDEO, operation } from './operation.ts';

const PATH = '/api/v1/videos/{video_id}/captions';

export const captionsSchema = z
  .object({
    video_id: z.string(),
    format: z.enum(['srt', 'vtt']).describe('Found from the bytes'),
    encoding: z.string().describe('Found from the bytes'),
    cue_count: z.int().min(0),
    size_bytes: z.int().min(0),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    warnings: z.array(warningSchema),
  })
  .meta({ id: 'Captions' });
const deletedCaptionsSchema = z
  .object({ video_id: z.string(), deleted: z.literal(true) })
  .meta({ id: 'DeletedCaptions' });

export const putCaptions = operation({
  id: 'putCaptions',
  method: 'PUT',
  path: PATH,
  tag: 'Captions',
  summary: 'Add or replace the captions of a video',
  description:
    'SubRip or WebVTT, at most 4 MiB, in UTF-8, UTF-16 or Windows-1252. Jobs that are created later show them (those that have not ended keep what they were made with), in ' +
    'place of the video’s own text track, where their style has captions. ' +
    'Every line that cannot be read is named in `error.fields`.',
  params: videoPath,
  consumes: 'text/vtt',
  alsoConsumes: ['application/x-subrip', 'text/srt', 'text/plain'],
  success: { status: 200, message: 'Captions stored', data: captionsSchema },
  errors: [
    ...OF_THE_VIDEO,
    'VIDEO_IN_USE',
    'REQUEST_TIMEOUT',
    'BODY_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'INVALID_CAPTIONS',
    'INSUFFICIENT_STORAGE',
  ],
});

export const getCaptions = operation({
  id: 'getCaptions',
  method: 'GET',
  path: PATH,
  tag: 'Captions',
  summary: 'Get the caption file of a video',
  params: videoPath,
  success: { status: 200, contentType: 'text/vtt', description: 'The file as it was sent' },
  errors: [...OF_THE_VIDEO, 'CAPTIONS_NOT_FOUND'],
});

export const deleteCaptions = operation({
  id: 'deleteCaptions',
  method: 'DELETE',
  path: PATH,
  tag: 'Captions',
  summary: 'Remove the captions of a video',
  description: 'Jobs that have not ended keep their captions.',
  params: videoPath,
  success: { status: 200, message: 'Captions deleted', data: deletedCaptionsSchema },
  errors: [...OF_THE_VIDEO, 'VIDEO_IN_USE', 'CAPTIONS_NOT_FOUND'],
});
