import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../domain/errors.ts';

const ADMIN = '/api/v1/admin/';

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Lets requests for what is under `/api/v1/admin` pass when they bring the token; before anything else of them is looked at. Throws
 * UNAUTHORIZED. Digests are compared, so that the time it takes tells neither the token nor its length.
 */
export function adminGate(token: string): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const wanted = digest(token);
  return async (request, reply) => {
    if (request.routeOptions.url?.startsWith(ADMIN) !== true) return;
    const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (token !== undefined && timingSafeEqual(digest(token), wanted)) return;
    void reply.header('www-authenticate', 'Bearer realm="StyleDNA administration"');
    throw new Failure(
      'UNAUTHORIZED',
      token === undefined
        ? 'Send the value of ADMIN_TOKEN as "Authorization: Bearer …"'
        : 'The token is not that of ADMIN_TOKEN',
    );
  };
}
