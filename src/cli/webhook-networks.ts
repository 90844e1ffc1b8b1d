import { openDatabase } from '../installation.ts';
import { networksSchema, readConfig } from '../settings/config.ts';
import { AllowedNetworks } from '../webhooks/allowed-networks.ts';
import { type Command, EXIT, UsageError } from './command.ts';

/** The word for an empty list. */
const NONE = 'none';

export const webhookNetworks: Command = {
  usage: '[NETWORK … | none]',
  help: `Shows the networks, one a line, that all processes on the database DATABASE_URL names let webhooks reach beside public
addresses; with networks, makes those the rule for all of them, within a second and without a restart. The first
process that is started with WEBHOOK_ALLOWED_NETWORKS makes the rule; one with another setting follows it and logs a warning.
A service with the embedded database obeys its own WEBHOOK_ALLOWED_NETWORKS: set that and start it again.

Examples
  styledna webhook-networks
  styledna webhook-networks 10.0.0.0/8 192.168.7.0/24
  styledna webhook-networks none`,
  options: {},
  async run(call) {
    const config = readConfig(call.environment);
    if (config.DATABASE_URL === undefined) {
      throw new UsageError(
        'DATABASE_URL is not set: a service with the embedded database obeys its own WEBHOOK_ALLOWED_NETWORKS. Set that and start it again',
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
      throw new UsageError(`"${word}" is no network; one is written like 10.0.0.0/8 or fd12::/16`);
  }
  return words;
}
