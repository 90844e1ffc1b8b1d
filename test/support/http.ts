import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { openEngine } from '../../src/compose.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { createApp } from '../../src/http/app.ts';
import { type HouseOptions, type JobsHouse, openHouse, temporaryDirectory } from './jobs.ts';

/** The HTTP interface over real jobs, listening; the test starts the worker with stages of its own. */
export interface HttpHouse extends JobsHouse {
  readonly baseUrl: string;
  /** Log lines, parsed. */
  readonly log: readonly Readonly<Record<string, unknown>>[];
  drain(): void;
}

export async function openHttp(
  environment: Readonly<Record<string, string>> = {},
  options: HouseOptions = {},
): Promise<HttpHouse> {
  const folder = temporaryDirectory();
  const dataDir = join(folder.path, 'data');
  mkdirSync(dataDir);
  const config: Config = readConfig({ DATA_DIR: dataDir, DISK_RESERVE_BYTES: '0', ...environment });
  const house = await openHouse(options);
  const engine = openEngine(config);
  const log: Record<string, unknown>[] = [];
  let draining = false;
  const app = await createApp({
    config,
    logger: pino({ level: 'debug', base: null }, { write: (line) => log.push(JSON.parse(line)) }),
    database: house.database,
    blobs: house.blobs,
    jobs: house.jobs.desk,
    videos: house.jobs.videos,
    idempotency: house.jobs.idempotency,
    webhooks: house.webhooks.desk,
    probe: (path, signal) =>
      engine.run('probe', { path, maxDurationSeconds: config.MAX_DURATION_SECONDS }, { signal }),
    checkMediaEngine: async () => {},
    mediaIsolation: { filesystem: true, network: true, processes: true, limits: true },
    draining: () => draining,
    version: '0.0.0-test',
    startedAt: new Date(),
  });
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    ...house,
    baseUrl,
    log,
    drain: () => {
      draining = true;
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await house[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}
