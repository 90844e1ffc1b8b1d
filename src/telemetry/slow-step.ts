import type { Logger } from 'pino';

/** Longer than any single step of a start on a busy machine. */
const LOG_INTERVAL_MS = 5_000;

/** Runs a step of the start. While it runs, logs its cause of waiting at intervals. */
export async function logWhileSlow<T>(
  logger: Logger,
  waitsFor: string,
  step: () => Promise<T>,
  logIntervalMs = LOG_INTERVAL_MS,
): Promise<T> {
  const startedMs = performance.now();
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    logger.warn({ waitsFor, seconds }, 'the start waits');
  }, logIntervalMs);
  try {
    return await step();
  } finally {
    clearInterval(timer);
  }
}
