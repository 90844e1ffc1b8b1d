import type { FastifyInstance } from 'fastify';
import { isPolled } from './polled-routes.ts';
import { traceIdOf } from './request-trace.ts';

/**
 * One line for each request, also when its client closed the connection before the answer. It contains the
 * route, not the URL, whose query and file names are the client's.
 */
export function addRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url;
    const trace = traceIdOf(request);
    const line = {
      method: request.method,
      route: route ?? null,
      status: reply.statusCode,
      duration_ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(trace === undefined ? {} : { trace_id: trace }),
    };
    if (isPolled(route)) request.log.debug(line, 'request');
    else request.log.info(line, 'request');
  });
  app.addHook('onRequestAbort', async (request) => {
    request.log.info(
      { method: request.method, route: request.routeOptions.url ?? null },
      'the client closed the connection before the answer',
    );
  });
}
