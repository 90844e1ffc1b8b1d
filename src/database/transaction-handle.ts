import type { Queryable, Row } from './database.ts';

/**
 * What the work of a transaction is given, over its connection. Statements may be asked for before earlier ones are answered: they run in
 * order, and none after one that failed. After its end it runs nothing: on a connection that is used again that would be kept, whatever
 * became of the rest.
 */
export class TransactionHandle implements Queryable {
  readonly #connection: Queryable;
  readonly #queues: boolean;
  #last: Promise<unknown> = Promise.resolve();
  #hasEnded = false;

  /** `queues`: the connection puts statements into their order itself, and after one that failed refuses the rest. */
  constructor(connection: Queryable, { queues }: { readonly queues: boolean }) {
    this.#connection = connection;
    this.#queues = queues;
  }

  async query<R extends Row = Row>(sql: string, parameters?: readonly unknown[]): Promise<R[]> {
    if (this.#queues) return this.#run<R>(sql, parameters);
    const asked = this.#last.then(() => this.#run<R>(sql, parameters));
    this.#last = asked;
    // Whoever asked is told.
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
