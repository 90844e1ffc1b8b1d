import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { MediaEngine } from './engine.ts';

/** Half a second of a test picture in H.264 with a tone in AAC. */
const CLIP = fileURLToPath(new URL('engine-check.mp4', import.meta.url));
const CACHED_MS = 60_000;
const LIMIT_MS = 10_000;

/**
 * Returns a check that media processes can read a video: one probes a small clip in the sandbox, as it probes an upload. The check throws
 * what the probe throws. A success holds for a minute, a failure for the calls that wait for it; the first failure in a row is logged.
 */
export function engineCheck(engine: Pick<MediaEngine, 'run'>, logger: Logger): () => Promise<void> {
  let last: { readonly startedAtMs: number; readonly answer: Promise<void> } | undefined;
  let isBroken = false;
  const check = async () => {
    try {
      const input = { path: CLIP, maxDurationSeconds: 1 };
      await engine.run('probe', input, { signal: AbortSignal.timeout(LIMIT_MS) });
      isBroken = false;
    } catch (error) {
      last = undefined;
      if (!isBroken)
        logger.error({ err: error }, 'Media processes cannot read videos: uploads and jobs will fail');
      isBroken = true;
      throw error;
    }
  };
  return () => {
    if (last === undefined || performance.now() - last.startedAtMs > CACHED_MS)
      last = { startedAtMs: performance.now(), answer: check() };
    return last.answer;
  };
}
