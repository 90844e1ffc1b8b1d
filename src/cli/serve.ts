import { ROLES } from '../settings/role.ts';
import { type Command, type CommandCall, choiceOption, takeArguments } from './command.ts';

export const serve: Command = {
  usage: '[--role all | api | worker]',
  help: `Listens on http://127.0.0.1:8080 and stores all data in ./data. Settings are environment variables
(docs/operating.md); the common ones: HOST, PORT, DATA_DIR, DATABASE_URL, CORS_ORIGINS,
WORKER_CONCURRENCY, LOG_LEVEL. SIGTERM and Ctrl-C drain: running jobs finish or continue on another worker.

Options
      --role ROLE   role of this process in a fleet; default: the setting ROLE; a fleet needs DATABASE_URL, and
                    S3_BUCKET or one DATA_DIR on a shared disk
                    all: everything (default)
                    api: serves the API, and runs no jobs
                    worker: runs jobs, and serves only /livez, /readyz, /metrics and /api/v1/health

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

export const work: Command = {
  usage: '',
  help: `Runs jobs from the database at DATABASE_URL; HOST and PORT serve only health and metrics. Workers on several machines need shared files: S3_BUCKET, or one DATA_DIR on a shared disk.

Example
  DATABASE_URL=postgres://styledna@db/styledna S3_BUCKET=videos … PORT=8081 styledna work`,
  options: {},
  async run(call) {
    takeArguments(call);
    return run(call, 'worker');
  },
};

/**
 * An embedded PostgreSQL, the slowest part of a start, starts on its own thread before the other modules are loaded.
 */
async function run(call: CommandCall, role: string | undefined): Promise<number> {
  const environment = { ...call.environment, ROLE: role };
  if (!call.environment['DATABASE_URL']) (await import('../database/postgres-client.ts')).startClient();
  const { runService } = await import('./run-service.ts');
  return runService(environment, call.signal);
}
