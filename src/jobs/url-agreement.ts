import type { Database } from '../database/database.ts';
import { agreeOn, decideShared, sharedSetting } from '../database/shared-settings.ts';
import { ConfigError } from '../domain/errors.ts';

const SETTING = 'public_base_url';

/** What the processes on this database have agreed on; null: none was given an address yet. */
export function publicUrl(database: Database): Promise<string | null> {
  return sharedSetting(database, SETTING);
}

/** For all processes, from their next start on. */
export function changePublicUrl(database: Database, url: string): Promise<void> {
  return decideShared(database, SETTING, url);
}

/**
 * The address that clients know this service by: the worker that ends a job writes it into webhooks, so all processes on one
 * database need the same. The first that is given one decides, who is given none takes it over; an embedded database has one
 * process, which knows best. Throws `ConfigError` for one that differs.
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
