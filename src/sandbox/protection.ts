import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInChild } from './child.ts';
import { NO_SANDBOX, type Sandbox, sandboxes } from './sandbox.ts';

/** What holds for the media children of this process: seen from inside one, not concluded from settings. */
export interface Protection {
  /** No file is seen but libraries, our own code and the child's input; only its working folder can be written. */
  readonly filesystem: boolean;
  /** No network, the machine's own included. */
  readonly network: boolean;
  /** No other process is seen or reached, and nothing of a child outlives it. */
  readonly processes: boolean;
  /** The kernel bounds memory, processor time, files and core dumps. */
  readonly limits: boolean;
}

export interface ProtectedSandbox {
  readonly sandbox: Sandbox;
  readonly protection: Protection;
}

export const NO_PROTECTION: Protection = {
  filesystem: false,
  network: false,
  processes: false,
  limits: false,
};
const CANARY = new URL('canary.mjs', import.meta.url);
/** Long, so that a busy machine does not fail the test. */
const LIMITS = { idleMs: 60_000, wallMs: 60_000, memoryBytes: 2 ** 30, fileBytes: 2 ** 20 } as const;

/** The strongest sandbox that works here. `workRoot`: where working folders are made. */
export async function findSandbox(workRoot: string): Promise<ProtectedSandbox> {
  await mkdir(workRoot, { recursive: true });
  const folder = await mkdtemp(join(workRoot, `${process.pid}-`));
  try {
    for (const sandbox of sandboxes()) {
      const protection = await protectionBy(sandbox, folder);
      if (protection !== null) return { sandbox, protection };
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  // Not even a bare child starts: whoever runs one will say why.
  return { sandbox: NO_SANDBOX, protection: NO_PROTECTION };
}

/** As a child finds it. Null: children do not start this way. `folder`: an empty one. */
export async function protectionBy(sandbox: Sandbox, folder: string): Promise<Protection | null> {
  const secret = join(folder, 'secret');
  const inside = join(folder, 'inside');
  await mkdir(inside, { recursive: true });
  await writeFile(secret, '');
  const run = {
    sandbox,
    entry: CANARY,
    task: 'canary',
    input: secret,
    folder: inside,
    files: [],
    limits: LIMITS,
    signal: new AbortController().signal,
    onProgress: () => {},
  };
  return (await runInChild(run).catch(() => null)) as Protection | null;
}
