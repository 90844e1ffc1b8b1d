import { ROLES } from '../settings/role.ts';
import {
  type Command,
  type CommandCall,
  choiceOption,
  stringOption,
  takeArguments,
  UsageError,
} from './command.ts';

const MAX_PORT = 65_535;

const ADDRESS_OPTIONS = { host: { type: 'string' }, port: { type: 'string' } } as const;

export const serve: Command = {
  usage: '[--host HOST] [--port PORT] [--role all | api | worker]',
  help: `Listens on http://127.0.0.1:8080 and stores all data in ./data. Settings are environment variables
(docs/operating.md); the common ones: HOST, PORT, DATA_DIR, DATABASE_URL, CORS_ORIGINS,
WORKER_CONCURRENCY, LOG_LEVEL. SIGTERM and Ctrl-C drain: running jobs finish or continue on another worker.

On a terminal the log is plain text; everywhere else it is JSON, one line each.

Options
      --host HOST   address to listen on, such as 0.0.0.0 for all of this machine; default: the setting HOST, 127.0.0.1
      --port PORT   port to listen on, 0 for a free one; default: the setting PORT, 8080
      --role ROLE   role of this process in a fleet; default: the setting ROLE; a fleet needs DATABASE_URL, and
                    S3_BUCKET or one DATA_DIR on a shared disk
                    all: everything (default)
                    api: serves the API, and runs no jobs
                    worker: runs jobs, and serves only /livez, /readyz, /metrics and /api/v1/health

Examples
  styledna serve --port 9000
  PORT=9000 DATA_DIR=/srv/styledna styledna serve
  DATABASE_URL=postgres://styledna@db/styledna S3_BUCKET=videos … styledna serve --role worker`,
  options: { ...ADDRESS_OPTIONS, role: { type: 'string' } },
  choices: { role: ROLES },
  async run(call) {
    takeArguments(call);
    const role = choiceOption(call, 'role', ROLES);
    return run(call, role ?? call.environment['ROLE']);
  },
};

export const work: Command = {
  usage: '[--host HOST] [--port PORT]',
  help: `Runs jobs from the database at DATABASE_URL; HOST and PORT serve only health and metrics. Workers on several machines need shared files: S3_BUCKET, or one DATA_DIR on a shared disk.

Example
  DATABASE_URL=postgres://styledna@db/styledna S3_BUCKET=videos … styledna work --port 8081`,
  options: ADDRESS_OPTIONS,
  async run(call) {
    takeArguments(call);
    return run(call, 'worker');
  },
};

/**
 * An embedded PostgreSQL, the slowest part of a start, starts on its own thread before the other modules are loaded.
 */
async function run(call: CommandCall, role: string | undefined): Promise<number> {
  const environment = { ...call.environment, ...readAddress(call), ROLE: role };
  if (!call.environment['DATABASE_URL']) (await import('../database/postgres-client.ts')).startClient();
  const { runService } = await import('./run-service.ts');
  return runService(environment, call.signal);
}

/** The settings that the options replace. Throws `UsageError`. */
function readAddress(call: CommandCall): { readonly HOST?: string; readonly PORT?: string } {
  const [host, port] = [stringOption(call, 'host'), stringOption(call, 'port')];
  if (host === '') throw new UsageError('--host must be an address or a name, such as 0.0.0.0; got nothing');
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= MAX_PORT))
    throw new UsageError(`--port must be a number from 0 to ${MAX_PORT}; got ${port}`);
  return { ...(host === undefined ? {} : { HOST: host }), ...(port === undefined ? {} : { PORT: port }) };
}
