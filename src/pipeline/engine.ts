import { runInChild } from '../media/child.ts';
import type { TaskInput, TaskName, TaskOutput } from './tasks.ts';
import { openWorkspace } from './workspace.ts';

export interface EngineSettings {
  /** Where the children's working folders are made. */
  readonly workRoot: string;
  /** Without a sign of life for so long a child is stuck. */
  readonly idleSeconds: number;
  readonly memoryBytes: number;
}

export interface TaskOptions {
  readonly signal: AbortSignal;
  /** 0..1, never falling. */
  readonly onProgress?: (fraction: number) => void;
  /** The working folder; default: one of its own, removed afterwards. */
  readonly folder?: string;
  /** Running time of what is worked on: the limit on wall time grows with it. */
  readonly mediaSeconds?: number;
}

const CHILD = new URL('./child.ts', import.meta.url);
const LEAST_WALL_MS = 10 * 60_000;
/** The slowest honest case, 4K at x264 slow on two old cores, stays well below this multiple of its running time. */
const WALL_PER_MEDIA_SECOND_MS = 90_000;

/** Runs media tasks, each in a child process of its own. */
export class MediaEngine {
  readonly #settings: EngineSettings;

  constructor(settings: EngineSettings) {
    this.#settings = settings;
  }

  /** Throws what `runInChild` throws, and the task's own failures. */
  async run<T extends TaskName>(task: T, input: TaskInput<T>, options: TaskOptions): Promise<TaskOutput<T>> {
    if (options.folder === undefined) {
      await using workspace = await openWorkspace(this.#settings.workRoot);
      return await this.run(task, input, { ...options, folder: workspace.folder });
    }
    let reached = 0;
    const result = await runInChild({
      entry: CHILD,
      task,
      input,
      folder: options.folder,
      limits: {
        idleMs: this.#settings.idleSeconds * 1000,
        wallMs: LEAST_WALL_MS + (options.mediaSeconds ?? 0) * WALL_PER_MEDIA_SECOND_MS,
        memoryBytes: this.#settings.memoryBytes,
      },
      signal: options.signal,
      onProgress: (fraction) => {
        if (fraction <= reached) return;
        reached = Math.min(1, fraction);
        options.onProgress?.(reached);
      },
    });
    return result as TaskOutput<T>;
  }

  get workRoot(): string {
    return this.#settings.workRoot;
  }
}
