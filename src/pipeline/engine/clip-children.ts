import { ClipChild } from './clip-child.ts';
import type { MediaEngine } from './engine.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

/** Two people, or one person who compares two styles: an idle child holds 100 to 200 MB. */
const MAX_IDLE_CHILDREN = 2;
/** Time between two moves of a slider. */
const IDLE_MS = 30_000;

interface OpenChild {
  readonly key: string;
  readonly clipChild: ClipChild;
  readonly workspace: Workspace;
  isUsed: boolean;
  timer?: NodeJS.Timeout;
  /** Its share of the memory budget while it is idle. */
  reserved?: Disposable;
}

/**
 * A pool of children that stay open for more tasks of their clip, because a start takes most of the time of a small
 * task. A key must identify one set of clips: a child may cache their data. An idle child ends when a task needs its
 * memory.
 */
export class ClipChildren implements AsyncDisposable {
  readonly #engine: Pick<MediaEngine, 'workRoot' | 'reserveIdle'>;
  readonly #idleMs: number;
  /** Least recently used first. */
  readonly #children: OpenChild[] = [];
  readonly #ends = new Set<Promise<void>>();
  #isClosed = false;

  constructor(engine: Pick<MediaEngine, 'workRoot' | 'reserveIdle'>, idleMs = IDLE_MS) {
    this.#engine = engine;
    this.#idleMs = idleMs;
  }

  /** Runs `work` in the idle child of the key, else in a new one. A child whose work fails ends. */
  async use<T>(key: string, path: string | null, work: (child: ClipChild) => Promise<T>): Promise<T> {
    const child = this.#take(key) ?? (await this.#open(key, path));
    try {
      const result = await work(child.clipChild);
      this.#keep(child);
      return result;
    } catch (error) {
      await this.#end(child);
      throw error;
    }
  }

  #take(key: string): OpenChild | null {
    const child = this.#children.find((one) => one.key === key && !one.isUsed);
    if (child === undefined) return null;
    child.isUsed = true;
    this.#stopWaiting(child);
    return child;
  }

  async #open(key: string, path: string | null): Promise<OpenChild> {
    const workspace = await openWorkspace(this.#engine.workRoot);
    const child = { key, clipChild: new ClipChild(path, workspace.folder), workspace, isUsed: true };
    this.#children.push(child);
    return child;
  }

  #keep(child: OpenChild): void {
    child.isUsed = false;
    this.#children.push(...this.#children.splice(this.#children.indexOf(child), 1));
    child.timer = setTimeout(() => void this.#end(child), this.#idleMs);
    child.timer.unref();
    const reserved = this.#engine.reserveIdle(() => void this.#end(child));
    if (reserved === null) void this.#end(child);
    else child.reserved = reserved;
    const idle = this.#children.filter((one) => !one.isUsed);
    for (const old of idle.slice(0, this.#isClosed ? idle.length : -MAX_IDLE_CHILDREN)) void this.#end(old);
  }

  #stopWaiting(child: OpenChild): void {
    clearTimeout(child.timer);
    child.reserved?.[Symbol.dispose]();
    delete child.reserved;
  }

  async #end(child: OpenChild): Promise<void> {
    clearTimeout(child.timer);
    const at = this.#children.indexOf(child);
    // Another call is ending it.
    if (at < 0) return;
    this.#children.splice(at, 1);
    const end = (async () => {
      await child.clipChild[Symbol.asyncDispose]();
      await child.workspace[Symbol.asyncDispose]();
    })().finally(() => {
      this.#stopWaiting(child);
      this.#ends.delete(end);
    });
    this.#ends.add(end);
    await end;
  }

  /** Resolves when all children have ended; a busy one finishes its work first. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const idle of this.#children.filter(({ isUsed }) => !isUsed)) void this.#end(idle);
    await Promise.all(this.#ends);
  }
}
