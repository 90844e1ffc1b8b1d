import type { Queryable, Row } from './database.ts';

/**
 * The handle of a transaction on its connection. Callers need not await a statement before the next:
 * statements run in order, and none runs after a failed one. After the end of the transaction the handle
 * refuses statements, which would run outside of it.
 */
export class TransactionHandle implements Queryable {
  readonly #connection: Queryable;
  readonly #queues: boolean;
  #last: Promise<unknown> = Promise.resolve();
  #hasEnded = false;

  /** `queues`: the connection itself orders statements, and refuses those after a failed one. */
  constructor(connection: Queryable, { queues }: { readonly queues: boolean }) {
    this.#connection = connection;
    this.#queues = queues;
  }

  async query<R extends Row = Row>(sql: string, parameters?: readonly unknown[]): Promise<R[]> {
    if (this.#queues) return this.#run<R>(sql, parameters);
    const running = this.#last.then(() => this.#run<R>(sql, parameters));
    this.#last = running;
    // The caller handles the error.
    running.catch(() => {});
    return running;
  }

  end(): void {
    this.#hasEnded = true;
  }

  async #run<R extends Row>(sql: string, parameters?: readonly unknown[]): Promise<R[]> {
    if (this.#hasEnded) throw new Error(`The transaction has ended; it cannot run: ${sql}`);
    return this.#connection.query<R>(sql, parameters);
  }
}
