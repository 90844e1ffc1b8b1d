import { isIPv6 } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { Failure } from '../../domain/errors.ts';

/** Polled by machines that must always get an answer. */
const EXEMPT = new Set(['/livez', '/readyz', '/metrics', '/api/v1/health']);

const WINDOW_SECONDS = 60;
/** Number of addresses at which full buckets are removed. */
const SWEEP_SIZE = 10_000;

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

export interface Permit {
  readonly isGranted: boolean;
  readonly remaining: number;
  /** Until the bucket is full again. */
  readonly resetSeconds: number;
  /** Until the next token; 0 when there is one. */
  readonly retryAfterSeconds: number;
}

/** A token bucket for each client: up to `perMinute` requests at once, refilled evenly at this rate. */
export class TokenBuckets {
  readonly #perMinute: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  consume(client: string, nowMs: number): Permit {
    const capacity = this.#perMinute;
    const perMs = capacity / (WINDOW_SECONDS * 1000);
    const known = this.#buckets.get(client) ?? { tokens: capacity, filledAtMs: nowMs };
    const tokens = Math.min(capacity, known.tokens + (nowMs - known.filledAtMs) * perMs);
    const isGranted = tokens >= 1;
    const left = isGranted ? tokens - 1 : tokens;
    this.#buckets.set(client, { tokens: left, filledAtMs: nowMs });
    if (this.#buckets.size > SWEEP_SIZE) this.#forgetFull(nowMs);
    return {
      isGranted,
      remaining: Math.floor(left),
      resetSeconds: Math.ceil((capacity - left) / perMs / 1000),
      retryAfterSeconds: isGranted ? 0 : Math.ceil((1 - left) / perMs / 1000),
    };
  }

  /**
   * Removes full buckets, which equal missing ones. If more clients than this are active in one minute, all
   * buckets are reset.
   */
  #forgetFull(nowMs: number): void {
    for (const [client, { filledAtMs }] of this.#buckets) {
      if (nowMs - filledAtMs >= WINDOW_SECONDS * 1000) this.#buckets.delete(client);
    }
    if (this.#buckets.size > SWEEP_SIZE) this.#buckets.clear();
  }
}

/** Identifies a client: an IPv4 address, or a /64 of IPv6, which is the range of one customer. */
export function clientOf(address: string): string {
  const plain = ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
  if (!isIPv6(plain)) return plain;
  return ipaddr.IPv6.networkAddressFromCIDR(`${plain}/64`).toString();
}

/**
 * Throws RATE_LIMITED for requests above the rate; 0 a minute: no limit. Reports the remaining requests to
 * every client (draft-ietf-httpapi-ratelimit-headers, with the field names that clients support today).
 */
export function rateLimiter(perMinute: number): (request: FastifyRequest, reply: FastifyReply) => void {
  if (perMinute === 0) return () => {};
  const buckets = new TokenBuckets(perMinute);
  return (request, reply) => {
    if (EXEMPT.has(request.routeOptions.url ?? '')) return;
    const permit = buckets.consume(clientOf(request.ip), performance.now());
    void reply.headers({
      'ratelimit-limit': perMinute,
      'ratelimit-policy': `${perMinute};w=${WINDOW_SECONDS}`,
      'ratelimit-remaining': permit.remaining,
      'ratelimit-reset': permit.resetSeconds,
    });
    if (permit.isGranted) return;
    throw new Failure('RATE_LIMITED', `More than ${perMinute} requests a minute`, {
      retryAfterSeconds: permit.retryAfterSeconds,
    });
  };
}
