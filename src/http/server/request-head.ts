import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../domain/errors.ts';

/** Throws MALFORMED_REQUEST unless there is one Host header (RFC 9112, section 3.2). */
export function assertOneHost({ raw }: FastifyRequest): void {
  const hosts = raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1)
    throw new Failure('MALFORMED_REQUEST', `The request has ${hosts} Host headers; it must have one`);
  if (hosts === 0 && raw.httpVersion !== '1.0') {
    throw new Failure('MALFORMED_REQUEST', 'The request has no Host header, which HTTP/1.1 requires');
  }
}

/** Refuses a compressed body (RFC 9110, section 8.4). */
export function refuseCodedBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  const coding = raw.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (coding === '' || coding === 'identity') return;
  // Without decoding, the stored bytes would not be a video, and their checksum would be wrong.
  void reply.header('accept-encoding', 'identity');
  throw new Failure(
    'UNSUPPORTED_MEDIA_TYPE',
    `The body is sent with Content-Encoding ${JSON.stringify(coding.slice(0, 64))}; send it uncompressed`,
  );
}
