/** The operations of a video's own bytes, and of its pictures. */
import { videoPath } from './contract.ts';
import { downloadQuery } from './job-file-operations.ts';
import { OF_THE_VIDEO, operation } from './operation.ts';

const PATH = '/api/v1/videos/{video_id}';
const OF_PICTURES = [
  ...OF_THE_VIDEO,
  'INVALID_VIDEO',
  'REQUEST_TIMEOUT',
  'RANGE_NOT_SATISFIABLE',
  'QUEUE_FULL',
  'DRAINING',
  'INSUFFICIENT_STORAGE',
] as const;
const CONDITION = { 'If-None-Match': 'ETag: 304 when the file is the same.' };

export const getVideoFile = operation({
  id: 'getVideoFile',
  method: 'GET',
  path: `${PATH}/file`,
  tag: 'Videos',
  summary: 'Get the file as it was uploaded',
  description: 'For playing with the output. Redirects where the storage serves files itself.',
  params: videoPath,
  query: downloadQuery,
  headers: { Range: 'One byte range; several are answered with the whole file.', ...CONDITION },
  success: {
    status: 200,
    contentType: 'application/octet-stream',
    description: 'The bytes, with the `content_type` of the video; 206 for a range',
  },
  errors: [...OF_THE_VIDEO, 'RANGE_NOT_SATISFIABLE', 'VALIDATION_ERROR'],
});

export const getVideoPoster = operation({
  id: 'getVideoPoster',
  method: 'GET',
  path: `${PATH}/poster`,
  tag: 'Videos',
  summary: 'Get a picture of a video',
  description:
    'Of twelve frames the one that is richest in tones, colors and detail, upright, SDR, at most 640 pixels long; an image gives ' +
    'itself. Made on the first request and stored as long as the video.',
  params: videoPath,
  headers: CONDITION,
  success: { status: 200, contentType: 'image/jpeg', description: 'The picture' },
  errors: OF_PICTURES,
});

export const getVideoFilmstrip = operation({
  id: 'getVideoFilmstrip',
  method: 'GET',
  path: `${PATH}/filmstrip`,
  tag: 'Videos',
  summary: 'Get twelve frames of a video in a row',
  description:
    'Twelve tiles of equal width and 120 lines from left to right, in one JPEG: tile `i` (from 0) shows the time from `i/12` to ' +
    '`(i+1)/12` of the running time, and shows its middle or a frame near to it. Of an image: one tile. `Filmstrip-Tiles` is their number, ' +
    '`Filmstrip-Tile-Size` their width and height as `213x120`, `Filmstrip-Seconds` the time of each.',
  params: videoPath,
  headers: CONDITION,
  success: { status: 200, contentType: 'image/jpeg', description: 'The tiles' },
  errors: OF_PICTURES,
});
