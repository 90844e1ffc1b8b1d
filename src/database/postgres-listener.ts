import pg from 'pg';

interface Subscription {
  readonly channel: string;
  readonly onPayload: (payload: string) => void;
  readonly onReconnect: () => void;
}

const CHECK_INTERVAL_MS = 10_000;
const CHECK_TIMEOUT_MS = 5_000;
const LONGEST_BACKOFF_MS = 10_000;

/**
 * One connection that receives NOTIFY on any number of channels and reconnects when it is lost. Notifications
 * during the loss are missing: `onReconnect` tells a subscriber to query the state itself. Nothing may depend
 * on notifications alone.
 */
export class PostgresListener {
  readonly #settings: pg.ClientConfig;
  readonly #subscriptions = new Set<Subscription>();
  #connecting: Promise<pg.Client> | null = null;
  #current: pg.Client | null = null;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #isClosed = false;

  constructor(settings: pg.ClientConfig) {
    this.#settings = settings;
  }

  async listen(
    channel: string,
    onPayload: (payload: string) => void,
    onReconnect: () => void = () => {},
  ): Promise<() => Promise<void>> {
    const subscription = { channel, onPayload, onReconnect };
    const client = await this.#client();
    await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    this.#subscriptions.add(subscription);
    onReconnect();
    return async () => {
      this.#subscriptions.delete(subscription);
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const client = await this.#connecting?.catch(() => null);
    this.#current = null;
    client?.removeAllListeners();
    await client?.end();
  }

  #client(): Promise<pg.Client> {
    this.#connecting ??= this.#connect();
    return this.#connecting;
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({ ...this.#settings, query_timeout: CHECK_TIMEOUT_MS });
    this.#current = client;
    client.on('notification', ({ channel, payload }) => {
      for (const subscription of this.#subscriptions) {
        if (subscription.channel === channel) subscription.onPayload(payload ?? '');
      }
    });
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    try {
      await client.connect();
      for (const channel of new Set([...this.#subscriptions].map((subscription) => subscription.channel))) {
        await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      }
    } catch (error) {
      this.#lost(client);
      throw error;
    }
    this.#failures = 0;
    this.#scheduleCheck(client);
    return client;
  }

  /**
   * A connection can be lost without an error (a firewall that dropped it), so it is checked periodically.
   */
  #scheduleCheck(client: pg.Client): void {
    if (client !== this.#current) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      client.query('select 1').then(
        () => this.#scheduleCheck(client),
        () => this.#lost(client),
      );
    }, CHECK_INTERVAL_MS);
    this.#timer.unref();
  }

  /** Runs once for each connection, at the first sign of its loss. */
  #lost(client: pg.Client): void {
    if (client !== this.#current) return;
    this.#current = null;
    this.#connecting = null;
    clearTimeout(this.#timer);
    client.removeAllListeners();
    client.on('error', () => {});
    client.end().catch(() => {});
    if (this.#isClosed || this.#subscriptions.size === 0) return;
    const backoffMs = Math.min(LONGEST_BACKOFF_MS, 250 * 2 ** this.#failures++);
    this.#timer = setTimeout(() => this.#reconnect(), backoffMs);
    this.#timer.unref();
  }

  #reconnect(): void {
    this.#client().then(
      () => {
        for (const subscription of this.#subscriptions) subscription.onReconnect();
      },
      // Lost again before it was ready: the next try is scheduled.
      () => {},
    );
  }
}
