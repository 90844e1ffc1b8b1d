import type { Database } from '../database/database.ts';
import { agreeOn, decideShared, sharedSetting } from '../database/shared-settings.ts';
import { ConfigError } from '../domain/errors.ts';

const SETTING = 'public_base_url';

/** The address that all processes on this database use; null: none has been configured. */
export function publicUrl(database: Database): Promise<string | null> {
  return sharedSetting(database, SETTING);
}

/** Changes it for all processes, from their next start. */
export function changePublicUrl(database: Database, url: string): Promise<void> {
  return decideShared(database, SETTING, url);
}

/**
 * Returns the public address of this service. The worker that ends a job writes it into webhooks, so all processes on one database need
 * the same. The first configured process decides; a process without the setting adopts that address. With the embedded database the
 * process's own setting applies. Throws `ConfigError` for a different one.
 */
export async function agreeOnPublicUrl(
  database: Database,
  given: string | undefined,
): Promise<string | undefined> {
  if (database.kind === 'pglite') return given;
  if (given === undefined) return (await publicUrl(database)) ?? undefined;
  const agreed = await agreeOn(database, SETTING, given);
  if (agreed === given) return given;
  throw new ConfigError(
    `PUBLIC_BASE_URL is "${given}" here, but the processes on this database have agreed on "${agreed}". ` +
      `Set it as for the others, or leave it out. To change it for all: styledna public-url ${given}, and start them again.`,
  );
}
