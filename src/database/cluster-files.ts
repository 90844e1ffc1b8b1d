import { PGlite } from '@electric-sql/pglite';
import { RecoverySyncs } from './recovery-syncs.ts';

type Filesystem = NonNullable<PGlite['fs']>;
/** What its type declarations leave out. */
type Module = PGlite['Module'] & { readonly NODEFS: { readonly stream_ops: Record<string, unknown> } };

/**
 * The files of a cluster, as PGlite is to see them. Where they lie may be told later than PGlite is started: it gets as far as it can without.
 * PGlite's own `NodeFS` wants to know at once, and Emscripten's leaves fsync out of its stream operations, so that PostgreSQL's calls would go
 * nowhere.
 */
export class ClusterFiles implements Filesystem {
  readonly #place = Promise.withResolvers<string>();
  #pglite: PGlite | undefined;
  #syncs: RecoverySyncs | undefined;

  /** From now on PGlite finds the cluster of this folder, which is there. */
  lieIn(cluster: string): void {
    this.#place.resolve(cluster);
  }

  /** PostgreSQL has started. */
  started(): void {
    this.#syncs?.started();
  }

  async init(...[pglite, emscriptenOpts]: Parameters<Filesystem['init']>): ReturnType<Filesystem['init']> {
    this.#pglite = pglite;
    return { emscriptenOpts };
  }

  /** PGlite calls this before it looks for a cluster. */
  async initialSyncFs(): Promise<void> {
    const cluster = await this.#place.promise;
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
