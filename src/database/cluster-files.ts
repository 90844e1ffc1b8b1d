import { PGlite } from '@electric-sql/pglite';
import { RecoverySyncs } from './recovery-syncs.ts';

type Filesystem = NonNullable<PGlite['fs']>;
/** What its type declarations leave out. */
type Module = PGlite['Module'] & { readonly NODEFS: { readonly stream_ops: Record<string, unknown> } };

/**
 * The file system that PGlite keeps a cluster on: a folder of the disk, which may be named after PGlite was started; it waits for that where it
 * first needs files. PGlite's own `NodeFS` takes the folder at once, and Emscripten's NODEFS beneath has no fsync, so that PostgreSQL's calls of
 * it would do nothing.
 */
export class ClusterFiles implements Filesystem {
  readonly #cluster = Promise.withResolvers<string>();
  #pglite: PGlite | undefined;
  #syncs: RecoverySyncs | undefined;

  /** Lets PGlite mount this folder, which exists, and go on with its start. */
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

  /** PGlite waits for this before it looks for a cluster. */
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

  /** Every write goes to the files themselves. */
  async syncToFs(): Promise<void> {}

  async closeFs(): Promise<void> {
    this.#pglite!.Module.FS.quit();
  }

  async dumpTar(): Promise<never> {
    throw new Error('A cluster is copied as the files that it is.');
  }
}
