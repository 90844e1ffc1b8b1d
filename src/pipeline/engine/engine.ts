import { join } from 'node:path';
import type { EncoderChoice } from '../../domain/encoder-choice.ts';
import { ConfigError, Failure } from '../../domain/errors.ts';
import type { Size } from '../../domain/footage.ts';
import { moduleBeside } from '../../package/package-files.ts';
import { type ChildRun, runInChild } from '../../sandbox/child.ts';
import {
  findSandbox,
  NO_PROTECTION,
  type ProtectedSandbox,
  type Protection,
} from '../../sandbox/protection.ts';
import { NO_SANDBOX } from '../../sandbox/sandbox.ts';
import { storedProtection, storeProtection } from '../../sandbox/stored-protection.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { errorType, inSpan, NO_TRACING, type Tracing } from '../../telemetry/tracing.ts';
import { ChildMemory } from './child-memory.ts';
import type { ClipChild } from './clip-child.ts';
import { cacheRoots, codeCache, existingCodeCache } from './code-cache.ts';
import { type FoundEncoder, findEncoder, graphicsDevices } from './encoder-finding.ts';
import type { JobPictures } from './memory-need.ts';
import { filesOf } from './task-files.ts';
import type { TaskFound, TaskInput, TaskName, TaskOutput } from './tasks.ts';
import { openWorkspace } from './workspace.ts';

/** `auto`: the strongest sandbox that the system allows. `require`: only the complete sandbox. `off`: none. */
export type Isolation = 'auto' | 'require' | 'off';

export interface EngineSettings {
  /** Parent folder of the children's working folders. */
  readonly workRoot: string;
  /** A child without a heartbeat for this time is stuck. */
  readonly idleSeconds: number;
  /** The largest memory limit of one child; default: the machine's memory. */
  readonly memoryBytes?: number | undefined;
  /** Default: the machine's memory, or less where a container limits it. */
  readonly machineBytes?: number;
  /** Default: `auto`. */
  readonly isolation?: Isolation;
  /** Default: `software`. */
  readonly encoder?: EncoderChoice | undefined;
  /**
   * Returns the cause of a task's failure, because a child cannot distinguish a damaged file from a damaged disk.
   * Default: the failure itself.
   */
  readonly causeOf?: (error: unknown) => Promise<unknown>;
  /** Folders for compiled code; default: in the package, else the user's. */
  readonly cacheRoots?: readonly string[];
  /** Left out: nothing is counted. */
  readonly metrics?: Metrics;
  /** Left out: nothing is recorded. */
  readonly tracing?: Tracing;
}

export interface TaskOptions<Found = never> {
  readonly signal: AbortSignal;
  /** 0..1, never falling. */
  readonly onProgress?: (fraction: number) => void;
  /** Receives results that the task reports before its end. */
  readonly onFound?: (found: Found) => void;
  /** The working folder; default: a new one, removed afterwards. */
  readonly folder?: string;
  /** Running time of the media: the limits of wall time and file size grow with it. */
  readonly mediaSeconds?: number;
  /** The displayed picture size of the clip, from which memory is planned. */
  readonly source?: Size;
  /** The child of the clip; undefined: the task has its own child. The child's folder is then the working folder. */
  readonly child?: ClipChild | undefined;
}

/** Whether the results of an earlier process are used. */
type Finding = 'by trial' | 'cached';

/** Sandbox and code cache of all children, determined once. */
interface SandboxSetup extends ProtectedSandbox {
  readonly codeCache: string | null;
}

const CHILD = moduleBeside('child', import.meta.url);
const MIN_WALL_MS = 10 * 60_000;
/** The slowest legitimate case, 4K at x264 slow on two old cores, is well below this multiple of its running time. */
const WALL_PER_MEDIA_SECOND_MS = 90_000;
/** 24 days: longer timers of Node fire at once. A damaged file can claim any running time. */
const MAX_WALL_MS = 2 ** 31 - 1;
/** Takes one to two seconds. */
const COMPILE_MS = 60_000;
/** A driver that hangs must not delay a start for longer. */
const TRIAL_MS = 20_000;
/** Only tasks that encode in hardware see graphics devices. */
const GRAPHICS_TASKS: readonly TaskName[] = ['tryEncoder', 'render'];
/**
 * They read many frames, each of whose views counts as garbage of the frame's size: a larger heap avoids frequent
 * collections.
 */
const DRAWING_TASKS: readonly TaskName[] = ['render', 'segments', 'draft', 'compare', 'proxy'];
const MIN_FILE_BYTES = 2 ** 30;
/** 400 Mbit/s: more than x264 at CRF 16 writes for 4K noise. */
const FILE_BYTES_PER_MEDIA_SECOND = 50_000_000;

/** Runs media tasks in child processes. */
export class MediaEngine {
  readonly #settings: EngineSettings;
  readonly #memory: ChildMemory;
  #setup: Promise<SandboxSetup> | undefined;
  #encoder: Promise<FoundEncoder> | undefined;
  #codeCacheFailure: unknown = null;

  constructor(settings: EngineSettings) {
    this.#settings = settings;
    this.#memory = new ChildMemory(settings.memoryBytes ?? null, settings.machineBytes);
  }

  /** The reason why a job needs more memory than the machine has; null: it does not. */
  memoryRefusal(job: JobPictures): string | null {
    return this.#memory.refusal(job);
  }

  /** Throws `Failure` INPUT_LIMIT_EXCEEDED if a job needs more memory than the machine has. */
  assertMemory(job: JobPictures): void {
    const refusal = this.memoryRefusal(job);
    if (refusal !== null) throw new Failure('INPUT_LIMIT_EXCEEDED', refusal);
  }

  /** Like `ChildMemory.reserveIdle`. */
  reserveIdle(yieldTo: () => void): Disposable | null {
    return this.#memory.reserveIdle(yieldTo);
  }

  /**
   * Determines by a trial which sandbox the system allows, and compiles the children's code. Without this call, the
   * first task does so, with the results of an earlier process. Throws `ConfigError` if isolation is required and the
   * system does not allow it.
   */
  async prepare(): Promise<Protection> {
    return (await this.#findSetupOnce('by trial')).protection;
  }

  /** The reason why the children's code could not be compiled in advance; null: no attempt failed. */
  get codeCacheFailure(): unknown {
    return this.#codeCacheFailure;
  }

  /** The encoder of pictures, found by a trial of each requested hardware encoder. Throws what `prepare` throws. */
  encoder(): Promise<FoundEncoder> {
    const { encoder: choice = 'software' } = this.#settings;
    this.#encoder ??= findEncoder(choice, async (encoder) => {
      await using workspace = await openWorkspace(this.workRoot);
      const { folder } = workspace;
      const outputPath = join(folder, 'trial.mp4');
      await this.run(
        'tryEncoder',
        { encoder, outputPath },
        { folder, signal: AbortSignal.timeout(TRIAL_MS) },
      );
    });
    return this.#encoder;
  }

  /**
   * Waits until memory is free for the task. Throws what `prepare` and `runInChild` throw, INPUT_LIMIT_EXCEEDED if the
   * task needs more memory than the machine has, and the task's own failures.
   */
  run<T extends TaskName>(
    task: T,
    input: TaskInput<T>,
    options: TaskOptions<TaskFound<T>>,
  ): Promise<TaskOutput<T>> {
    const { metrics, tracing = NO_TRACING } = this.#settings;
    return inSpan(tracing, `media ${task}`, {}, async () => {
      const end = metrics?.mediaTaskSeconds.startTimer({ task });
      metrics?.mediaTasks.inc();
      try {
        const output = await this.#run(task, input, options);
        end?.({ code: '' });
        return output;
      } catch (error) {
        end?.({ code: options.signal.aborted ? 'stopped' : errorType(error) });
        throw error;
      } finally {
        metrics?.mediaTasks.dec();
      }
    });
  }

  async #run<T extends TaskName>(
    task: T,
    input: TaskInput<T>,
    options: TaskOptions<TaskFound<T>>,
  ): Promise<TaskOutput<T>> {
    const { causeOf, workRoot } = this.#settings;
    try {
      const setup = await this.#findSetupOnce('cached');
      const folder = options.folder ?? options.child?.folder;
      if (folder !== undefined) return await this.#runIn(folder, setup, task, input, options);
      await using workspace = await openWorkspace(workRoot);
      return await this.#runIn(workspace.folder, setup, task, input, options);
    } catch (error) {
      throw options.signal.aborted || causeOf === undefined ? error : await causeOf(error);
    }
  }

  get workRoot(): string {
    return this.#settings.workRoot;
  }

  async #runIn<T extends TaskName>(
    folder: string,
    setup: SandboxSetup,
    task: T,
    input: TaskInput<T>,
    { signal, onProgress, onFound, mediaSeconds = 0, source, child }: TaskOptions<TaskFound<T>>,
  ): Promise<TaskOutput<T>> {
    using reserved = await this.#memory.reserve(task, input, source, signal);
    let reached = 0;
    const run: ChildRun = {
      sandbox: setup.sandbox,
      codeCache: setup.codeCache ?? undefined,
      entry: CHILD,
      folder,
      files: filesOf(task, input),
      devices: needsGraphics(task, input) ? graphicsDevices() : [],
      ampleHeap: DRAWING_TASKS.includes(task),
      limits: {
        idleMs: this.#settings.idleSeconds * 1000,
        wallMs: Math.min(MAX_WALL_MS, MIN_WALL_MS + mediaSeconds * WALL_PER_MEDIA_SECOND_MS),
        memoryBytes: reserved.limitBytes,
        fileBytes: Math.min(
          Number.MAX_SAFE_INTEGER,
          MIN_FILE_BYTES + Math.ceil(mediaSeconds) * FILE_BYTES_PER_MEDIA_SECOND,
        ),
        // It writes a file for each of our modules, and reads no foreign file.
        ...(task === 'compile' ? { newFiles: Number.POSITIVE_INFINITY } : {}),
      },
      task,
      input,
      signal,
      onProgress: (fraction) => {
        if (fraction <= reached) return;
        reached = Math.min(1, fraction);
        onProgress?.(reached);
      },
      ...(onFound === undefined ? {} : { onFound: (found) => onFound(found as TaskFound<T>) }),
    };
    const result = child === undefined ? runInChild(run) : child.run(run);
    return (await result) as TaskOutput<T>;
  }

  /** A failure may have a temporary cause such as a full disk: the next call tries again. */
  #findSetupOnce(how: Finding): Promise<SandboxSetup> {
    this.#setup ??= this.#findSetup(how).catch((error) => {
      this.#setup = undefined;
      throw error;
    });
    return this.#setup;
  }

  async #findSetup(how: Finding): Promise<SandboxSetup> {
    const { isolation = 'auto', workRoot, cacheRoots: roots = cacheRoots() } = this.#settings;
    if (isolation === 'off') return { sandbox: NO_SANDBOX, protection: NO_PROTECTION, codeCache: null };
    const existing = how === 'cached' ? await existingCodeCache(roots) : null;
    const stored = existing === null ? null : await storedProtection(existing, workRoot);
    if (stored !== null) return { ...stored, codeCache: existing };
    const found = await findSandbox(workRoot);
    const missing = Object.entries(found.protection).filter(([, holds]) => !holds);
    if (isolation === 'require' && missing.length > 0) {
      throw new ConfigError(
        `MEDIA_ISOLATION is "require", but this system lacks these protections for media processes: ${missing.map(([name]) => name).join(', ')}`,
      );
    }
    const cache = await this.#codeCache(found, roots);
    if (cache !== null) await storeProtection(cache, found, workRoot);
    return { ...found, codeCache: cache };
  }

  /** None if a child could write to the cache: the next child would run code that a hijacked one wrote. */
  async #codeCache(
    { sandbox, protection }: ProtectedSandbox,
    roots: readonly string[],
  ): Promise<string | null> {
    if (!protection.filesystem) return null;
    return codeCache(roots, async (folder) => {
      const options = { signal: AbortSignal.timeout(COMPILE_MS) };
      try {
        await this.#runIn(folder, { sandbox, protection, codeCache: folder }, 'compile', null, options);
      } catch (error) {
        this.#codeCacheFailure = error;
        throw error;
      }
    });
  }
}

function needsGraphics<T extends TaskName>(task: T, input: TaskInput<T>): boolean {
  const { encoder = null } = (input ?? {}) as Partial<TaskInput<'tryEncoder'>>;
  return GRAPHICS_TASKS.includes(task) && encoder !== null;
}
