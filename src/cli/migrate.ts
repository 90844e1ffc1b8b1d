import { pino } from 'pino';
import { migrate } from '../database/migrations.ts';
import { connectDatabase, startErrorOf } from '../installation.ts';
import { prepareQueue } from '../jobs/queue/queue.ts';
import { readConfig } from '../settings/config.ts';
import { type Command, EXIT, takeArguments } from './command.ts';

export const migrateCommand: Command = {
  usage: '',
  help: `Brings the tables of the database that DATABASE_URL names (else the embedded one of DATA_DIR) to this version: forward only,
one process at a time, safe while processes of the version before go on working. Every start does the same unless
MIGRATE_AT_START is 0; then it refuses a database that is behind. Prints the numbers of what it applied.

Example
  DATABASE_URL=postgres://owner@db/styledna styledna migrate`,
  options: {},
  async run(call) {
    takeArguments(call);
    const config = readConfig(call.environment);
    const database = await connectDatabase(config);
    try {
      const applied = await migrate(database);
      await prepareQueue(database, pino({ level: 'silent' }));
      console.log(applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`);
    } catch (error) {
      throw startErrorOf(config, error);
    } finally {
      await database.close();
    }
    return EXIT.done;
  },
};
