const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The delays after the first, second, … failed try. After the last one the delivery has failed. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/**
 * Each delay is extended by up to this share, so that deliveries that failed together do not return together.
 */
const JITTER = 0.1;

/** Upper limit of a receiver's `Retry-After`. */
const LONGEST_RETRY_AFTER_MS = 24 * HOUR_MS;

/**
 * The delay before the next try, null when there is none. `tries`: failed tries, at least 1; `random`: 0..1.
 */
export function retryDelayMs(
  tries: number,
  retryAfterMs: number | null,
  random: number,
  delaysMs: readonly number[] = RETRY_DELAYS_MS,
): number | null {
  const delayMs = delaysMs[tries - 1];
  if (delayMs === undefined) return null;
  const jittered = delayMs * (1 + JITTER * random);
  return Math.round(Math.max(jittered, Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS)));
}

/** A `Retry-After` header (RFC 9110, section 10.2.3): seconds or a date. Null when it is neither. */
export function readRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * SECOND_MS;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}
