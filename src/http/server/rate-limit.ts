import { isIPv6 } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { Failure } from '../../domain/errors.ts';

/** Polled by machines that must always get an answer. */
const EXEMPT = new Set(['/livez', '/readyz', '/metrics', '/api/v1/health']);

const WINDOW_SECONDS = 60;
/** Addresses remembered before those that have all their tokens again are forgotten. */
const SWEEP_SIZE = 10_000;

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

export interface Permit {
  readonly granted: boolean;
  readonly remaining: number;
  /** Until the bucket is full again. */
  readonly resetSeconds: number;
  /** Until the next token; 0 when there is one. */
  readonly retryAfterSeconds: number;
}

/** A token bucket for each client: `perMinute` at once, then as many each minute, evenly. */
export class TokenBuckets {
  readonly #perMinute: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  take(client: string, nowMs: number): Permit {
    const most = this.#perMinute;
    const perMs = most / (WINDOW_SECONDS * 1000);
    const known = this.#buckets.get(client) ?? { tokens: most, filledAtMs: nowMs };
    const tokens = Math.min(most, known.tokens + (nowMs - known.filledAtMs) * perMs);
    const granted = tokens >= 1;
    const left = granted ? tokens - 1 : tokens;
    this.#buckets.set(client, { tokens: left, filledAtMs: nowMs });
    if (this.#buckets.size > SWEEP_SIZE) this.#forgetFull(nowMs);
    return {
      granted,
      remaining: Math.floor(left),
      resetSeconds: Math.ceil((most - left) / perMs / 1000),
      retryAfterSeconds: granted ? 0 : Math.max(1, Math.ceil((1 - left) / perMs / 1000)),
    };
  }

  /** A full bucket and none are the same. With more clients in one minute than fit, all buckets are reset. */
  #forgetFull(nowMs: number): void {
    for (const [client, { filledAtMs }] of this.#buckets) {
      if (nowMs - filledAtMs >= WINDOW_SECONDS * 1000) this.#buckets.delete(client);
    }
    if (this.#buckets.size > SWEEP_SIZE) this.#buckets.clear();
  }
}

/** What counts as one client: an IPv4 address, or a /64 of IPv6, which is what one customer gets. */
export function clientOf(address: string): string {
  const plain = ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
  if (!isIPv6(plain)) return plain;
  return ipaddr.IPv6.networkAddressFromCIDR(`${plain}/64`).toString();
}

/**
 * Refuses what comes too fast by throwing RATE_LIMITED; 0 a minute: nothing. Reports to every client what it has left
 * (draft-ietf-httpapi-ratelimit-headers, the fields that clients read today).
 */
export function rateLimiter(perMinute: number): (request: FastifyRequest, reply: FastifyReply) => void {
  if (perMinute === 0) return () => {};
  const buckets = new TokenBuckets(perMinute);
  return (request, reply) => {
    if (EXEMPT.has(request.routeOptions.url ?? '')) return;
    const permit = buckets.take(clientOf(request.ip), performance.now());
    void reply.headers({
      'ratelimit-limit': perMinute,
      'ratelimit-policy': `${perMinute};w=${WINDOW_SECONDS}`,
      'ratelimit-remaining': permit.remaining,
      'ratelimit-reset': permit.resetSeconds,
    });
    if (permit.granted) return;
    throw new Failure('RATE_LIMITED', `More than ${perMinute} requests a minute`, {
      retryAfterSeconds: permit.retryAfterSeconds,
    });
  };
}
