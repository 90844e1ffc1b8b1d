import { Failure } from '../../domain/errors.ts';
import type { HttpParts } from './parts.ts';

/** Refuses work that a stopping service would not finish. */
export function refuseWhenDraining(parts: Pick<HttpParts, 'draining'>): void {
  if (!parts.draining()) return;
  throw new Failure('DRAINING', 'The service is shutting down and accepts no new work', {
    retryAfterSeconds: 10,
  });
}
