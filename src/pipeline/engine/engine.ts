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

/** `auto`: as strong a sandbox as the system allows. `require`: none but the whole one. `off`: none. */
export type Isolation = 'auto' | 'require' | 'off';

export interface EngineSettings {
  /** Where the children's working folders are made. */
  readonly workRoot: string;
  /** Without a sign of life for so long a child is stuck. */
  readonly idleSeconds: number;
  /** The most that one child may take, however much it needs; left out: what the machine has. */
  readonly memoryBytes?: number | undefined;
  /** Default: the machine's memory, or less where a container limits it. */
  readonly machineBytes?: number;
  /** Default: `auto`. */
  readonly isolation?: Isolation;
  /** Default: `software`. */
  readonly encoder?: EncoderChoice | undefined;
  /**
   * What a task's failure really is: a child cannot tell a damaged file from a damaged disk. Left out: what the child says.
   */
  readonly blamed?: (error: unknown) => Promise<unknown>;
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
  /** What the task tells before it is done. */
  readonly onFound?: (found: Found) => void;
  /** The working folder; default: one of its own, removed afterwards. */
  readonly folder?: string;
  /** Running time of what is worked on: the limits on wall time and on files grow with it. */
  readonly mediaSeconds?: number;
  /** The picture of the clip that is worked on, as displayed: memory is planned by it. */
  readonly source?: Size;
  /** A child of the clip that is worked on; left out: one of the task's own. Its folder is the working folder then. */
  readonly child?: ClipChild | undefined;
}

/** Whether findings of an earlier process are trusted. */
type Finding = 'by trying' | 'as seen';

/** Sandbox and code cache of all children, determined once. */
interface SandboxSetup extends ProtectedSandbox {
  readonly codeCache: string | null;
}

const CHILD = moduleBeside('child', import.meta.url);
const MIN_WALL_MS = 10 * 60_000;
/** The slowest honest case, 4K at x264 slow on two old cores, stays well below this multiple of its running time. */
const WALL_PER_MEDIA_SECOND_MS = 90_000;
/** 24 days: a longer timer of Node ends at once. A damaged file claims any running time. */
const MAX_WALL_MS = 2 ** 31 - 1;
/** Takes one to two seconds. */
const COMPILE_MS = 60_000;
/** A driver that hangs must not hold up a start for longer. */
const TRIAL_MS = 20_000;
/** Who encodes on a graphics chip sees its devices, nobody else. */
const GRAPHICS_TASKS: readonly TaskName[] = ['tryEncoder', 'render'];
/** They look at many frames: each view of one counts as garbage of the frame's size, so their heap may grow amply between collections. */
const DRAWING_TASKS: readonly TaskName[] = ['render', 'segment', 'draft', 'compare', 'proxy'];
const MIN_FILE_BYTES = 2 ** 30;
/** 400 Mbit/s: x264 at CRF 16 writes 4K noise at less. */
const FILE_BYTES_PER_MEDIA_SECOND = 50_000_000;

/** Runs media tasks, each in a child process of its own. */
export class MediaEngine {
  readonly #settings: EngineSettings;
  readonly #memory: ChildMemory;
  #setup: Promise<SandboxSetup> | undefined;
  #encoder: Promise<FoundEncoder> | undefined;

  constructor(settings: EngineSettings) {
    this.#settings = settings;
    this.#memory = new ChildMemory(settings.memoryBytes ?? null, settings.machineBytes);
  }

  /** Why a job cannot be done with the memory that there is, in words; null: it can. */
  memoryRefusal(job: JobPictures): string | null {
    return this.#memory.refusal(job);
  }

  /** Throws `Failure` INPUT_LIMIT_EXCEEDED when a job cannot be done with the memory that there is. */
  assertMemory(job: JobPictures): void {
    const refusal = this.memoryRefusal(job);
    if (refusal !== null) throw new Failure('INPUT_LIMIT_EXCEEDED', refusal);
  }

  /** As `ChildMemory.waitingRoom`. */
  waitingRoom(yieldTo: () => void): Disposable | null {
    return this.#memory.waitingRoom(yieldTo);
  }

  /**
   * Finds out by trying how children can be confined, and what their code compiles to. The first task does so otherwise, and believes what
   * an earlier process saw. Throws `ConfigError` where isolation is required and the system does not allow all of it.
   */
  async prepare(): Promise<Protection> {
    return (await this.#findSetupOnce('by trying')).protection;
  }

  /** What encodes the picture, found out by a trial of each hardware encoder that is wanted. Throws what `prepare` throws. */
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
   * Waits until there is memory for the task. Throws what `prepare` and `runInChild` throw, INPUT_LIMIT_EXCEEDED when it would
   * take more memory than there is at all, and the task's own failures.
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
    const { blamed, workRoot } = this.#settings;
    try {
      const setup = await this.#findSetupOnce('as seen');
      const folder = options.folder ?? options.child?.folder;
      if (folder !== undefined) return await this.#runIn(folder, setup, task, input, options);
      await using workspace = await openWorkspace(workRoot);
      return await this.#runIn(workspace.folder, setup, task, input, options);
    } catch (error) {
      throw options.signal.aborted || blamed === undefined ? error : await blamed(error);
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
    using room = await this.#memory.room(task, input, source, signal);
    let reached = 0;
    const run: ChildRun = {
      sandbox: setup.sandbox,
      codeCache: setup.codeCache ?? undefined,
      entry: CHILD,
      folder,
      files: filesOf(task, input),
      devices: wantsGraphics(task, input) ? graphicsDevices() : [],
      ampleHeap: DRAWING_TASKS.includes(task),
      limits: {
        idleMs: this.#settings.idleSeconds * 1000,
        wallMs: Math.min(MAX_WALL_MS, MIN_WALL_MS + mediaSeconds * WALL_PER_MEDIA_SECOND_MS),
        memoryBytes: room.limitBytes,
        fileBytes: Math.min(
          Number.MAX_SAFE_INTEGER,
          MIN_FILE_BYTES + Math.ceil(mediaSeconds) * FILE_BYTES_PER_MEDIA_SECOND,
        ),
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

  /** A full disk may be the reason that it fails: the next call tries again. */
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
    const existing = how === 'as seen' ? await existingCodeCache(roots) : null;
    const seen = existing === null ? null : await storedProtection(existing, workRoot);
    if (seen !== null) return { ...seen, codeCache: existing };
    const found = await findSandbox(workRoot);
    const missing = Object.entries(found.protection).filter(([, holds]) => !holds);
    if (isolation === 'require' && missing.length > 0) {
      throw new ConfigError(
        `MEDIA_ISOLATION is "require", but this system does not let media processes be confined in: ${missing.map(([name]) => name).join(', ')}`,
      );
    }
    const cache = await this.#codeCache(found, roots);
    if (cache !== null) await storeProtection(cache, found, workRoot);
    return { ...found, codeCache: cache };
  }

  /** None where a child could write it: the next one would run what a hijacked one left there. */
  async #codeCache(
    { sandbox, protection }: ProtectedSandbox,
    roots: readonly string[],
  ): Promise<string | null> {
    if (!protection.filesystem) return null;
    return codeCache(roots, async (folder) => {
      const options = { signal: AbortSignal.timeout(COMPILE_MS) };
      await this.#runIn(folder, { sandbox, protection, codeCache: folder }, 'compile', null, options);
    });
  }
}

function wantsGraphics<T extends TaskName>(task: T, input: TaskInput<T>): boolean {
  const { encoder = null } = (input ?? {}) as Partial<TaskInput<'tryEncoder'>>;
  return GRAPHICS_TASKS.includes(task) && encoder !== null;
}
