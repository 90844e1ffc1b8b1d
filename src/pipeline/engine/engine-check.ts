import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { MediaEngine } from './engine.ts';

/** Half a second of a test picture in H.264 with a tone in AAC. */
const CLIP = fileURLToPath(new URL('engine-check.mp4', import.meta.url));
const CACHED_MS = 60_000;
const LIMIT_MS = 10_000;

/**
 * Returns a check that media processes can read a video: a child probes a small clip in the sandbox, like an upload.
 * The check throws the errors of the probe. A success is valid for `cachedMs`, and then until the next probe has ended,
 * which takes seconds on a busy machine. After a failure every call probes; the first of consecutive failures is
 * logged.
 */
export function engineCheck(
  engine: Pick<MediaEngine, 'run'>,
  logger: Logger,
  cachedMs = CACHED_MS,
): () => Promise<void> {
  let succeededAtMs: number | null = null;
  let isBroken = false;
  let running: Promise<void> | null = null;
  const probe = async () => {
    try {
      const input = { path: CLIP, maxDurationSeconds: 1 };
      await engine.run('probe', input, { signal: AbortSignal.timeout(LIMIT_MS) });
      succeededAtMs = performance.now();
      isBroken = false;
    } catch (error) {
      succeededAtMs = null;
      if (!isBroken)
        logger.error({ err: error }, 'Media processes cannot read videos: uploads and jobs will fail');
      isBroken = true;
      throw error;
    } finally {
      running = null;
    }
  };
  return async () => {
    if (succeededAtMs !== null && performance.now() - succeededAtMs < cachedMs) return;
    running ??= probe();
    if (succeededAtMs === null) await running;
    // The next call gets its result.
    else running.catch(() => {});
  };
}
