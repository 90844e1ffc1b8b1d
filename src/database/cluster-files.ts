import { PGlite } from '@electric-sql/pglite';
import { RecoverySyncs } from './recovery-syncs.ts';

type Filesystem = NonNullable<PGlite['fs']>;
/** Members missing in its type declarations. */
type Module = PGlite['Module'] & { readonly NODEFS: { readonly stream_ops: Record<string, unknown> } };

/**
 * The file system of a cluster for PGlite: a folder of the disk. The folder may be set after the start of
 * PGlite, which waits for it at its first access to files. PGlite's own `NodeFS` needs the folder at once,
 * and Emscripten's NODEFS below it has no fsync, so that PostgreSQL's calls of fsync would do nothing.
 */
export class ClusterFiles implements Filesystem {
  readonly #cluster = Promise.withResolvers<string>();
  #pglite: PGlite | undefined;
  #syncs: RecoverySyncs | undefined;

  /** Lets PGlite mount this existing folder and continue its start. */
  mount(cluster: string): void {
    this.#cluster.resolve(cluster);
  }

  /** PostgreSQL has started. */
  started(): void {
    this.#syncs?.started();
  }

  async init(...[pglite, emscriptenOpts]: Parameters<Filesystem['init']>): ReturnType<Filesystem['init']> {
    this.#pglite = pglite;
    return { emscriptenOpts };
  }

  /** PGlite waits for this before it searches for a cluster. */
  async initialSyncFs(): Promise<void> {
    const cluster = await this.#cluster.promise;
    const { NODEFS, FS } = this.#pglite!.Module as Module;
    const syncs = new RecoverySyncs(cluster);
    NODEFS.stream_ops['fsync'] = (stream: { nfd: number }) => {
      syncs.sync(stream.nfd);
      return 0;
    };
    FS.mkdirTree(PGlite.paths.PGDATA);
    FS.mount(NODEFS as never, { root: cluster }, PGlite.paths.PGDATA);
    this.#syncs = syncs;
  }

  /** Nothing to do: every write is written to the files directly. */
  async syncToFs(): Promise<void> {}

  async closeFs(): Promise<void> {
    this.#pglite!.Module.FS.quit();
  }

  async dumpTar(): Promise<never> {
    throw new Error('A cluster is copied as files, not as an archive.');
  }
}
