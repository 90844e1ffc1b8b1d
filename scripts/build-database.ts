/**
 * Makes `prepared/database.zst`, the empty database that a service begins with: `npm ci` does it in a clone, and `npm pack` ships it.
 * Without it, or with one of another version, a first start makes its own, which takes some seconds.
 */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pino from 'pino';
import { migrate } from '../src/database/migrations.ts';
import { openPglite } from '../src/database/pglite.ts';
import { packCluster } from '../src/database/prepared-cluster.ts';
import { JobQueue } from '../src/jobs/queue.ts';
import { PREPARED_DATABASE } from '../src/package-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'styledna-database-'));
try {
  const database = await openPglite(folder, null);
  await migrate(database);
  const queue = new JobQueue(database, pino({ level: 'silent' }));
  await queue.start();
  await queue.stop();
  await database.query('checkpoint');
  await database.close();
  const packed = packCluster(join(folder, 'cluster'));
  mkdirSync(dirname(PREPARED_DATABASE), { recursive: true });
  const unfinished = `${PREPARED_DATABASE}.${process.pid}`;
  writeFileSync(unfinished, packed);
  renameSync(unfinished, PREPARED_DATABASE);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
