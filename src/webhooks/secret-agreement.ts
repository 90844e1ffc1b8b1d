import { createHmac, randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { decideShared, sharedSetting } from '../database/shared-settings.ts';

/** Fingerprints of the secrets of the process that started last. */
const SETTING = 'webhook_secret_fingerprints';
const SALT_BYTES = 16;

const storedSchema = z.object({ salt: z.string(), fingerprints: z.array(z.string()) });

/**
 * Warns when processes on one database share no webhook secret: any process may send a webhook, so receivers would refuse some of them.
 * Salted fingerprints are compared, which do not reveal the secrets. Sets that share one secret are a rotation in progress, which is
 * valid. Each process compares itself with the one that started last.
 */
export async function compareSecrets(
  database: Database,
  secrets: readonly string[],
  logger: Logger,
): Promise<void> {
  if (database.kind === 'pglite') return;
  const stored = await storedFingerprints(database);
  const salt = stored?.salt ?? randomBytes(SALT_BYTES).toString('base64');
  const fingerprints = fingerprintsOf(secrets, salt);
  if (stored !== null && !sharesOne(fingerprints, stored.fingerprints)) {
    logger.warn(
      'WEBHOOK_SECRETS has no secret in common with the process on this database that started last: receivers will accept the ' +
        'webhooks of one and refuse those of the other. Configure the same secrets for all processes, or none; to rotate, first add the new secret to the old one',
    );
  }
  const isSame =
    stored !== null &&
    stored.fingerprints.length === fingerprints.length &&
    fingerprints.every((own, index) => own === stored.fingerprints[index]);
  if (!isSame) await decideShared(database, SETTING, JSON.stringify({ salt, fingerprints }));
}

/** Whether these secrets have one in common with those of the process on this database that started last. */
export async function sharesSecrets(database: Database, secrets: readonly string[]): Promise<boolean> {
  if (database.kind === 'pglite') return true;
  const stored = await storedFingerprints(database);
  return stored === null || sharesOne(fingerprintsOf(secrets, stored.salt), stored.fingerprints);
}

async function storedFingerprints(database: Database) {
  const text = await sharedSetting(database, SETTING);
  return text === null ? null : storedSchema.parse(JSON.parse(text));
}

function fingerprintsOf(secrets: readonly string[], salt: string): string[] {
  return secrets.map((secret) => createHmac('sha256', salt).update(secret).digest('base64'));
}

function sharesOne(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.includes(one));
}
