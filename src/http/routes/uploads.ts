import type { FastifyRequest } from 'fastify';
import { REQUEST_ERRORS } from '../../domain/errors.ts';
import { assertOpen, type ResumableUploads } from '../../uploads/resumable-uploads.ts';
import type { Upload } from '../../uploads/upload-store.ts';
import type { Handler } from '../contract/operation.ts';
import type * as operations from '../contract/upload-operations.ts';
import type { HttpContext } from '../server/context.ts';
import { pacedBody } from '../server/paced-body.ts';
import { refuseWhenDraining } from '../server/readiness.ts';
import {
  assertSupported,
  byteCount,
  pieceChecksum,
  requireTusVersion,
  UPLOADS_PATH,
  uploadMetadata,
} from '../server/tus.ts';
import { fairQueueClient } from './job-creation.ts';

export function createUpload(
  { parts, reserve }: HttpContext,
  uploads: ResumableUploads,
): Handler<typeof operations.createUpload> {
  return async ({ request, reply }) => {
    requireTusVersion(request, reply);
    refuseWhenDraining(parts);
    assertSupported(request);
    const { text, fileName } = uploadMetadata(request);
    const lengthBytes = byteCount(request, 'Upload-Length');
    await reserve.assertFree(lengthBytes);
    const upload = await uploads.create({
      lengthBytes,
      fileName,
      metadata: text,
      client: fairQueueClient(request, {}),
    });
    const location = `${UPLOADS_PATH}/${upload.uploadId}`;
    return { data: uploadResponse(upload), headers: { ...tusHeaders(upload), location } };
  };
}

/** GET is this service's own: any client may read it. HEAD is tus's: where to go on. */
export function getUpload(uploads: ResumableUploads): Handler<typeof operations.getUpload> {
  return async ({ params, request, reply }) => {
    const isTus = request.method === 'HEAD';
    if (isTus) requireTusVersion(request, reply);
    const upload = await (isTus ? uploads.settled(params.upload_id) : uploads.get(params.upload_id));
    // A client that only reads offsets would take a refused upload for a finished one.
    if (isTus) assertOpen(upload);
    return { data: uploadResponse(upload), headers: tusHeaders(upload) };
  };
}

export function appendUpload(
  { parts, reserve }: HttpContext,
  uploads: ResumableUploads,
): Handler<typeof operations.appendUpload> {
  return async ({ params, request, reply }) => {
    requireTusVersion(request, reply);
    refuseWhenDraining(parts);
    const { config } = parts;
    const upload = await uploads.append(params.upload_id, {
      offsetBytes: byteCount(request, 'Upload-Offset'),
      announcedBytes: announcedBytes(request),
      checksum: pieceChecksum(request),
      bytes: reserve.guard(
        pacedBody(request.raw, {
          idleSeconds: config.UPLOAD_IDLE_SECONDS,
          minBytesPerSecond: config.UPLOAD_LEAST_BYTES_PER_SECOND,
        }),
      ),
      interrupt: () => request.raw.destroy(),
    });
    await reply.code(204).headers(tusHeaders(upload)).send();
    return undefined;
  };
}

export function deleteUpload(uploads: ResumableUploads): Handler<typeof operations.deleteUpload> {
  return async ({ params, request, reply }) => {
    requireTusVersion(request, reply);
    await uploads.remove(params.upload_id);
    await reply.code(204).send();
    return undefined;
  };
}

function announcedBytes(request: FastifyRequest): number | null {
  const length = request.headers['content-length'];
  return length === undefined ? null : Number(length);
}

function tusHeaders({ uploadId, info, arrived }: Upload): Record<string, string> {
  return {
    'upload-offset': String(arrived.offsetBytes),
    'upload-length': String(info.lengthBytes),
    'upload-expires': info.expiresAt.toUTCString(),
    ...(info.metadata === null ? {} : { 'upload-metadata': info.metadata }),
    ...(info.end === 'finished' ? { 'x-video-id': uploadId } : {}),
  };
}

function uploadResponse({ uploadId, info, arrived }: Upload) {
  const { end } = info;
  const failed = end === null || end === 'finished' ? null : end;
  return {
    upload_id: uploadId,
    state: end === null ? 'uploading' : failed === null ? 'finished' : 'failed',
    filename: info.fileName,
    offset_bytes: arrived.offsetBytes,
    length_bytes: info.lengthBytes,
    video_id: end === 'finished' ? uploadId : null,
    error:
      failed === null
        ? null
        : {
            code: failed.code,
            message: REQUEST_ERRORS[failed.code].message,
            detail: failed.detail,
            retryable: REQUEST_ERRORS[failed.code].retryable,
          },
    created_at: info.createdAt.toISOString(),
    expires_at: info.expiresAt.toISOString(),
  };
}
