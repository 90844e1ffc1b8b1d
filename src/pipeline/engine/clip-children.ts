import { ClipChild } from './clip-child.ts';
import type { MediaEngine } from './engine.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

/** Two people, or one who compares two looks: each holds one to two hundred megabytes while it waits. */
const MOST = 2;
/** Who moves a slider moves it again within seconds. */
const IDLE_MS = 30_000;

interface Kept {
  readonly key: string;
  readonly child: ClipChild;
  readonly workspace: Workspace;
  isUsed: boolean;
  timer?: NodeJS.Timeout;
  /** While it waits: what it holds of the memory that tasks share. */
  room?: Disposable;
}

/**
 * Children that wait a while for more work on their clip, each with its folder: a start is most of what a small task takes. Who asks
 * for a key must mean the same clips by it, for its child may have kept what it saw of them. None waits where a task needs its memory.
 */
export class ClipChildren implements AsyncDisposable {
  readonly #engine: Pick<MediaEngine, 'workRoot' | 'waitingRoom'>;
  readonly #idleMs: number;
  /** The one used last is the last. */
  readonly #kept: Kept[] = [];
  readonly #ends = new Set<Promise<void>>();
  #isClosed = false;

  constructor(engine: Pick<MediaEngine, 'workRoot' | 'waitingRoom'>, idleMs = IDLE_MS) {
    this.#engine = engine;
    this.#idleMs = idleMs;
  }

  /** One at a time has the kept child of a key: who comes meanwhile has another, as has who comes after a failure. */
  async use<T>(key: string, path: string, work: (child: ClipChild) => Promise<T>): Promise<T> {
    const kept = this.#take(key) ?? (await this.#open(key, path));
    try {
      const result = await work(kept.child);
      this.#keep(kept);
      return result;
    } catch (error) {
      await this.#end(kept);
      throw error;
    }
  }

  #take(key: string): Kept | null {
    const kept = this.#kept.find((one) => one.key === key && !one.isUsed);
    if (kept === undefined) return null;
    kept.isUsed = true;
    this.#stopWaiting(kept);
    return kept;
  }

  async #open(key: string, path: string): Promise<Kept> {
    const workspace = await openWorkspace(this.#engine.workRoot);
    const kept = { key, child: new ClipChild(path, workspace.folder), workspace, isUsed: true };
    this.#kept.push(kept);
    return kept;
  }

  #keep(kept: Kept): void {
    kept.isUsed = false;
    this.#kept.push(...this.#kept.splice(this.#kept.indexOf(kept), 1));
    kept.timer = setTimeout(() => void this.#end(kept), this.#idleMs);
    kept.timer.unref();
    const room = this.#engine.waitingRoom(() => void this.#end(kept));
    if (room === null) void this.#end(kept);
    else kept.room = room;
    const idle = this.#kept.filter((one) => !one.isUsed);
    for (const old of idle.slice(0, this.#isClosed ? idle.length : -MOST)) void this.#end(old);
  }

  #stopWaiting(kept: Kept): void {
    clearTimeout(kept.timer);
    kept.room?.[Symbol.dispose]();
    delete kept.room;
  }

  async #end(kept: Kept): Promise<void> {
    clearTimeout(kept.timer);
    const at = this.#kept.indexOf(kept);
    // It ends already.
    if (at < 0) return;
    this.#kept.splice(at, 1);
    const end = (async () => {
      await kept.child[Symbol.asyncDispose]();
      await kept.workspace[Symbol.asyncDispose]();
    })().finally(() => {
      this.#stopWaiting(kept);
      this.#ends.delete(end);
    });
    this.#ends.add(end);
    await end;
  }

  /** Those that wait are gone then; those at work, when they have done it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const idle of this.#kept.filter(({ isUsed }) => !isUsed)) void this.#end(idle);
    await Promise.all(this.#ends);
  }
}
