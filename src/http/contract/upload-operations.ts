/** The operations of resumable uploads. */
import { uploadPath, uploadSchema } from './contract.ts';
import { operation } from './operation.ts';

const TUS = { 'Tus-Resumable': '`1.0.0`' };

/** Errors of the last piece, after which the file is probed like any upload. */
const REFUSED_VIDEO = [
  'UNSUPPORTED_VIDEO_FORMAT',
  'INVALID_VIDEO',
  'VIDEO_LIMIT_EXCEEDED',
  'SERVICE_UNAVAILABLE',
  'INSUFFICIENT_STORAGE',
] as const;

export const createUpload = operation({
  id: 'createUpload',
  method: 'POST',
  path: '/api/v1/uploads',
  tag: 'Uploads',
  summary: 'Begin a resumable upload',
  description: 'tus 1.0 (tus.io) with creation, termination, expiration and checksum; any tus client works.',
  headers: {
    ...TUS,
    'Upload-Length': 'Size of the file in bytes.',
    'Upload-Metadata': '`filename` and its value in base64.',
  },
  success: { status: 201, message: 'Upload created', data: uploadSchema },
  errors: [
    'TUS_VERSION_UNSUPPORTED',
    'FILE_TOO_LARGE',
    'INVALID_VIDEO',
    'VALIDATION_ERROR',
    'SERVICE_UNAVAILABLE',
    'DRAINING',
    'INSUFFICIENT_STORAGE',
  ],
});

export const getUpload = operation({
  id: 'getUpload',
  method: 'GET',
  path: '/api/v1/uploads/{upload_id}',
  tag: 'Uploads',
  summary: 'Get a resumable upload',
  description: 'The `HEAD` request of tus. Continue the upload at the `Upload-Offset` of the response.',
  params: uploadPath,
  success: { status: 200, message: 'Upload found', data: uploadSchema },
  errors: ['UPLOAD_NOT_FOUND', 'UPLOAD_EXPIRED', 'TUS_VERSION_UNSUPPORTED', ...REFUSED_VIDEO],
});

export const appendUpload = operation({
  id: 'appendUpload',
  method: 'PATCH',
  path: '/api/v1/uploads/{upload_id}',
  tag: 'Uploads',
  summary: 'Send the next piece of a resumable upload',
  description: 'The answer to the last piece names the video in `X-Video-Id`.',
  params: uploadPath,
  consumes: 'application/offset+octet-stream',
  headers: {
    ...TUS,
    'Upload-Offset': 'Offset of the piece; must equal the received length.',
    'Upload-Checksum': '`sha1`, `sha256` or `sha512`, and the digest of the piece in base64; verified.',
  },
  success: { status: 204, description: 'The piece is stored; `Upload-Offset` is the received length' },
  errors: [
    'UPLOAD_NOT_FOUND',
    'UPLOAD_EXPIRED',
    'UPLOAD_OFFSET_MISMATCH',
    'UPLOAD_CHECKSUM_MISMATCH',
    'TUS_VERSION_UNSUPPORTED',
    'REQUEST_TIMEOUT',
    'FILE_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'VALIDATION_ERROR',
    'DRAINING',
    ...REFUSED_VIDEO,
  ],
});

export const deleteUpload = operation({
  id: 'deleteUpload',
  method: 'DELETE',
  path: '/api/v1/uploads/{upload_id}',
  tag: 'Uploads',
  summary: 'Cancel a resumable upload',
  description: 'A video already created from it is not deleted.',
  params: uploadPath,
  headers: TUS,
  success: { status: 204, description: 'The received data is deleted' },
  errors: ['UPLOAD_NOT_FOUND', 'UPLOAD_EXPIRED', 'TUS_VERSION_UNSUPPORTED', 'SERVICE_UNAVAILABLE'],
});
