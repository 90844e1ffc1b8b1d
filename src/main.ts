import { main } from './cli/run-command.ts';

process.exitCode = await main(process.argv.slice(2), process.env);
