/** Entry point of a child process: makes a cluster at the path in its argument. See `LoadedPostgres`. */
import { makeCluster } from './cluster.ts';

await makeCluster(process.argv[2]);
