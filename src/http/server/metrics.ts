import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Gauge } from 'prom-client';
import type { QueueFigures } from '../../jobs/model/job.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { HttpParts } from './parts.ts';

/** Prometheus figures at `/metrics`: what this process counted, and what all on its database share. */
export function addMetrics(app: FastifyInstance, { jobs, metrics, webhooks }: HttpParts): void {
  const { registry } = metrics;
  addClusterGauges(metrics, () => jobs.figures());
  countRequests(app, metrics);
  const countBytes = byteCounter(app, metrics);
  app.get('/metrics', async (_request, reply) => {
    countBytes();
    // While the database is down the last figure remains.
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

/** Counts the bytes of every connection, open ones included; returns what brings the counts up to date. */
function byteCounter(app: FastifyInstance, { httpBytes }: Metrics): () => void {
  const counted = new Map<Socket, { read: number; written: number }>();
  const count = (socket: Socket) => {
    const known = counted.get(socket);
    if (known === undefined) return;
    httpBytes.inc({ direction: 'in' }, socket.bytesRead - known.read);
    httpBytes.inc({ direction: 'out' }, socket.bytesWritten - known.written);
    known.read = socket.bytesRead;
    known.written = socket.bytesWritten;
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

/** What every process answers alike, from the database. Of these a fleet takes the maximum, never the sum. */
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
    help: 'Workers; silent: not heard for 30 s, so lost, or ended without a word within the last hour',
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
    help: 'Jobs that the workers that take jobs can do at a time',
    values: ({ slots }) => [[{}, slots]],
  },
  webhooks_pending: {
    help: 'Webhooks that are not delivered yet',
    values: ({ pendingWebhooks }) => [[{}, pendingWebhooks]],
  },
};

type GaugeValues = readonly (readonly [Readonly<Record<string, string>>, number])[];

/** Several gauges of one answer ask once. */
function addClusterGauges({ registry }: Metrics, look: () => Promise<QueueFigures>): void {
  let pending: Promise<QueueFigures | null> | null = null;
  // With the database away the other figures still count.
  const figures = () => {
    pending ??= look()
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
      help: `${help}. The same from every process: take the maximum`,
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
