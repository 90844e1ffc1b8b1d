import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '../../domain/errors.ts';
import { type Handler, type HandlerResult, type Operation, validated } from '../contract/operation.ts';

/** Binds an operation to its handler: validates before, adds the envelope after. */
export function route<O extends Operation>(app: FastifyInstance, operation: O, handler: Handler<O>): void {
  app.route({
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    // HEAD of a stream of events would never end.
    exposeHeadRoute: operation.method === 'GET' && !isEventStream(operation.success),
    onRequest: async (request) => assertContentType(operation, request),
    handler: async (request, reply) => {
      const result = await handler({
        params: validated(operation.params, request.params, 'path'),
        query: validated(operation.query, request.query, 'query'),
        body: bodyOf(operation, request),
        request,
        reply,
      } as Parameters<Handler<O>>[0]);
      return result === undefined
        ? reply
        : reply
            .code(result.accepted === true ? 202 : operation.success.status)
            .headers(result.headers ?? {})
            .send(envelope(operation, result));
    },
  });
}

function envelope(operation: Operation, result: HandlerResult): object {
  const { success } = operation;
  const usual = 'message' in success ? (result.accepted && success.accepted) || success.message : '';
  return { success: true, message: result.message ?? usual, data: result.data };
}

function isEventStream(success: Operation['success']): boolean {
  return 'contentType' in success && success.contentType === 'text/event-stream';
}

function bodyOf(operation: Operation, request: FastifyRequest): unknown {
  if (operation.consumes !== 'application/json') return undefined;
  if (request.body === undefined) throw new Failure('INVALID_JSON', 'The body is empty; send a JSON object');
  return validated(operation.body, request.body, 'body');
}

/** A request without a body needs no content type. */
function assertContentType({ consumes, alsoConsumes = [] }: Operation, request: FastifyRequest): void {
  if (consumes === null) return;
  const contentType = request.headers['content-type'];
  const hasBody =
    Number(request.headers['content-length'] ?? 0) > 0 || 'transfer-encoding' in request.headers;
  if (contentType === undefined && !hasBody && consumes === 'application/json') return;
  const named = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (named === consumes || alsoConsumes.includes(named)) return;
  throw new Failure(
    'UNSUPPORTED_MEDIA_TYPE',
    `Send ${[consumes, ...alsoConsumes].join(' or ')}${contentType === undefined ? '' : `, not ${JSON.stringify(contentType.slice(0, 100))}`}`,
  );
}
