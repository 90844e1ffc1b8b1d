import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../domain/errors.ts';
import { BurstMemory } from './burst-memory.ts';
import { clientOf } from './rate-limit.ts';

/** Long enough for most responses to end, short enough for people. */
const RETRY_SECONDS = 5;

/**
 * Limits the open responses of one kind: each uses memory and a file or a query while its client reads. One
 * client may have half of all, so that it cannot block others.
 */
export class OpenResponseLimit {
  readonly #kind: string;
  readonly #max: number;
  readonly #openByClient = new Map<string, number>();
  readonly #memory = new BurstMemory();
  #open = 0;

  /** `kind` in the plural: "downloads". */
  constructor(kind: string, max: number) {
    this.#kind = kind;
    this.#max = max;
  }

  /** Counts the response until it is sent or its connection is closed. Throws RATE_LIMITED. */
  add(request: FastifyRequest, reply: FastifyReply): void {
    const client = clientOf(request.ip);
    const own = this.#openByClient.get(client) ?? 0;
    const share = Math.ceil(this.#max / 2);
    if (own >= share) throw this.#refusal(`This client has ${share} ${this.#kind} open`, 'one client');
    if (this.#open >= this.#max) throw this.#refusal(`${this.#max} ${this.#kind} are open`, 'this service');
    // The connection may be closed already, and `close` is not emitted twice.
    if (reply.raw.closed) return;
    this.#memory.change(++this.#open);
    this.#openByClient.set(client, own + 1);
    reply.raw.once('close', () => this.#remove(client));
  }

  #remove(client: string): void {
    this.#memory.change(--this.#open);
    const own = (this.#openByClient.get(client) ?? 1) - 1;
    if (own === 0) this.#openByClient.delete(client);
    else this.#openByClient.set(client, own);
  }

  #refusal(detail: string, of: string): Failure {
    return new Failure('RATE_LIMITED', `${detail}, the most for ${of}; close some or retry later`, {
      retryAfterSeconds: RETRY_SECONDS,
    });
  }
}
