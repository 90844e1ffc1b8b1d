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
/** Of the machine: what one child may take when nothing else runs, and what all together plan to take; of a tiny one this much. */
const MAX_SHARE = 0.95;
const BUDGET_SHARE = 0.75;
const TINY_SHARE = 0.7;
/** A child is ended beyond this multiple of what it should need: streams may ask for more pictures than cameras write. */
const LIMIT_PER_NEED = 1.5;
/** Short of this nothing is ended: a file whose size is not known yet may be a large one. */
const MIN_LIMIT_BYTES = 2 * 2 ** 30;
/**
 * These tasks start at once: a request waits for them, they need little memory, and they are few (uploads are probed in turn). A task
 * that waits for memory must not delay them.
 */
const IMMEDIATE: ReadonlySet<TaskName> = new Set(['ping', 'compile', 'outline', 'probe', 'inspect']);

/**
 * What these need depends on the picture's size, and may be more than there is. Not `analyse`, which starts before the size is known: a
 * small clip needs less than is planned for it.
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
  /** The user's; null: none. */
  readonly #settingBytes: number | null;
  readonly #budget: MemoryBudget;

  constructor(settingBytes: number | null, machineBytes = machineMemory()) {
    this.#machineBytes = machineBytes;
    this.#settingBytes = settingBytes;
    const budget = shared.get(machineBytes) ?? new MemoryBudget(shareOf(machineBytes, BUDGET_SHARE));
    shared.set(machineBytes, budget);
    this.#budget = budget;
  }

  /** What one child may take at the most. */
  get maxBytes(): number {
    const machine = shareOf(this.#machineBytes, MAX_SHARE);
    return Math.min(machine, this.#settingBytes ?? machine);
  }

  /** Reserves memory for a task; dispose of it when the task has ended. */
  async room<T extends TaskName>(
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

  /** For a child that waits for work, until a task needs its memory: then `yieldTo` is called, and the child ends. Null: there is none. */
  waitingRoom(yieldTo: () => void): Disposable | null {
    return this.#budget.lend(WAITING_CHILD_BYTES, yieldTo);
  }

  /** Why such a job cannot be done here, in words; null: it can. */
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
