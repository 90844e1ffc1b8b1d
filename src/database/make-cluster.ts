/** Run as a process of its own: makes a cluster at the path that is its argument. See `LoadedPostgres`. */
import { makeCluster } from './cluster.ts';

await makeCluster(process.argv[2]);
