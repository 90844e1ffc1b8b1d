import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '../../domain/errors.ts';
import { type Answer, type Handler, type Operation, validated } from '../contract/operation.ts';

/** Binds an operation to its handler: validates before, adds the envelope after. */
export function route<O extends Operation>(app: FastifyInstance, operation: O, handler: Handler<O>): void {
  app.route({
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    // HEAD of a stream of events would never end.
    exposeHeadRoute: operation.method === 'GET' && !isEventStream(operation.success),
    onRequest: async (request) => assertContentType(operation, request),
    handler: async (request, reply) => {
      const answer = await handler({
        params: validated(operation.params, request.params, 'path'),
        query: validated(operation.query, request.query, 'query'),
        body: bodyOf(operation, request),
        request,
        reply,
      } as Parameters<Handler<O>>[0]);
      return answer === undefined
        ? reply
        : reply
            .code(answer.accepted === true ? 202 : operation.success.status)
            .headers(answer.headers ?? {})
            .send(envelope(operation, answer));
    },
  });
}

function envelope(operation: Operation, answer: Answer): object {
  const { success } = operation;
  const usual = 'message' in success ? (answer.accepted && success.accepted) || success.message : '';
  return { success: true, message: answer.message ?? usual, data: answer.data };
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
