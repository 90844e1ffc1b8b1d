import { openDatabase } from '../installation.ts';
import { changePublicUrl, publicUrl } from '../jobs/url-agreement.ts';
import { baseUrlSchema, readConfig } from '../settings/config.ts';
import { type Command, EXIT, UsageError } from './command.ts';

export const publicUrlCommand: Command = {
  usage: '[URL]',
  help: `Shows the PUBLIC_BASE_URL that all processes on the database at DATABASE_URL use; with URL, changes it. The first process
that starts with PUBLIC_BASE_URL sets it; a process with another one does not start. Running processes use the old one until
they are restarted.

Examples
  styledna public-url
  styledna public-url https://styles.example.com`,
  options: {},
  async run(call) {
    const config = readConfig(call.environment);
    if (config.DATABASE_URL === undefined) {
      throw new UsageError(
        'DATABASE_URL is not set: a service with the embedded database uses its own PUBLIC_BASE_URL. Change that and restart it',
      );
    }
    if (call.positionals.length > 1)
      throw new UsageError(`This command takes one URL; it got ${call.positionals.length}`);
    const [text] = call.positionals;
    const wanted = text === undefined ? null : baseUrlSchema.safeParse(text);
    if (wanted?.success === false)
      throw new UsageError(`"${text}" is not an address such as https://styles.example.com`);
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
