import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure, type RequestErrorCode } from '../../domain/errors.ts';
import type { Artifact } from '../../domain/stage.ts';
import type { BlobInfo } from '../../storage/blob-store.ts';
import { contentDisposition } from '../../storage/content-disposition.ts';
import { servedAs } from '../../storage/content-types.ts';
import { type ByteRange, byteRange, isNotModified, isRangeCurrent, type Validators } from './byte-range.ts';
import type { HttpContext } from './context.ts';
import { allowEmbedding } from './origins.ts';

/** The file at an address never changes, but the job may be deleted. */
const CACHE = 'private, max-age=3600';
/**
 * Policy of HTML reports. Each page's own policy allows its style sheet and script by hashes, and a browser
 * enforces both policies. Media are played from this service, by addresses with their hash. Sandboxed, a page
 * has its own origin, so an imported one cannot read data of the service.
 */
const PAGE_POLICY =
  "default-src 'none'; img-src data:; media-src 'self'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts allow-popups allow-downloads";

export interface StoredFile {
  readonly artifact: Artifact;
  readonly fileName: string;
  /** In hexadecimal; null if it is not known. */
  readonly sha256: string | null;
  /** The error when the blob is missing; by default RESULT_EXPIRED. */
  readonly missingCode?: RequestErrorCode;
  /** The blob is replaced within seconds, so responses are not cached. */
  readonly isReplacedSoon?: boolean;
}

/** Sends a file, or a redirect to its address in the storage. RFC 9110: conditions (13), ranges (14). */
export async function sendStoredFile(
  { parts, sender }: HttpContext,
  file: StoredFile,
  download: boolean,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { artifact, fileName } = file;
  const { type: contentType, isInline } = servedAs(artifact.contentType, artifact.blobKey);
  const isDownload = download || !isInline;
  const info = await parts.blobs.head(artifact.blobKey);
  if (info === null) throw missing(file);
  if (isNamedByHash(file, request)) allowEmbedding(reply);
  // An address of the storage is signed for GET only.
  if (request.method === 'GET') {
    const storageUrl = await parts.blobs.publicUrl(artifact.blobKey, {
      ...{ contentType, fileName, download: isDownload },
    });
    if (storageUrl !== null) {
      void reply.header('cache-control', 'no-store').redirect(storageUrl, 302);
      return;
    }
  }
  const validators = validatorsOf(file, info);
  reply.headers({
    'accept-ranges': 'bytes',
    'cache-control': file.isReplacedSoon === true ? 'no-store' : CACHE,
    'content-disposition': contentDisposition(fileName, isDownload),
    etag: validators.etag,
    ...(contentType.startsWith('text/html') ? { 'content-security-policy': PAGE_POLICY } : {}),
    'last-modified': validators.lastModified.toUTCString(),
  });
  if (isNotModified(request.headers['if-none-match'], validators)) {
    void reply.code(304).send();
    return;
  }
  const range = requestedRange(request, info.sizeBytes, validators, reply);
  const { start, end } = range ?? { start: 0, end: info.sizeBytes - 1 };
  // The store may have to fetch the bytes, which HEAD does not need.
  const opened = request.method === 'HEAD' ? null : await sender.open(artifact.blobKey, request, reply);
  if (opened === null && request.method !== 'HEAD') throw missing(file);
  if (range !== null) reply.code(206).header('content-range', `bytes ${start}-${end}/${info.sizeBytes}`);
  void reply.type(contentType).header('content-length', end - start + 1);
  // For HEAD Fastify reads a stream to its end and sends only the headers.
  if (opened === null) void reply.send(Readable.from([]));
  else sender.send(opened, { start, end }, request, reply);
}

/**
 * A report is sandboxed: its origin is opaque and its requests have no `Referer`. The hash in its addresses shows that it was made from the
 * file; a page that knows only ids cannot guess it.
 */
function isNamedByHash({ sha256 }: StoredFile, { query }: FastifyRequest): boolean {
  return sha256 !== null && (query as Readonly<Record<string, unknown>>)['sha256'] === sha256;
}

function missing({ missingCode }: StoredFile): Failure {
  return new Failure(missingCode ?? 'RESULT_EXPIRED', 'The file has been removed');
}

function validatorsOf({ sha256 }: StoredFile, info: BlobInfo): Validators {
  const version = sha256 ?? `${info.sizeBytes.toString(36)}-${info.modifiedAt.getTime().toString(36)}`;
  return { etag: `"${version}"`, lastModified: info.modifiedAt };
}

/** Null: the whole file. Throws RANGE_NOT_SATISFIABLE. */
export function requestedRange(
  request: FastifyRequest,
  size: number,
  validators: Validators,
  reply: FastifyReply,
): ByteRange | null {
  const isRanged = request.method === 'GET' && isRangeCurrent(header(request, 'if-range'), validators);
  const range = isRanged ? byteRange(request.headers.range, size) : null;
  if (range !== 'unsatisfiable') return range;
  reply.header('content-range', `bytes */${size}`).removeHeader('content-disposition');
  throw new Failure('RANGE_NOT_SATISFIABLE', `The file has ${size} bytes`);
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
