import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { seedCluster } from './cluster.ts';
import { PROGRAM } from './program.ts';

/** Of a new database on a busy machine too. */
const START_MS = 90_000;

/** The real service in a process of its own, on a port and in a data directory of its own. */
export interface Service extends AsyncDisposable {
  /** Without a slash at its end; the same after a restart. */
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly pid: number;
  /** Parsed log lines of all its processes. */
  readonly log: readonly Readonly<Record<string, unknown>>[];
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Starts it again, after `kill` or `stop`, on the same data and port. */
  restart(environment?: Readonly<Record<string, string>>): Promise<void>;
}

/**
 * Starts `serve` with these settings beside the defaults. Disposing kills it and removes its data. Where `dataDir` has a
 * folder `database` already, the service makes what is missing in it by itself.
 */
export async function startService(
  environment: Readonly<Record<string, string>> = {},
  dataDir = mkdtempSync(join(tmpdir(), 'styledna-service-')),
): Promise<Service> {
  const cluster = join(dataDir, 'database');
  if (environment['DATABASE_URL'] === undefined && !existsSync(cluster)) await seedCluster(cluster);
  return startLife(new Life('serve', dataDir, environment));
}

/** A worker on the database and the files of a service. Disposing kills it; the files stay. */
export function startWorker(
  environment: Readonly<Record<string, string>>,
  dataDir: string,
): Promise<Service> {
  return startLife(new Life('work', dataDir, environment));
}

async function startLife(life: Life): Promise<Life> {
  process.once('exit', life.killNow);
  await life.start('0');
  return life;
}

/** The message of each command when it is ready. */
const READY = { serve: 'listening', work: 'working' } as const;

class Life implements Service {
  readonly dataDir: string;
  readonly log: Readonly<Record<string, unknown>>[] = [];
  child: ChildProcess | undefined;
  baseUrl = '';
  readonly #command: keyof typeof READY;
  #environment: Readonly<Record<string, string>>;
  #lastWords = '';

  constructor(command: keyof typeof READY, dataDir: string, environment: Readonly<Record<string, string>>) {
    this.#command = command;
    this.dataDir = dataDir;
    // Receivers of the tests listen on this machine.
    this.#environment = { LOG_LEVEL: 'info', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', ...environment };
  }

  /** For the end of the tests, however they end. */
  readonly killNow = () => {
    this.child?.kill('SIGKILL');
  };

  get pid(): number {
    return this.child!.pid!;
  }

  async start(port: string): Promise<void> {
    const child = spawn(process.execPath, [PROGRAM, this.#command], {
      // Only what a program needs to run: settings of the tester's shell must not reach the service.
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: process.env['HOME'] ?? '',
        ...this.#environment,
        PORT: port,
        DATA_DIR: this.dataDir,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    child.stderr!.on('data', (text: Buffer) => {
      this.#lastWords = (this.#lastWords + text.toString()).slice(-4000);
    });
    this.baseUrl = await this.#listening(child);
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async stop(): Promise<number | null> {
    return this.#end('SIGTERM');
  }

  async restart(environment: Readonly<Record<string, string>> = {}): Promise<void> {
    this.#environment = { ...this.#environment, ...environment };
    await this.start(this.baseUrl === '' ? '0' : new URL(this.baseUrl).port);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    process.off('exit', this.killNow);
    if (this.#command === 'serve') rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 3 });
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) {
      return child?.exitCode ?? null;
    }
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
    return child.exitCode;
  }

  #listening(child: ChildProcess): Promise<string> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), START_MS);
      child.once('exit', (code) => {
        clearTimeout(timer);
        const last = this.log.slice(-5).map((line) => JSON.stringify(line));
        reject(
          new Error(
            `The service ended (${code}) before it listened:\n${this.#lastWords}\n${last.join('\n')}`,
          ),
        );
      });
      createInterface({ input: child.stdout! }).on('line', (text) => {
        const line = parsed(text);
        this.log.push(line);
        if (line['msg'] !== READY[this.#command]) return;
        clearTimeout(timer);
        resolve(String(line['address'] ?? ''));
      });
    });
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return { msg: text };
  }
}
