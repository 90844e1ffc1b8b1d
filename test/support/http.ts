import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { createApp } from '../../src/http/app.ts';
import { limitedProbe, PROBES_AT_ONCE } from '../../src/http/server/limited-probe.ts';
import { DatabaseImportService } from '../../src/imports/import-service.ts';
import { openEngine } from '../../src/installation.ts';
import { BlobPictureService } from '../../src/pipeline/previews/picture-service.ts';
import { BlobPlanService } from '../../src/pipeline/previews/plan-service.ts';
import { BlobPreviewService } from '../../src/pipeline/previews/preview-service.ts';
import { BlobProxyService } from '../../src/pipeline/previews/proxy-service.ts';
import { DatabaseSavedStyles } from '../../src/saved-styles/database-saved-styles.ts';
import { type Config, readConfig } from '../../src/settings/config.ts';
import { PartialFiles } from '../../src/storage/partial-files.ts';
import { NO_TRACING } from '../../src/telemetry/tracing.ts';
import { type JobsService, openService, type ServiceOptions, temporaryDirectory } from './jobs.ts';
import { AUTHORIZATION, NGINX, onlyDirectly, type SignInProxy, startSignInProxy } from './sign-in-proxy.ts';

/** The HTTP interface over real jobs, listening; the test starts the worker with stages of its own. */
export interface HttpService extends JobsService {
  readonly baseUrl: string;
  /** Log lines, parsed. */
  readonly log: readonly Readonly<Record<string, unknown>>[];
  drain(): void;
}

export async function openHttp(
  environment: Readonly<Record<string, string>> = {},
  options: ServiceOptions = {},
): Promise<HttpService> {
  const folder = temporaryDirectory();
  const dataDir = join(folder.path, 'data');
  mkdirSync(dataDir);
  const config: Config = readConfig({ DATA_DIR: dataDir, DISK_RESERVE_BYTES: '0', ...environment });
  const service = await openService(options);
  const engine = openEngine(config);
  const log: Record<string, unknown>[] = [];
  let draining = false;
  const previews = new BlobPreviewService({ engine, blobs: service.blobs });
  const app = await createApp({
    config,
    logger: pino({ level: 'debug', base: null }, { write: (line) => log.push(JSON.parse(line)) }),
    database: service.database,
    blobs: service.blobs,
    partials: new PartialFiles(join(dataDir, 'uploads'), service.blobs),
    jobs: service.jobs.service,
    steering: service.jobs.steering,
    videos: service.jobs.videos,
    imports: new DatabaseImportService({
      database: service.database,
      networks: service.webhooks.networks,
      responses: service.jobs.idempotency,
      maxOpen: config.MAX_OPEN_UPLOADS,
    }),
    styles: new DatabaseSavedStyles({
      ...{ database: service.database, blobs: service.blobs },
      responses: service.jobs.idempotency,
    }),
    idempotency: service.jobs.idempotency,
    webhooks: service.webhooks.service,
    metrics: service.metrics,
    tracing: NO_TRACING,
    webhookSecrets: service.webhooks.secrets,
    previews,
    plans: new BlobPlanService({ engine, blobs: service.blobs }),
    pictures: new BlobPictureService({ engine, blobs: service.blobs }),
    proxies: new BlobProxyService({ blobs: service.blobs }),
    probe: limitedProbe(PROBES_AT_ONCE, (path, signal) =>
      engine.run('probe', { path, maxDurationSeconds: config.MAX_DURATION_SECONDS }, { signal }),
    ),
    checkStorage: () => service.storage.assertUsable(),
    checkMediaEngine: async () => {},
    mediaIsolation: { filesystem: true, network: true, processes: true, limits: true },
    draining: () => draining,
    version: '0.0.0-test',
    startedAt: new Date(),
  });
  const listening = await app.listen({ host: '127.0.0.1', port: 0 });
  const proxy = await proxyBefore(listening);
  return {
    ...service,
    baseUrl: proxy?.url ?? listening,
    log,
    drain: () => {
      draining = true;
    },
    async [Symbol.asyncDispose]() {
      await proxy?.[Symbol.asyncDispose]();
      await app.close();
      await previews[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** With TEST_PROXY=nginx, requests pass through the proxy of `deploy`, and every `fetch` signs in at it. */
async function proxyBefore(listening: string): Promise<SignInProxy | undefined> {
  if (onlyDirectly() === false) return undefined;
  const plainly = globalThis.fetch;
  globalThis.fetch = (to, init) => {
    const headers = new Headers(init?.headers);
    if (!headers.has('authorization')) headers.set('authorization', AUTHORIZATION);
    return plainly(to, { ...init, headers });
  };
  return startSignInProxy(NGINX, [listening]);
}
