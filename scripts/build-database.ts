/**
 * Builds `prepared/database.zst`, the empty database of a new service. `npm ci` runs this in a clone, and `npm pack`
 * ships the file. Without it, or with another version of it, a first start creates the database itself, which takes
 * some seconds.
 */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pino from 'pino';
import type { Database } from '../src/database/database.ts';
import { migrate } from '../src/database/migrations.ts';
import { openPglite } from '../src/database/pglite.ts';
import { packCluster } from '../src/database/prepared-cluster.ts';
import { JobQueue } from '../src/jobs/queue/queue.ts';
import { PREPARED_DATABASE } from '../src/package/package-files.ts';

/**
 * Removes files that a service never uses: PostgreSQL's template databases and the write-ahead log of their creation.
 */
async function leaveOut(database: Database): Promise<void> {
  await database.query('update pg_database set datistemplate = false');
  for (const name of ['template0', 'template1']) await database.query(`drop database ${name}`);
  // Otherwise PostgreSQL keeps old log segments for reuse.
  await database.query('set wal_recycle = off');
  await database.query('select pg_switch_wal()');
  await database.query('checkpoint');
}

const folder = mkdtempSync(join(tmpdir(), 'styledna-database-'));
try {
  const database = await openPglite(folder, null);
  await migrate(database);
  const queue = new JobQueue(database, pino({ level: 'silent' }));
  await queue.start();
  await queue.stop();
  await leaveOut(database);
  await database.close();
  const packed = packCluster(join(folder, 'cluster'));
  mkdirSync(dirname(PREPARED_DATABASE), { recursive: true });
  const unfinished = `${PREPARED_DATABASE}.${process.pid}`;
  writeFileSync(unfinished, packed);
  renameSync(unfinished, PREPARED_DATABASE);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
