import { Child, type ChildRun, type ChildStart, runInChild } from '../../sandbox/child.ts';

/**
 * One child for all tasks of one clip: a start costs as much as a second of a small clip. It sees only this clip and
 * its own folder, like a child of a single task. Files that a hijacked child leaves there affect only tasks of the same
 * clip (decision 0001). Memory is planned for its tasks, not for the idle time between them, in which it holds some
 * hundred megabytes.
 */
export class ClipChild implements AsyncDisposable {
  /** Folder of the tasks' output. */
  readonly folder: string;
  readonly #path: string | null;
  #open: { readonly child: Child; readonly start: ChildStart } | null = null;
  #isBusy = false;

  /** `path`: of the clip; null: its tasks read their folder alone. Both paths are absolute. */
  constructor(path: string | null, folder: string) {
    this.#path = path;
    this.folder = folder;
  }

  /**
   * Like `runInChild`. The child starts with the first task that reads the clip. A task that needs higher limits, or arrives while the child
   * is busy, gets its own child.
   */
  async run(run: ChildRun): Promise<unknown> {
    const { files = [] } = run;
    const isOurs =
      this.#open === null ? this.#path === null || files.includes(this.#path) : this.#isEnough(run);
    if (this.#isBusy || !isOurs) return runInChild(run);
    run.signal.throwIfAborted();
    this.#isBusy = true;
    try {
      // The child may also draw.
      this.#open ??= { start: run, child: await Child.start({ ...run, ampleHeap: true }) };
      return await this.#open.child.run(run);
    } finally {
      this.#isBusy = false;
    }
  }

  #isEnough({ folder, files = [], devices = [], limits }: ChildStart): boolean {
    const { child, start } = this.#open!;
    const isSeen = (path: string) => path === this.#path || path.startsWith(`${this.folder}/`);
    return (
      !child.hasEnded &&
      folder === start.folder &&
      files.every(isSeen) &&
      devices.length === 0 &&
      limits.idleMs <= start.limits.idleMs &&
      limits.wallMs <= start.limits.wallMs &&
      limits.memoryBytes <= start.limits.memoryBytes &&
      limits.fileBytes! <= start.limits.fileBytes!
    );
  }

  /** Ends the child; it writes nothing afterwards. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#open?.child[Symbol.asyncDispose]();
  }
}
