import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import { destination, pino } from 'pino';
import type { Service } from '../compose.ts';
import { type Config, ROLES, readConfig } from '../config.ts';
import { compiledPostgres } from '../database/postgres-wasm.ts';
import { type Door, openDoor } from '../http/server/door.ts';
import { traceLogFields } from '../telemetry/trace-context.ts';
import { VERSION } from '../version.ts';
import { type Command, type CommandCall, choiceOption, EXIT, takeArguments } from './command.ts';
import { logCensor } from './log-lines.ts';

export const serve: Command = {
  usage: '[--role all | api | worker]',
  help: `Listens on http://127.0.0.1:8080 and keeps everything under ./data. Settings are environment variables
(docs/operating.md); the common ones: HOST, PORT, DATA_DIR, DATABASE_URL, CORS_ORIGINS,
WORKER_CONCURRENCY, LOG_LEVEL. SIGTERM and Ctrl-C drain: work at hand is finished or handed over.

Options
      --role ROLE   what this process of a fleet does, as the setting ROLE says otherwise; a fleet needs DATABASE_URL, and
                    S3_BUCKET or one DATA_DIR on a shared disk
                    all: everything (default)
                    api: answers, and runs no jobs
                    worker: runs jobs, and answers /livez, /readyz, /metrics and /api/v1/health only

Examples
  PORT=9000 DATA_DIR=/srv/styledna styledna serve
  DATABASE_URL=postgres://styledna@db/styledna S3_BUCKET=videos … styledna serve --role worker`,
  options: { role: { type: 'string' } },
  choices: { role: ROLES },
  async run(call) {
    takeArguments(call);
    const role = choiceOption(call, 'role', ROLES);
    return run(call, role ?? call.environment['ROLE']);
  },
};

async function run(call: CommandCall, role: string | undefined): Promise<number> {
  const config = readConfig({ ...call.environment, ROLE: role });
  if (config.DATABASE_URL === undefined) void compiledPostgres();
  const service = await open(config, await openDoor(config));
  return started(service, call.signal, async () => {
    const address = await service.startHttp();
    await service.startWork();
    flushCompileCache();
    if (config.ROLE === 'worker') service.logger.info({ address }, 'working');
    else if (process.stdout.isTTY) console.error(greeting(address));
  });
}

/** For a person at a terminal, whom lines of a log tell little. */
function greeting(address: string): string {
  return `
StyleDNA ${VERSION} is ready: open ${address} in a browser.
  Or from another terminal:  styledna apply SOURCE --template TEMPLATE -o OUT.mp4 --server ${address}
  The interface:             ${address}/docs
  Ctrl-C ends it, when the work at hand is finished or handed over.
`;
}

export const work: Command = {
  usage: '',
  help: `Takes jobs from the database that DATABASE_URL names and renders them; on HOST and PORT it answers how it is, and nothing
else. Workers on several machines need shared files: S3_BUCKET, or one DATA_DIR on a shared disk.

Example
  DATABASE_URL=postgres://styledna@db/styledna S3_BUCKET=videos … PORT=8081 styledna work`,
  options: {},
  async run(call) {
    takeArguments(call);
    return run(call, 'worker');
  },
};

/** Read here: by then the door is open. */
async function open(config: Config, door: Door): Promise<Service> {
  const { openService } = await import('../compose.ts');
  const lines = destination({ fd: 1, sync: true });
  const censored = logCensor(config);
  const logger = pino(
    { level: config.LOG_LEVEL, base: null, mixin: traceLogFields },
    { write: (line: string) => lines.write(censored(line)) },
  );
  return openService(config, logger, door);
}

/** A service that cannot start, because its port is taken, is closed again: its timers would keep the process alive. */
async function started(service: Service, signal: AbortSignal, start: () => Promise<void>): Promise<number> {
  try {
    await start();
  } catch (error) {
    await service.stop();
    throw error;
  }
  return runUntilStopped(service, signal);
}

async function runUntilStopped(service: Service, signal: AbortSignal): Promise<number> {
  if (!signal.aborted) await once(signal, 'abort');
  service.logger.info('draining');
  await service.stop();
  service.logger.info('stopped');
  return EXIT.done;
}
