import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../domain/errors.ts';
import { BurstMemory } from './burst-memory.ts';
import { clientOf } from './rate-limit.ts';

/** Long enough for most responses to end, short enough for people. */
const RETRY_SECONDS = 5;

/**
 * Limits the open responses of one kind: each uses memory and a file or a connection while its client reads or
 * waits. One client may have half of all or less, so that it cannot block others.
 */
export class OpenResponseLimit {
  readonly #kind: string;
  readonly #max: number;
  readonly #share: number;
  readonly #openByClient = new Map<string, number>();
  readonly #memory = new BurstMemory();
  #open = 0;

  /** `kind` in the plural: "downloads"; `share`: of one client. */
  constructor(kind: string, max: number, share = Math.ceil(max / 2)) {
    this.#kind = kind;
    this.#max = max;
    this.#share = share;
  }

  /** Counts the response until it is sent or its connection is closed. Throws RATE_LIMITED. */
  add(request: FastifyRequest, reply: FastifyReply): void {
    const client = clientOf(request.ip);
    const own = this.#openByClient.get(client) ?? 0;
    if (own >= this.#share)
      throw this.#refusal(`This client has ${this.#share} ${this.#kind} open`, 'one client');
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
