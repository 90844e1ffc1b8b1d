import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../domain/errors.ts';

const ADMIN = '/api/v1/admin/';

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Checks the token of requests under `/api/v1/admin`, before any other check. Throws UNAUTHORIZED. Compares
 * digests, so that the response time reveals neither the token nor its length.
 */
export function adminGate(token: string): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const expected = digest(token);
  return async (request, reply) => {
    if (request.routeOptions.url?.startsWith(ADMIN) !== true) return;
    const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (token !== undefined && timingSafeEqual(digest(token), expected)) return;
    void reply.header('www-authenticate', 'Bearer realm="StyleDNA administration"');
    throw new Failure(
      'UNAUTHORIZED',
      token === undefined
        ? 'Send the value of ADMIN_TOKEN as "Authorization: Bearer …"'
        : 'The token is not the value of ADMIN_TOKEN',
    );
  };
}
