import type { Leased, Metrics } from '../telemetry/metrics.ts';

export interface LeaseTerms {
  readonly of: Leased;
  /** Whether the lease of the previous holder had expired. */
  readonly isTakenOver: boolean;
  readonly metrics: Metrics;
  /** Renews the lease in the database. False: another process holds it. Rejects when the database does not answer. */
  readonly renew: () => Promise<boolean>;
  readonly renewMs: number;
  /**
   * The lease counts as lost this long after the last confirmed renewal, which is before another process may
   * lease it. Infinity: only the database decides, for work whose result it would refuse.
   */
  readonly ownMs: number;
}

/** A lease that this process holds in the database until `end`; `signal` aborts when the lease is lost. */
export class Lease {
  readonly signal: AbortSignal;
  readonly #terms: LeaseTerms;
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #heldUntilMs: number;
  #renewing: Promise<void> | null = null;
  #hasEnded = false;

  /** The caller has just got the lease in the database. */
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

  /** Renews at once, after a pending renewal, which has older data. Throws the errors of `renew`. */
  async renewNow(): Promise<void> {
    await this.#renewing;
    await this.#renew();
  }

  /** Stops the renewals and awaits a pending one. Never throws. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    if (!this.#hasEnded) this.#terms.metrics.leases.dec({ of: this.#terms.of });
    this.#hasEnded = true;
    await this.#renewing;
  }

  #tick(): void {
    if (!this.isHeld || this.#renewing !== null) return;
    this.#renewing = this.#renew()
      // While the database is down the next renewal, or the expiry, decides.
      .catch(() => {})
      .finally(() => {
        this.#renewing = null;
      });
  }

  async #renew(): Promise<void> {
    if (!this.isHeld) return;
    const requestedMs = performance.now();
    if (await this.#terms.renew()) this.#heldUntilMs = requestedMs + this.#terms.ownMs;
    else this.#lost.abort();
  }
}
