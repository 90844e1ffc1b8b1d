import type { Logger } from 'pino';
import type { Database } from '../../database/database.ts';
import type { PictureService } from '../../domain/pictures.ts';
import type { PlanService } from '../../domain/plan-preview.ts';
import type { PreviewService } from '../../domain/preview.ts';
import type { ProxyService } from '../../domain/proxy.ts';
import type { VideoProbe } from '../../domain/stage.ts';
import type { IdempotencyService } from '../../idempotency/idempotency.ts';
import type { ImportService } from '../../imports/import-service.ts';
import type { JobService } from '../../jobs/model/job.ts';
import type { QueueSteering } from '../../jobs/steering/steering.ts';
import type { SavedStyleService } from '../../saved-styles/saved-style.ts';
import type { Config } from '../../settings/config.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import type { PartialBlobs } from '../../storage/partial-blobs.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { Tracing } from '../../telemetry/tracing.ts';
import type { VideoService } from '../../videos/video.ts';
import type { WebhookService } from '../../webhooks/webhook.ts';

/** The dependencies of the HTTP interface, which `compose.ts` provides. */
export interface HttpParts {
  readonly config: Config;
  readonly logger: Logger;
  readonly database: Database;
  readonly blobs: BlobStore;
  /** Storage of resumable uploads until they are complete. */
  readonly partials: PartialBlobs;
  readonly jobs: JobService;
  readonly steering: QueueSteering;
  readonly videos: VideoService;
  readonly imports: ImportService;
  readonly styles: SavedStyleService;
  readonly idempotency: IdempotencyService;
  readonly webhooks: WebhookService;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  /** Every webhook is signed with each of them; receivers verify with any. */
  readonly webhookSecrets: readonly string[];
  readonly previews: PreviewService;
  readonly plans: PlanService;
  readonly pictures: PictureService;
  readonly proxies: ProxyService;
  /**
   * Probes a stored video in a child process. Throws UNSUPPORTED_VIDEO_FORMAT, INVALID_VIDEO,
   * VIDEO_LIMIT_EXCEEDED.
   */
  readonly probe: (path: string, signal: AbortSignal) => Promise<VideoProbe>;
  /** Throws when nothing can be stored. */
  readonly checkStorage: () => Promise<void>;
  /** Throws when media processes cannot read a video; the implementation caches its result. */
  readonly checkMediaEngine: () => Promise<void>;
  /** Protections of media processes, measured in one of them. */
  readonly mediaIsolation: Readonly<Record<'filesystem' | 'network' | 'processes' | 'limits', boolean>>;
  /** True once the service has begun to shut down. */
  readonly draining: () => boolean;
  readonly version: string;
  readonly startedAt: Date;
}
