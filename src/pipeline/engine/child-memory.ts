/** The memory limit of each child, and how many children run at once. */
import { Failure } from '../../domain/errors.ts';
import type { Size } from '../../domain/footage.ts';
import { machineMemory } from './machine-memory.ts';
import { MemoryBudget } from './memory-budget.ts';
import {
  fittingQuality,
  type JobPictures,
  jobMemory,
  taskMemory,
  WAITING_CHILD_BYTES,
} from './memory-need.ts';
import type { TaskInput, TaskName } from './tasks.ts';

/** The service itself: 370 MiB after an hour under load (`docs/reliability.md`). */
const SERVICE_BYTES = 400e6;
/** Shares of the machine's memory: for one child alone, for all children together, and the latter's minimum on small machines. */
const MAX_SHARE = 0.95;
const BUDGET_SHARE = 0.75;
const TINY_SHARE = 0.7;
/** A child is ended above this multiple of its estimated need: streams can request more pictures than cameras write. */
const LIMIT_PER_NEED = 1.5;
/** Minimum of the limit: a file of unknown size may be large. */
const MIN_LIMIT_BYTES = 2 * 2 ** 30;
/**
 * These tasks do not wait for memory: a request waits for them, they need little memory, and few run at once (uploads
 * are probed in turn).
 */
const IMMEDIATE: ReadonlySet<TaskName> = new Set(['ping', 'compile', 'outline', 'probe', 'inspect']);

/**
 * The need of these tasks grows with the picture and can exceed the machine's memory. `analyse` is not listed: it
 * starts before the size is known, and plans more than a small clip needs.
 */
const DRAWS: ReadonlySet<TaskName> = new Set([
  'measure',
  'video',
  'preview',
  'render',
  'compare',
  'draft',
  'previewPicture',
  'storyboard',
  'proxy',
]);

const shared = new Map<number, MemoryBudget>();

/** Memory of the children of one process. All engines of the process share one budget. */
export class ChildMemory {
  readonly #machineBytes: number;
  /** The limit from the settings; null: none. */
  readonly #settingBytes: number | null;
  readonly #budget: MemoryBudget;

  constructor(settingBytes: number | null, machineBytes = machineMemory()) {
    this.#machineBytes = machineBytes;
    this.#settingBytes = settingBytes;
    const budget = shared.get(machineBytes) ?? new MemoryBudget(shareOf(machineBytes, BUDGET_SHARE));
    shared.set(machineBytes, budget);
    this.#budget = budget;
  }

  /** The largest limit of one child. */
  get maxBytes(): number {
    const machine = shareOf(this.#machineBytes, MAX_SHARE);
    return Math.min(machine, this.#settingBytes ?? machine);
  }

  /** Reserves memory for a task; dispose of it when the task has ended. */
  async reserve<T extends TaskName>(
    task: T,
    input: TaskInput<T>,
    source: Size | undefined,
    signal: AbortSignal,
  ): Promise<Disposable & { readonly limitBytes: number }> {
    const need = taskMemory(task, input, source);
    if (need > this.maxBytes && DRAWS.has(task))
      throw new Failure('INPUT_LIMIT_EXCEEDED', `This takes ${this.#excess(need)}`);
    const limit = Math.max(MIN_LIMIT_BYTES, LIMIT_PER_NEED * need);
    const limitBytes = Math.floor(Math.min(limit, this.maxBytes));
    if (IMMEDIATE.has(task)) return { limitBytes, [Symbol.dispose]: () => {} };
    const memory = await this.#budget.take(need, signal);
    return { limitBytes, [Symbol.dispose]: () => memory[Symbol.dispose]() };
  }

  /**
   * Reserves memory for an idle child until a task needs it: then `yieldTo` is called, and the child must end. Null: no
   * memory is free.
   */
  reserveIdle(yieldTo: () => void): Disposable | null {
    return this.#budget.lend(WAITING_CHILD_BYTES, yieldTo);
  }

  /** The reason why such a job cannot run on this machine; null: it can. */
  refusal(job: JobPictures): string | null {
    const need = jobMemory(job);
    if (need <= this.maxBytes) return null;
    const { source, config } = job;
    const fitting = fittingQuality(job, this.maxBytes);
    const remedy =
      fitting === null ? 'no quality would fit: send a smaller picture' : `quality "${fitting}" would fit`;
    return `A picture of ${source.width}×${source.height} at quality "${config.quality}" takes ${this.#excess(need)}; ${remedy}`;
  }

  #excess(need: number): string {
    const allowed = inWords(this.maxBytes);
    const whose =
      this.#settingBytes !== null && this.maxBytes === this.#settingBytes
        ? `CHILD_MEMORY_BYTES allows ${allowed}`
        : `this machine has ${inWords(this.#machineBytes)}, of which a media process may take ${allowed}`;
    return `about ${inWords(need)} of memory, and ${whose}`;
  }
}

function shareOf(bytes: number, share: number): number {
  return Math.max(share * bytes - SERVICE_BYTES, TINY_SHARE * bytes);
}

function inWords(bytes: number): string {
  return `${(Math.max(0, bytes) / 1e9).toFixed(1)} GB`;
}
