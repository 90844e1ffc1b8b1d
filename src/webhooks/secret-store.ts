import type { Database } from '../database/database.ts';
import { newSecret } from './sign.ts';

/** Any number, the same in all services: whoever holds it may make the first secret. */
const SECRET_LOCK = 5_390_732;

/** The secret that the service made for itself at its first start, made now if it is that start. */
export function ownSecret(database: Database): Promise<string> {
  return database.transaction(async (transaction) => {
    await transaction.query('select pg_advisory_xact_lock($1)', [SECRET_LOCK]);
    const [known] = await transaction.query<{ secret: string }>(
      'select secret from webhook_secrets order by created_at desc limit 1',
    );
    if (known !== undefined) return known.secret;
    const secret = newSecret();
    await transaction.query('insert into webhook_secrets (secret) values ($1)', [secret]);
    return secret;
  });
}
