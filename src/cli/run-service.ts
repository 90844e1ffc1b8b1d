import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import { destination, pino } from 'pino';
import type { Service } from '../compose.ts';
import { type EarlyListener, openEarlyListener } from '../http/server/early-listener.ts';
import { VERSION } from '../package/version.ts';
import { assertOpenFiles } from '../sandbox/system-limits.ts';
import { type Config, readConfig } from '../settings/config.ts';
import { traceLogFields } from '../telemetry/trace-context.ts';
import { EXIT } from './command.ts';
import { humanLine, logCensor } from './log-lines.ts';

/** Runs the service until the signal aborts; resolves with the exit code. `environment`: the settings. */
export async function runService(
  environment: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<number> {
  const config = readConfig(environment);
  assertOpenFiles();
  const service = await open(config, await openEarlyListener(config));
  return started(service, signal, async () => {
    const address = await service.startHttp();
    await service.startWork();
    flushCompileCache();
    if (config.ROLE === 'worker') service.logger.info({ address }, 'working');
    else if (process.stdout.isTTY || process.stderr.isTTY) console.error(greeting(address));
  });
}

/** A start message for a terminal. */
function greeting(address: string): string {
  return `
Open ${address} in a browser: StyleDNA ${VERSION} is ready.
  Or from another terminal:  styledna apply SOURCE --template TEMPLATE -o OUT.mp4 --server ${address}
  The interface:             ${address}/docs
  Ctrl-C ends it, when the work at hand is finished or handed over.
`;
}

/** Imported here: the early listener is already open. */
async function open(config: Config, earlyListener: EarlyListener): Promise<Service> {
  const { openService } = await import('../compose.ts');
  const lines = destination({ fd: 1, sync: true });
  const censored = logCensor(config);
  const shown = process.stdout.isTTY ? humanLine : (line: string) => line;
  const logger = pino(
    { level: config.LOG_LEVEL, base: null, mixin: traceLogFields },
    { write: (line: string) => lines.write(shown(censored(line))) },
  );
  return openService(config, logger, earlyListener);
}

/**
 * Runs `start` and closes a service that cannot start, for example because its port is in use: its timers would keep
 * the process alive.
 */
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
