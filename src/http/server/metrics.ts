import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Gauge } from 'prom-client';
import type { QueueFigures } from '../../jobs/model/job.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { HttpParts } from './parts.ts';

/**
 * Prometheus metrics at `/metrics`: those of this process, and those shared by all processes on its database.
 */
export function addMetrics(app: FastifyInstance, { jobs, metrics, webhooks }: HttpParts): void {
  const { registry } = metrics;
  addClusterGauges(metrics, () => jobs.figures());
  countRequests(app, metrics);
  const countBytes = byteCounter(app, metrics);
  app.get('/metrics', async (_request, reply) => {
    countBytes();
    // While the database is down the last value remains.
    const shares = await webhooks.sharesSecrets().catch(() => null);
    if (shares !== null) metrics.webhookSecretsDiffer.set(shares ? 0 : 1);
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

function countRequests(app: FastifyInstance, { httpSeconds, httpRequests }: Metrics): void {
  app.addHook('onRequest', async () => httpRequests.inc());
  app.addHook('onResponse', async (request, reply) => {
    httpRequests.dec();
    const route = request.routeOptions.url ?? 'none';
    httpSeconds.observe(
      { method: request.method, route, status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    );
  });
}

/** Counts the bytes of every connection, including open ones. Returns a function that updates the counts. */
function byteCounter(app: FastifyInstance, { httpBytes }: Metrics): () => void {
  const counted = new Map<Socket, { read: number; written: number }>();
  const count = (socket: Socket) => {
    const latest = counted.get(socket);
    if (latest === undefined) return;
    httpBytes.inc({ direction: 'in' }, socket.bytesRead - latest.read);
    httpBytes.inc({ direction: 'out' }, socket.bytesWritten - latest.written);
    latest.read = socket.bytesRead;
    latest.written = socket.bytesWritten;
  };
  app.server.on('connection', (socket: Socket) => {
    counted.set(socket, { read: 0, written: 0 });
    socket.once('close', () => {
      count(socket);
      counted.delete(socket);
    });
  });
  return () => {
    for (const socket of counted.keys()) count(socket);
  };
}

/** Values from the database, the same in every process. A fleet takes their maximum, never the sum. */
const CLUSTER: Readonly<
  Record<string, { readonly help: string; readonly values: (figures: QueueFigures) => GaugeValues }>
> = {
  jobs: {
    help: 'Jobs that have not ended',
    values: ({ queued, processing }) => [
      [{ status: 'queued' }, queued],
      [{ status: 'processing' }, processing],
    ],
  },
  queue_oldest_seconds: {
    help: 'Age of the oldest queued job; 0 when none is',
    values: ({ oldestQueuedSeconds }) => [[{}, oldestQueuedSeconds ?? 0]],
  },
  workers: {
    help: 'Workers; silent: no heartbeat for 30 s, so lost, or ended abnormally within the last hour',
    values: ({ workers, drainingWorkers, silentWorkers }) => [
      [{ state: 'working' }, workers],
      [{ state: 'draining' }, drainingWorkers],
      [{ state: 'silent' }, silentWorkers],
    ],
  },
  queue_paused: {
    help: '1 while an operator has paused the queue',
    values: ({ isPaused }) => [[{}, isPaused ? 1 : 0]],
  },
  worker_slots: {
    help: 'Jobs that the working workers can run at a time',
    values: ({ slots }) => [[{}, slots]],
  },
  webhooks_pending: {
    help: 'Webhooks that are not delivered yet',
    values: ({ pendingWebhooks }) => [[{}, pendingWebhooks]],
  },
};

type GaugeValues = readonly (readonly [Readonly<Record<string, string>>, number])[];

/** Several gauges of one response share a query. */
function addClusterGauges({ registry }: Metrics, readFigures: () => Promise<QueueFigures>): void {
  let pending: Promise<QueueFigures | null> | null = null;
  // While the database is down the other metrics remain.
  const figures = () => {
    pending ??= readFigures()
      .catch(() => null)
      .finally(() => {
        pending = null;
      });
    return pending;
  };
  for (const [name, { help, values }] of Object.entries(CLUSTER)) {
    const labelNames = Object.keys(values(NO_FIGURES)[0][0]);
    const gauge = new Gauge({
      name: `styledna_cluster_${name}`,
      help: `${help}. The same in every process: take the maximum`,
      labelNames,
      registers: [registry],
      async collect() {
        const known = await figures();
        gauge.reset();
        if (known === null) gauge.remove();
        else for (const [labels, value] of values(known)) gauge.set(labels, value);
      },
    });
  }
}

const NO_FIGURES: QueueFigures = {
  queued: 0,
  processing: 0,
  oldestQueuedSeconds: null,
  isPaused: false,
  workers: 0,
  drainingWorkers: 0,
  silentWorkers: 0,
  slots: 0,
  pendingWebhooks: 0,
};
