import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import { destination, pino } from 'pino';
import type { Service } from '../compose.ts';
import { type Config, readConfig } from '../config.ts';
import { type Door, openDoor } from '../http/server/door.ts';
import { VERSION } from '../version.ts';
import { type Command, EXIT, takeArguments, UsageError } from './command.ts';
import { logCensor } from './log-lines.ts';

export const serve: Command = {
  usage: '',
  help: `Listens on http://127.0.0.1:8080 and keeps everything under ./data. Settings are environment variables
(docs/operating.md); the common ones: HOST, PORT, DATA_DIR, DATABASE_URL, CORS_ORIGINS,
WORKER_CONCURRENCY (0: only serve), LOG_LEVEL. SIGTERM and Ctrl-C drain: work at hand is finished or handed over.

Example
  PORT=9000 DATA_DIR=/srv/styledna styledna serve`,
  options: {},
  async run(call) {
    takeArguments(call);
    const config = readConfig(call.environment);
    const service = await open(config, await openDoor(config));
    return started(service, call.signal, async () => {
      const address = await service.startHttp();
      await service.startWork();
      flushCompileCache();
      if (process.stdout.isTTY) console.error(greeting(address));
    });
  },
};

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
  help: `Takes jobs from the database that DATABASE_URL names and renders them. Workers on several machines need shared
files: set S3_BUCKET (or one DATA_DIR on a shared disk) and PUBLIC_BASE_URL.

Example
  DATABASE_URL=postgres://styledna@db/styledna S3_BUCKET=videos … styledna work`,
  options: {},
  async run(call) {
    takeArguments(call);
    const config = readConfig(call.environment);
    if (config.DATABASE_URL === undefined) {
      throw new UsageError(
        'A worker of its own needs DATABASE_URL: the embedded database belongs to one process',
      );
    }
    const service = await open(config, null);
    return started(service, call.signal, async () => {
      await service.startWork();
      service.logger.info('working');
    });
  },
};

/** Read here: by then the door is open. */
async function open(config: Config, door: Door | null): Promise<Service> {
  const { openService } = await import('../compose.ts');
  const lines = destination({ fd: 1, sync: true });
  const censored = logCensor(config);
  const logger = pino(
    { level: config.LOG_LEVEL, base: null },
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
