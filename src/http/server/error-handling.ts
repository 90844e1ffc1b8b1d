import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../domain/errors.ts';
import { errorResponse, requestFailure } from './error-response.ts';

/** Headers of a successful answer, removed from an error. */
const SUCCESS_HEADERS = [
  'accept-ranges',
  'content-disposition',
  'content-length',
  'etag',
  'last-modified',
  'location',
];

export function addErrorHandling(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => sendFailure(error, request, reply));
  // The first hook answers unknown paths; this is for paths that it passed on.
  app.setNotFoundHandler((request, reply) => {
    sendFailure(new Failure('ROUTE_NOT_FOUND', 'This path does not exist'), request, reply);
  });
}

/**
 * Answers any thrown value in the error format. Unexpected errors are logged with their stack, which is never
 * sent.
 */
export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const failure = requestFailure(error);
  const { status, headers, body } = errorResponse(failure, request.id);
  if (failure.code === 'INTERNAL_ERROR')
    request.log.error({ err: failure.cause ?? failure }, 'unexpected error');
  else if (status >= 500)
    request.log.warn({ err: failure, cause: failure.cause }, 'request could not be served');
  for (const name of SUCCESS_HEADERS) void reply.removeHeader(name);
  // Fastify closes the connection after a refused body, which cuts off a client that is still sending: see
  // unread-body.ts.
  void reply.removeHeader('connection');
  void reply
    .code(status)
    .headers({ 'cache-control': 'no-store', ...headers })
    .send(body);
}
