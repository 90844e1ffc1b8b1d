import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../errors.ts';

/** A request that says itself how it is to be read: RFC 9112, section 3.2 (Host), and RFC 9110, section 8.4 (codings). */
export function refuseAmbiguousRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request;
  const hosts = raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1)
    throw new Failure('MALFORMED_REQUEST', `The request has ${hosts} Host headers; it needs one`);
  if (hosts === 0 && raw.httpVersion !== '1.0') {
    throw new Failure('MALFORMED_REQUEST', 'The request has no Host header, which HTTP/1.1 needs');
  }
  const coding = raw.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (coding === '' || coding === 'identity') return;
  // Stored as they come the bytes would be no video, and their checksum that of something else.
  void reply.header('accept-encoding', 'identity');
  throw new Failure(
    'UNSUPPORTED_MEDIA_TYPE',
    `The body is sent with Content-Encoding ${JSON.stringify(coding.slice(0, 64))}; send it as it is`,
  );
}
