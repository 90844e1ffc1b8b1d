/** The real service, started on a folder of its own, for those who measure it from outside. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { PROGRAM } from '../../test/support/program.ts';

export interface Served {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly baseUrl: string;
}

/** Resolves once it listens. */
export async function serve(
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const child = spawn(process.execPath, [PROGRAM, 'serve'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      PORT: '0',
      DATA_DIR: dataDir,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { child, pid: child.pid!, baseUrl: await listeningAt(child) };
}

/** The listening address that a process logs as JSON lines; without a slash at its end. */
export async function listeningAt({ stdout }: Pick<ChildProcess, 'stdout'>): Promise<string> {
  if (stdout === null) throw new Error('What it says is not read');
  for await (const line of createInterface({ input: stdout })) {
    const { msg, address } = JSON.parse(line);
    if (msg !== 'listening') continue;
    stdout.resume();
    return String(address);
  }
  throw new Error('It ended before it listened');
}

/** Uploads a file; returns the id of the video. */
export async function uploaded({ baseUrl }: Pick<Served, 'baseUrl'>, path: string): Promise<string> {
  const form = new FormData();
  form.append('file', await openAsBlob(path), basename(path));
  const answer = await fetch(`${baseUrl}/api/v1/videos/upload`, { method: 'POST', body: form });
  const { data } = (await answer.json()) as { data: { video_id: string } };
  return data.video_id;
}

/** By SIGTERM. */
export async function stop({ child }: Pick<Served, 'child'>): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
