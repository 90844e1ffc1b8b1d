import { DirectoryLockedError } from '../database/directory-lock.ts';
import { openDatabase } from '../installation.ts';
import { type Config, readConfig } from '../settings/config.ts';
import { readSecretFile } from '../webhooks/secret-file.ts';
import { ownSecret } from '../webhooks/secret-store.ts';
import { type Command, EXIT, takeArguments } from './command.ts';

export const webhookSecret: Command = {
  usage: '',
  help: `Prints the secrets, one a line, with which receivers verify webhooks: those of WEBHOOK_SECRETS, or the one that the
service generated. Use the service's settings (DATA_DIR, DATABASE_URL); the service may be running.

Example
  styledna webhook-secret`,
  options: {},
  async run(call) {
    takeArguments(call);
    for (const secret of await secretsOf(readConfig(call.environment))) console.log(secret);
    return EXIT.done;
  },
};

async function secretsOf(config: Config): Promise<readonly string[]> {
  if (config.WEBHOOK_SECRETS.length > 0) return config.WEBHOOK_SECRETS;
  try {
    const database = await openDatabase(config);
    try {
      return [await ownSecret(database)];
    } finally {
      await database.close();
    }
  } catch (error) {
    // A running service locks the database, and has stored the secret in a file.
    const secret = error instanceof DirectoryLockedError ? await readSecretFile(config.DATA_DIR) : null;
    if (secret === null) throw error;
    return secret;
  }
}
