import type { Queryable, Row } from './database.ts';

/**
 * The handle of a transaction on its connection. Statements may be requested before earlier ones are answered: they run in order, and
 * none after a failed one. After the end of the transaction it refuses statements, which would otherwise run outside of it.
 */
export class TransactionHandle implements Queryable {
  readonly #connection: Queryable;
  readonly #queues: boolean;
  #last: Promise<unknown> = Promise.resolve();
  #hasEnded = false;

  /** `queues`: the connection itself orders statements, and refuses the rest after a failed one. */
  constructor(connection: Queryable, { queues }: { readonly queues: boolean }) {
    this.#connection = connection;
    this.#queues = queues;
  }

  async query<R extends Row = Row>(sql: string, parameters?: readonly unknown[]): Promise<R[]> {
    if (this.#queues) return this.#run<R>(sql, parameters);
    const asked = this.#last.then(() => this.#run<R>(sql, parameters));
    this.#last = asked;
    // The caller handles the error.
    asked.catch(() => {});
    return asked;
  }

  end(): void {
    this.#hasEnded = true;
  }

  async #run<R extends Row>(sql: string, parameters?: readonly unknown[]): Promise<R[]> {
    if (this.#hasEnded) throw new Error(`The transaction has ended; it was asked for: ${sql}`);
    return this.#connection.query<R>(sql, parameters);
  }
}
