import { ConfigError } from '../config.ts';
import { runInChild } from '../media/child.ts';
import { NO_BORDER } from '../media/child-border.ts';
import {
  findBorder,
  NO_PROTECTION,
  type ProtectedBorder,
  type Protection,
} from '../media/child-protection.ts';
import { cacheRoots, codeCache } from './code-cache.ts';
import { filesOf } from './task-files.ts';
import type { TaskInput, TaskName, TaskOutput } from './tasks.ts';
import { openWorkspace } from './workspace.ts';

/** `auto`: as strong a border as the system allows. `require`: none but the whole one. `off`: none. */
export type Isolation = 'auto' | 'require' | 'off';

export interface EngineSettings {
  /** Where the children's working folders are made. */
  readonly workRoot: string;
  /** Without a sign of life for so long a child is stuck. */
  readonly idleSeconds: number;
  readonly memoryBytes: number;
  /** Default: `auto`. */
  readonly isolation?: Isolation;
  /** Folders in which compiled code may be kept; default: with the package, or with the user. */
  readonly cacheRoots?: readonly string[];
}

export interface TaskOptions {
  readonly signal: AbortSignal;
  /** 0..1, never falling. */
  readonly onProgress?: (fraction: number) => void;
  /** The working folder; default: one of its own, removed afterwards. */
  readonly folder?: string;
  /** Running time of what is worked on: the limits on wall time and on files grow with it. */
  readonly mediaSeconds?: number;
}

/** How children are started; found out once. */
interface Ways extends ProtectedBorder {
  readonly codeCache: string | null;
}

const CHILD = new URL('./child.ts', import.meta.url);
const LEAST_WALL_MS = 10 * 60_000;
/** The slowest honest case, 4K at x264 slow on two old cores, stays well below this multiple of its running time. */
const WALL_PER_MEDIA_SECOND_MS = 90_000;
/** Takes one to two seconds. */
const COMPILE_MS = 60_000;
const LEAST_FILE_BYTES = 2 ** 30;
/** 400 Mbit/s: x264 at CRF 16 writes 4K noise at less. */
const FILE_BYTES_PER_MEDIA_SECOND = 50_000_000;

/** Runs media tasks, each in a child process of its own. */
export class MediaEngine {
  readonly #settings: EngineSettings;
  #ways: Promise<Ways> | undefined;

  constructor(settings: EngineSettings) {
    this.#settings = settings;
  }

  /**
   * Finds out how children can be confined, and what their code compiles to. Called by the first task otherwise. Throws
   * `ConfigError` where isolation is required and the system does not allow all of it.
   */
  async prepare(): Promise<Protection> {
    return (await this.#findWaysOnce()).protection;
  }

  /** Throws what `prepare` and `runInChild` throw, and the task's own failures. */
  async run<T extends TaskName>(task: T, input: TaskInput<T>, options: TaskOptions): Promise<TaskOutput<T>> {
    const ways = await this.#findWaysOnce();
    if (options.folder !== undefined) return this.#runIn(options.folder, ways, task, input, options);
    await using workspace = await openWorkspace(this.#settings.workRoot);
    return await this.#runIn(workspace.folder, ways, task, input, options);
  }

  get workRoot(): string {
    return this.#settings.workRoot;
  }

  async #runIn<T extends TaskName>(
    folder: string,
    ways: Ways,
    task: T,
    input: TaskInput<T>,
    { signal, onProgress, mediaSeconds = 0 }: TaskOptions,
  ): Promise<TaskOutput<T>> {
    let reached = 0;
    const result = await runInChild({
      border: ways.border,
      codeCache: ways.codeCache ?? undefined,
      entry: CHILD,
      task,
      input,
      folder,
      files: filesOf(task, input),
      limits: {
        idleMs: this.#settings.idleSeconds * 1000,
        wallMs: LEAST_WALL_MS + mediaSeconds * WALL_PER_MEDIA_SECOND_MS,
        memoryBytes: this.#settings.memoryBytes,
        fileBytes: LEAST_FILE_BYTES + Math.ceil(mediaSeconds) * FILE_BYTES_PER_MEDIA_SECOND,
      },
      signal,
      onProgress: (fraction) => {
        if (fraction <= reached) return;
        reached = Math.min(1, fraction);
        onProgress?.(reached);
      },
    });
    return result as TaskOutput<T>;
  }

  /** A full disk may be the reason that it fails: the next call tries again. */
  #findWaysOnce(): Promise<Ways> {
    this.#ways ??= this.#findWays().catch((error) => {
      this.#ways = undefined;
      throw error;
    });
    return this.#ways;
  }

  async #findWays(): Promise<Ways> {
    const { isolation = 'auto', workRoot } = this.#settings;
    if (isolation === 'off') return { border: NO_BORDER, protection: NO_PROTECTION, codeCache: null };
    const found = await findBorder(workRoot);
    const missing = Object.entries(found.protection).filter(([, holds]) => !holds);
    if (isolation === 'require' && missing.length > 0) {
      throw new ConfigError(
        `MEDIA_ISOLATION is "require", but this system does not let media processes be confined in: ${missing.map(([name]) => name).join(', ')}`,
      );
    }
    return { ...found, codeCache: await this.#codeCache(found) };
  }

  /** None where a child could write it: the next one would run what a hijacked one left there. */
  async #codeCache({ border, protection }: ProtectedBorder): Promise<string | null> {
    if (!protection.filesystem) return null;
    return codeCache(this.#settings.cacheRoots ?? cacheRoots(), async (folder) => {
      const options = { signal: AbortSignal.timeout(COMPILE_MS) };
      await this.#runIn(folder, { border, protection, codeCache: folder }, 'compile', null, options);
    });
  }
}
