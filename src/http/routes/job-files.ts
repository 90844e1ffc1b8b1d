import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure, type RequestErrorCode } from '../../domain/errors.ts';
import type { Artifact, Publication } from '../../domain/stage.ts';
import type { Job } from '../../jobs/model/job.ts';
import { frameBlobKey } from '../../storage/blob-names.ts';
import type { BlobInfo, BlobStore } from '../../storage/blob-store.ts';
import { contentDisposition } from '../../storage/content-disposition.ts';
import { servedAs } from '../../storage/content-types.ts';
import type * as operations from '../contract/job-file-operations.ts';
import type { Handler } from '../contract/operation.ts';
import { byteRange, isNotModified, isRangeCurrent, type Validators } from '../server/byte-range.ts';
import type { HttpContext } from '../server/context.ts';
import { downloadName } from '../server/file-name.ts';
import { mustGet, resultExpired } from './jobs.ts';

/** The file at an address never changes, but the job may be deleted. */
const CACHE = 'private, max-age=3600';
/** A frame is drawn every 1.5 s. */
const NEXT_FRAME_SECONDS = 2;

/**
 * Reports are pages: each says itself, by hashes, which style sheet and script are its own, and of two policies a browser obeys both.
 * Films are played from here. Sandboxed, a page has an origin of its own: one that came with an import reads nothing of the service.
 */
const PAGE_POLICY =
  "default-src 'none'; img-src data:; media-src 'self'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts allow-popups allow-downloads";

interface ServedFile {
  readonly artifact: Artifact;
  readonly fileName: string;
  /** Known for the output only. */
  readonly sha256: string | null;
  /** What it is when its bytes are gone; left out: RESULT_EXPIRED. */
  readonly goneCode?: RequestErrorCode;
  /** Whether it may be another one soon. */
  readonly isFleeting?: boolean;
}

export function getOutput({ parts }: HttpContext): Handler<typeof operations.getOutput> {
  return async ({ params, query, request, reply }) => {
    const job = await mustGet(parts.jobs, params.job_id);
    const { output } = publicationOf(job);
    const file = {
      artifact: output,
      fileName: downloadName(job.sourceFilename, 'output.mp4', job.jobId),
      sha256: output.sha256,
    };
    await serve(parts.blobs, file, isYes(query.download), request, reply);
    return undefined;
  };
}

export function getArtifact({ parts }: HttpContext): Handler<typeof operations.getArtifact> {
  return async ({ params, query, request, reply }) => {
    const job = await mustGet(parts.jobs, params.job_id);
    const artifact = publicationOf(job).artifacts.find(({ name }) => name === params.name);
    if (artifact === undefined) {
      throw new Failure('ARTIFACT_NOT_FOUND', `The job has no file ${JSON.stringify(params.name)}`);
    }
    const file = {
      artifact,
      fileName: downloadName(job.sourceFilename, artifact.name, job.jobId),
      sha256: null,
    };
    await serve(parts.blobs, file, isYes(query.download), request, reply);
    return undefined;
  };
}

/** The newest frame of what is being rendered. */
export function getFrame({ parts }: HttpContext): Handler<typeof operations.getFrame> {
  return async ({ params, request, reply }) => {
    const job = await mustGet(parts.jobs, params.job_id);
    if ('completedAt' in job) throw new Failure('FRAME_NOT_FOUND', `The job is ${job.status}`);
    const frame = job.status === 'processing' ? job.frame : null;
    if (frame === null) {
      const detail = `The job is ${job.status === 'queued' ? 'queued' : `at ${job.stage}`}`;
      throw new Failure('FRAME_NOT_READY', detail, { retryAfterSeconds: NEXT_FRAME_SECONDS });
    }
    const blobKey = frameBlobKey(job.jobId, job.attempt, frame.sequence);
    const artifact = { name: 'frame.jpg', blobKey, contentType: 'image/jpeg', sizeBytes: 0 };
    const file = {
      artifact,
      fileName: downloadName(job.sourceFilename, 'frame.jpg', job.jobId),
      sha256: null,
    };
    await serve(
      parts.blobs,
      { ...file, goneCode: 'FRAME_NOT_READY', isFleeting: true },
      false,
      request,
      reply,
    );
    return undefined;
  };
}

function publicationOf(job: Job): Publication {
  if (job.status === 'completed') {
    if (job.publication === null) throw resultExpired(job);
    return job.publication;
  }
  if ('completedAt' in job)
    throw new Failure('ARTIFACT_NOT_FOUND', `The job is ${job.status}: it has no files`);
  throw new Failure('JOB_NOT_COMPLETED', `The job is ${job.status}`, { retryAfterSeconds: 5 });
}

export function isYes(flag: string | undefined): boolean {
  return flag === '1' || flag === 'true';
}

/** Sends a file, or a redirect to where the storage serves it. RFC 9110: conditions (13), ranges (14). */
export async function serve(
  blobs: BlobStore,
  file: ServedFile,
  download: boolean,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { artifact, fileName } = file;
  const { type: contentType, isShown } = servedAs(artifact.contentType, artifact.blobKey);
  const isDownload = download || !isShown;
  const info = await blobs.head(artifact.blobKey);
  if (info === null) throw new Failure(file.goneCode ?? 'RESULT_EXPIRED', 'The file is no longer kept');
  // An address of the storage is signed for GET alone.
  if (request.method === 'GET') {
    const elsewhere = await blobs.publicUrl(artifact.blobKey, {
      ...{ contentType, fileName, download: isDownload },
    });
    if (elsewhere !== null) {
      void reply.header('cache-control', 'no-store').redirect(elsewhere, 302);
      return;
    }
  }
  const validators = validatorsOf(file, info);
  reply.headers({
    'accept-ranges': 'bytes',
    'cache-control': file.isFleeting === true ? 'no-store' : CACHE,
    'content-disposition': contentDisposition(fileName, isDownload),
    // A page of an allowed origin may show the video.
    'cross-origin-resource-policy': 'cross-origin',
    etag: validators.etag,
    ...(contentType.startsWith('text/html') ? { 'content-security-policy': PAGE_POLICY } : {}),
    'last-modified': validators.lastModified.toUTCString(),
  });
  if (isNotModified(request.headers['if-none-match'], validators)) {
    void reply.code(304).send();
    return;
  }
  await sendBytes(blobs, { ...artifact, contentType }, info.sizeBytes, validators, request, reply);
}

function validatorsOf({ sha256 }: ServedFile, info: BlobInfo): Validators {
  const version = sha256 ?? `${info.sizeBytes.toString(36)}-${info.modifiedAt.getTime().toString(36)}`;
  return { etag: `"${version}"`, lastModified: info.modifiedAt };
}

async function sendBytes(
  blobs: BlobStore,
  { blobKey, contentType }: Artifact,
  size: number,
  validators: Validators,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const wanted = request.method === 'GET' && isRangeCurrent(header(request, 'if-range'), validators);
  const range = wanted ? byteRange(request.headers.range, size) : null;
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`).removeHeader('content-disposition');
    throw new Failure('RANGE_NOT_SATISFIABLE', `The file has ${size} bytes`);
  }
  reply.type(contentType).header('content-length', range === null ? size : range.end - range.start + 1);
  if (range !== null) {
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  }
  // For HEAD Fastify reads a stream to its end and keeps the headers: the empty one is enough.
  const bytes = request.method === 'HEAD' ? Readable.from([]) : await blobs.get(blobKey, range ?? undefined);
  void reply.send(bytes);
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
