import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { JobOrigin } from '../../jobs/model/job.ts';
import {
  readTraceparent,
  type TraceContext,
  traceContextOf,
  withinTrace,
} from '../../telemetry/trace-context.ts';
import type { Span, Tracing } from '../../telemetry/tracing.ts';
import { isPolled } from './polled-routes.ts';

const spans = new WeakMap<FastifyRequest, Span>();

/** A span for each request, in the sender's trace; the work of the request runs within it. */
export function addRequestTrace(app: FastifyInstance, tracing: Tracing): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { url: route } = request.routeOptions;
    if (isPolled(route)) return done();
    const span = tracing.start(`${request.method} ${route ?? 'unknown'}`, {
      kind: 'server',
      parent: traceContextOf(request.headers),
      attributes: {
        'http.request.method': request.method,
        'styledna.request.id': request.id,
        ...(route === undefined ? {} : { 'http.route': route }),
      },
    });
    spans.set(request, span);
    withinTrace(span.context, done);
  });
  app.addHook('onResponse', async (request, reply) => {
    const span = spans.get(request);
    span?.set({ 'http.response.status_code': reply.statusCode });
    // Only server errors: a client's mistake is not a failure of the server (OpenTelemetry, "HTTP spans").
    if (reply.statusCode >= 500) span?.fail(String(reply.statusCode));
    span?.end();
  });
}

function traceOf(request: FastifyRequest): TraceContext | null {
  return spans.get(request)?.context ?? null;
}

/** The trace id for a log line. */
export function traceIdOf(request: FastifyRequest): string | undefined {
  const context = traceOf(request);
  return context === null ? undefined : readTraceparent(context.traceparent)?.traceId;
}

export function originOf(request: FastifyRequest): JobOrigin {
  return { requestId: request.id, trace: traceOf(request) };
}
