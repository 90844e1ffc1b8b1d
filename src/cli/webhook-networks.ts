import { openDatabase } from '../installation.ts';
import { networksSchema, readConfig } from '../settings/config.ts';
import { AllowedNetworks } from '../webhooks/allowed-networks.ts';
import { type Command, EXIT, UsageError } from './command.ts';

/** The word for an empty list. */
const NONE = 'none';

export const webhookNetworks: Command = {
  usage: '[NETWORK … | none]',
  help: `Shows the private networks, one a line, that webhooks of all processes on the database at DATABASE_URL may reach; with
networks, sets them for all processes, within a second and without a restart. The first process that starts with
WEBHOOK_ALLOWED_NETWORKS sets the list; a process with another setting uses the list and logs a warning. A service with the
embedded database uses its own WEBHOOK_ALLOWED_NETWORKS: change that and restart it.

Examples
  styledna webhook-networks
  styledna webhook-networks 10.0.0.0/8 192.168.7.0/24
  styledna webhook-networks none`,
  options: {},
  async run(call) {
    const config = readConfig(call.environment);
    if (config.DATABASE_URL === undefined) {
      throw new UsageError(
        'DATABASE_URL is not set: a service with the embedded database uses its own WEBHOOK_ALLOWED_NETWORKS. Change that and restart it',
      );
    }
    const wanted = networksOf(call.positionals);
    const database = await openDatabase(config);
    try {
      const networks = new AllowedNetworks(database);
      if (wanted !== null) await networks.change(wanted);
      const rule = await networks.current();
      console.log(rule.length === 0 ? NONE : rule.join('\n'));
    } finally {
      await database.close();
    }
    return EXIT.done;
  },
};

/** Null: show the current list. */
function networksOf(words: readonly string[]): readonly string[] | null {
  if (words.length === 0) return null;
  if (words.length === 1 && words[0] === NONE) return [];
  for (const word of words) {
    if (!networksSchema.safeParse(word).success)
      throw new UsageError(`"${word}" is not a network such as 10.0.0.0/8 or fd12::/16`);
  }
  return words;
}
