import type { Database } from '../database/database.ts';
import { lock } from '../database/locks.ts';
import { newSecret } from './sign.ts';

/** Returns the generated secret of the service, creating it at the first start. */
export function ownSecret(database: Database): Promise<string> {
  return database.transaction(async (transaction) => {
    await lock(transaction, 'secret');
    const [known] = await transaction.query<{ secret: string }>(
      'select secret from webhook_secrets order by created_at desc limit 1',
    );
    if (known !== undefined) return known.secret;
    const secret = newSecret();
    await transaction.query('insert into webhook_secrets (secret) values ($1)', [secret]);
    return secret;
  });
}
