import { pino } from 'pino';
import { openHouse } from '../compose.ts';
import { readConfig } from '../config.ts';
import { type Command, EXIT, takeArguments } from './command.ts';

export const webhookSecret: Command = {
  summary: 'Print the secrets that webhooks are signed with',
  usage: '',
  help: `Prints the secrets, one a line, that receivers verify webhooks with: those of WEBHOOK_SECRETS, or the one that the
service made for itself. With the embedded database the service must not be running meanwhile.

Example
  styledna webhook-secret`,
  options: {},
  async run(call) {
    takeArguments(call);
    const config = readConfig(call.environment);
    const house = await openHouse(config, pino({ level: 'silent' }));
    try {
      for (const secret of house.webhooks.secrets) console.log(secret);
    } finally {
      await house.stop();
    }
    return EXIT.done;
  },
};
