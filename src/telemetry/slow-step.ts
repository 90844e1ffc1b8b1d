import type { Logger } from 'pino';

/** Longer than any step of a start takes on its own, on a busy machine. */
const TELL_EVERY_MS = 5_000;

/** Does a step of a start; while it lasts, the log says again and again what is waited for. */
export async function reportedWhileSlow<T>(
  logger: Logger,
  waitsFor: string,
  step: () => Promise<T>,
  tellEveryMs = TELL_EVERY_MS,
): Promise<T> {
  const startedMs = performance.now();
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    logger.warn({ waitsFor, seconds }, 'the start waits');
  }, tellEveryMs);
  try {
    return await step();
  } finally {
    clearInterval(timer);
  }
}
