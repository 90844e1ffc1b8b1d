/** Minimum progress and time before an estimate is shown; earlier ones are unreliable. */
const MIN_FRACTION = 0.03;
const MIN_MS = 1000;

/**
 * The remaining time, extrapolated from the progress since it began to move. The time before (starting processes,
 * reading headers) takes a few seconds for any work and is ignored.
 */
export class TimeLeft {
  #from: { readonly fraction: number; readonly atMs: number } | null = null;
  #fraction = 0;

  update(fraction: number, nowMs: number): void {
    if (fraction > 0) this.#from ??= { fraction, atMs: nowMs };
    this.#fraction = Math.max(this.#fraction, Math.min(1, fraction));
  }

  /** Null: not known yet. */
  seconds(nowMs: number): number | null {
    if (this.#from === null) return null;
    const done = this.#fraction - this.#from.fraction;
    const passedMs = nowMs - this.#from.atMs;
    if (done < MIN_FRACTION || passedMs < MIN_MS) return null;
    return ((1 - this.#fraction) * passedMs) / done / 1000;
  }
}

export function timeText(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
