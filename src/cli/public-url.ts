import { openDatabase } from '../installation.ts';
import { changePublicUrl, publicUrl } from '../jobs/url-agreement.ts';
import { baseUrlSchema, readConfig } from '../settings/config.ts';
import { type Command, EXIT, UsageError } from './command.ts';

export const publicUrlCommand: Command = {
  usage: '[URL]',
  help: `Shows the PUBLIC_BASE_URL that all processes on the database DATABASE_URL names have agreed on; with URL, makes it the
rule. The first process that is started with PUBLIC_BASE_URL makes the rule; one with another does not start. Processes
that run go on with the one they had until they are started again.

Examples
  styledna public-url
  styledna public-url https://styles.example.com`,
  options: {},
  async run(call) {
    const config = readConfig(call.environment);
    if (config.DATABASE_URL === undefined) {
      throw new UsageError(
        'DATABASE_URL is not set: a service with the embedded database obeys its own PUBLIC_BASE_URL. Set that and start it again',
      );
    }
    if (call.positionals.length > 1)
      throw new UsageError(`This command takes one URL; it got ${call.positionals.length}`);
    const [text] = call.positionals;
    const wanted = text === undefined ? null : baseUrlSchema.safeParse(text);
    if (wanted?.success === false)
      throw new UsageError(`"${text}" is no address; one is written like https://styles.example.com`);
    const database = await openDatabase(config);
    try {
      if (wanted !== null) await changePublicUrl(database, wanted.data);
      console.log((await publicUrl(database)) ?? 'none');
    } finally {
      await database.close();
    }
    return EXIT.done;
  },
};
