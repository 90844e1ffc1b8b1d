import { createHash } from 'node:crypto';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { migrate } from '../../src/database/migrations.ts';
import { openPglite } from '../../src/database/pglite.ts';
import { JobQueue } from '../../src/jobs/queue/queue.ts';
import { keptFolder } from './kept.ts';

/** 40 MB each: of this state of the code, and of others that are worked on. */
const CLUSTERS_KEPT = 4;

/**
 * Making a new embedded cluster takes seconds, copying one takes a tenth of one. Gives an empty directory, such as
 * `DATA_DIR/database`, a cluster with its tables and its queue, copied from one that is made once for each state of what makes it.
 */
export async function seedCluster(directory: string): Promise<void> {
  cpSync(await preparedCluster(), directory, { recursive: true });
}

async function preparedCluster(): Promise<string> {
  const key = createHash('sha256');
  for (const file of [
    '../../src/database/schema.ts',
    '../../src/database/pglite.ts',
    '../../src/database/cluster.ts',
    '../../src/jobs/queue/queue.ts',
    '../../node_modules/@electric-sql/pglite/package.json',
    '../../node_modules/pg-boss/package.json',
  ]) {
    key.update(readFileSync(new URL(file, import.meta.url)));
  }
  const state = key.digest('hex').slice(0, 16);
  return keptFolder({ prefix: 'styledna-test-cluster-', state, states: CLUSTERS_KEPT }, makeCluster);
}

async function makeCluster(folder: string): Promise<void> {
  const database = await openPglite(folder);
  await migrate(database);
  const queue = new JobQueue(database, pino({ level: 'silent' }));
  await queue.start();
  await queue.stop();
  await database.close();
  for (const file of ['owner.json', 'owner.lock']) rmSync(join(folder, file), { force: true });
}
