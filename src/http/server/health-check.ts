import type { z } from 'zod';
import { Failure } from '../../domain/errors.ts';
import type { QueueFigures } from '../../jobs/model/job.ts';
import type { healthSchema } from '../contract/contract.ts';
import type { DiskReserve } from './disk-reserve.ts';
import type { HttpParts } from './parts.ts';

const CACHED_MS = 1000;
const LIMIT_MS = 3000;

export type Health = z.output<typeof healthSchema>;

/**
 * Tests the dependencies of the service, at most once a second. A check of more than three seconds has
 * failed.
 */
export class HealthCheck {
  readonly #parts: HttpParts;
  readonly #reserve: DiskReserve;
  #latest: { readonly health: Promise<Health>; readonly startedAtMs: number } | undefined;

  constructor(parts: HttpParts, reserve: DiskReserve) {
    this.#parts = parts;
    this.#reserve = reserve;
  }

  current(): Promise<Health> {
    const now = performance.now();
    if (this.#latest === undefined || now - this.#latest.startedAtMs > CACHED_MS) {
      this.#latest = { health: this.#check(), startedAtMs: now };
    }
    return this.#latest.health;
  }

  async #check(): Promise<Health> {
    const {
      config,
      database,
      blobs,
      jobs,
      checkStorage,
      checkMediaEngine,
      mediaIsolation,
      draining,
      version,
      startedAt,
    } = this.#parts;
    const [databaseOk, storageOk, engineOk, hasFreeSpace, freeBytes, figures] = await Promise.all([
      succeeds(() => database.check()),
      succeeds(checkStorage),
      succeeds(() => checkMediaEngine()),
      succeeds(() => this.#reserve.assertFree(0)),
      withinLimit(() => blobs.freeBytes()).catch(() => null),
      withinLimit(() => jobs.figures()).catch(() => null),
    ]);
    const isHealthy =
      databaseOk && storageOk && engineOk && hasFreeSpace && figures !== null && figures.workers > 0;
    return {
      status: draining() ? 'draining' : isHealthy ? 'healthy' : 'degraded',
      version,
      uptime_seconds: Math.round((Date.now() - startedAt.getTime()) / 100) / 10,
      checks: {
        database: databaseOk ? 'ok' : 'failed',
        storage: storageOk ? 'ok' : 'failed',
        disk_free_bytes: freeBytes,
        media_engine: engineOk ? 'ok' : 'failed',
        media_isolation: mediaIsolation,
        queue: figures === null ? null : queueOf(figures),
        workers: figures?.workers ?? null,
      },
      features: { transcription: config.TRANSCRIPTION_URL !== undefined },
    };
  }
}

/** Throws SERVICE_UNAVAILABLE when nothing can be stored. */
export function assertUsable({ checks }: Health): void {
  const failed = (['database', 'storage'] as const).filter((name) => checks[name] === 'failed');
  if (failed.length === 0) return;
  throw new Failure('SERVICE_UNAVAILABLE', `Not usable: ${failed.join(', ')}`, { retryAfterSeconds: 5 });
}

function queueOf(figures: QueueFigures): Health['checks']['queue'] {
  return {
    paused: figures.isPaused,
    queued: figures.queued,
    processing: figures.processing,
    oldest_queued_seconds: figures.oldestQueuedSeconds,
  };
}

async function succeeds(check: () => Promise<void>): Promise<boolean> {
  return withinLimit(check).then(
    () => true,
    () => false,
  );
}

async function withinLimit<T>(work: () => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('took too long')), LIMIT_MS);
  try {
    return await Promise.race([work(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
