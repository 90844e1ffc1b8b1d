import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInChild } from './child.ts';
import { NO_SANDBOX, type Sandbox, sandboxes } from './sandbox.ts';

/**
 * Protection of the media children of this process, measured from inside a child instead of derived from
 * settings.
 */
export interface Protection {
  /**
   * No file is visible except libraries, our own code and the child's input; only its working folder can be
   * written.
   */
  readonly filesystem: boolean;
  /** No network, also not the machine's own. */
  readonly network: boolean;
  /** No other process is visible or reachable, and no process of a child outlives it. */
  readonly processes: boolean;
  /** The kernel limits memory, processor time, files and core dumps. */
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

/** Finds the strongest sandbox that works on this system. `workRoot`: parent of working folders. */
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
  // Not even a child without a sandbox starts; its first real use reports the reason.
  return { sandbox: NO_SANDBOX, protection: NO_PROTECTION };
}

/**
 * Measures the protection inside a child. Null: children do not start in this sandbox. `folder`: an empty
 * one.
 */
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
