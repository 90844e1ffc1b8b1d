import type { FastifyInstance } from 'fastify';
import type { Handler } from '../contract/operation.ts';
import type * as operations from '../contract/operations.ts';
import { assertUsable, type HealthCheck } from '../server/health-check.ts';
import type { HttpParts } from '../server/parts.ts';

export function getHealth(check: HealthCheck): Handler<typeof operations.getHealth> {
  return async () => {
    const health = await check.current();
    assertUsable(health);
    return { data: health, message: `The service is ${health.status}` };
  };
}

/** Probes of orchestrators, outside the versioned interface: whether the process runs, and accepts traffic. */
export function addProbes(app: FastifyInstance, parts: HttpParts, check: HealthCheck): void {
  app.get('/livez', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    if (parts.draining()) return reply.code(503).send({ status: 'draining' });
    const { checks } = await check.current();
    const ready = checks.database === 'ok' && checks.storage === 'ok';
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'unavailable' });
  });
}
