import type { Database } from '../database/database.ts';
import { Failure, isFailure } from '../domain/errors.ts';
import { RECOMMENDED_TEMPLATE_SECONDS } from '../domain/footage.ts';
import type { VideoProbe, Warning } from '../domain/stage.ts';
import type { Config } from '../settings/config.ts';
import { videoBlobKey } from '../storage/blob-names.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { PartialBlobs } from '../storage/partial-blobs.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { kindOf, type Video, type VideoService } from '../videos/video.ts';

/** Dependencies that turn a received file into a video. */
export interface RegistrationParts {
  readonly config: Config;
  readonly blobs: BlobStore;
  readonly videos: VideoService;
  /**
   * Probes a file in a child process. Throws UNSUPPORTED_VIDEO_FORMAT, INVALID_VIDEO, VIDEO_LIMIT_EXCEEDED.
   */
  readonly probe: (path: string, signal: AbortSignal) => Promise<VideoProbe>;
  /** Throws when no such process can be started. */
  readonly checkMediaEngine: () => Promise<void>;
}

export interface UploadParts extends RegistrationParts {
  readonly database: Database;
  readonly partials: PartialBlobs;
  readonly metrics: Metrics;
}

/** A complete received file. */
export interface ReceivedFile {
  /** For display. */
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

const DAY_MS = 86_400_000;

/** Builds the video of a received and probed file; its retention starts now. */
export function newVideo(config: Config, videoId: string, file: ReceivedFile, probed: VideoProbe): Video {
  const createdAt = new Date();
  const isShort = kindOf(probed) === 'video' && probed.durationSeconds < RECOMMENDED_TEMPLATE_SECONDS;
  const { RETENTION_DAYS: days } = config;
  return {
    ...probed,
    warnings: isShort ? [...probed.warnings, shortTemplateWarning(probed.durationSeconds)] : probed.warnings,
    videoId,
    blobKey: videoBlobKey(videoId),
    sha256: file.sha256,
    filename: file.fileName,
    sizeBytes: file.sizeBytes,
    createdAt,
    expiresAt: days === undefined ? null : new Date(createdAt.getTime() + days * DAY_MS),
  };
}

function shortTemplateWarning(durationSeconds: number): Warning {
  return {
    code: 'TEMPLATE_SHORT',
    message:
      `The video is only ${durationSeconds.toFixed(1)} s long. As a template it may not yield accurate pacing: ` +
      `use a video of at least ${RECOMMENDED_TEMPLATE_SECONDS} s.`,
  };
}

/**
 * Probes a stored file. A file on which the probe crashes twice, or hangs, is invalid if probes work in
 * general. A single crash may have another cause, such as the kernel's out-of-memory killer.
 */
export async function probeStored(
  { probe, checkMediaEngine }: Pick<RegistrationParts, 'probe' | 'checkMediaEngine'>,
  path: string,
  signal: AbortSignal,
): Promise<VideoProbe> {
  try {
    return await probe(path, signal).catch((error: unknown) => {
      if (isFailure(error, 'WORKER_LOST')) return probe(path, signal);
      throw error;
    });
  } catch (error) {
    if (!isFailure(error, 'WORKER_LOST', 'OUT_OF_MEMORY', 'STAGE_TIMEOUT')) throw error;
    await checkMediaEngine().catch((cause: unknown) => {
      throw new Failure('SERVICE_UNAVAILABLE', 'The media engine cannot be started', { cause });
    });
    throw new Failure('INVALID_VIDEO', 'The file cannot be decoded within the limits of this service', {
      cause: error,
    });
  }
}
