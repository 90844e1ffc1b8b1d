import { Failure } from '../domain/errors.ts';
import { vetTarget } from '../network/address-guard.ts';

/** Vets the URL of a webhook by its text. Throws WEBHOOK_URL_FORBIDDEN. */
export function vetWebhook(url: string, networks: readonly string[]): URL {
  return vetTarget(url, networks, (reason) => new Failure('WEBHOOK_URL_FORBIDDEN', `webhook_url: ${reason}`));
}
