import type { Leased, Metrics } from '../telemetry/metrics.ts';

export interface LeaseTerms {
  readonly of: Leased;
  /** From a process that had not been heard for its time. */
  readonly isTakenOver: boolean;
  readonly metrics: Metrics;
  /** Writes the next sign of life. False: another holds what was leased. Rejects when the database does not say. */
  readonly renew: () => Promise<boolean>;
  readonly renewMs: number;
  /**
   * So long after the last sign of life that was heard the lease counts as lost, which is sooner than another may take
   * it. Infinity: it is lost only when the database says so, for work whose end is refused by the database anyhow.
   */
  readonly ownMs: number;
}

/** What this process holds by signs of life in the database, until `end`; `signal` is aborted when it is lost. */
export class Lease {
  readonly signal: AbortSignal;
  readonly #terms: LeaseTerms;
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #heldUntilMs: number;
  #renewing: Promise<void> | null = null;
  #hasEnded = false;

  /** Held as of now: the row was taken just before. */
  constructor(terms: LeaseTerms) {
    this.#terms = terms;
    this.signal = this.#lost.signal;
    this.#heldUntilMs = performance.now() + terms.ownMs;
    this.#timer = setInterval(() => this.#tick(), terms.renewMs);
    this.#timer.unref();
    const { of, metrics } = terms;
    metrics.leases.inc({ of });
    if (terms.isTakenOver) metrics.leaseTakeovers.inc({ of });
    this.signal.addEventListener('abort', () => metrics.leasesLost.inc({ of }));
  }

  get isHeld(): boolean {
    if (performance.now() > this.#heldUntilMs) this.#lost.abort();
    return !this.signal.aborted;
  }

  /** A sign of life at once, after one that is under way, which knows less. Throws what `renew` throws. */
  async renewNow(): Promise<void> {
    await this.#renewing;
    await this.#renew();
  }

  /** No sign of life is given any more, and none is under way. Never throws. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    if (!this.#hasEnded) this.#terms.metrics.leases.dec({ of: this.#terms.of });
    this.#hasEnded = true;
    await this.#renewing;
  }

  #tick(): void {
    if (!this.isHeld || this.#renewing !== null) return;
    this.#renewing = this.#renew()
      // With the database away the next sign of life, or the time, decides.
      .catch(() => {})
      .finally(() => {
        this.#renewing = null;
      });
  }

  async #renew(): Promise<void> {
    if (!this.isHeld) return;
    const askedMs = performance.now();
    if (await this.#terms.renew()) this.#heldUntilMs = askedMs + this.#terms.ownMs;
    else this.#lost.abort();
  }
}
