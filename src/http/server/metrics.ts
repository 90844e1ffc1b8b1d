import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { HttpParts } from './parts.ts';

/** Prometheus figures of this process at `/metrics`: Node's own, requests by route, jobs by state. */
export function addMetrics(app: FastifyInstance, { jobs }: HttpParts): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'styledna_http_request_duration_seconds',
    help: 'Time from a request’s head to the end of its answer',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [registry],
  });
  registry.registerMetric(jobsGauge(jobs));
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    requests.observe(
      { method: request.method, route, status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    );
  });
  app.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
}

function jobsGauge(jobs: HttpParts['jobs']): Gauge<'status'> {
  return new Gauge({
    name: 'styledna_jobs',
    help: 'Jobs that have not ended, by status',
    labelNames: ['status'] as const,
    registers: [],
    async collect() {
      // With the database away the other figures still count.
      const figures = await jobs.figures().catch(() => null);
      this.reset();
      if (figures === null) return;
      this.set({ status: 'queued' }, figures.queued);
      this.set({ status: 'processing' }, figures.processing);
    },
  });
}
