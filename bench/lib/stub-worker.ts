/** A worker whose stages end at once, in a process of its own: `node stub-worker.ts DATABASE_URL CONCURRENCY`. Ends at SIGTERM. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { openPostgres } from '../../src/database/postgres.ts';
import { assembleJobs } from '../../src/jobs/open-jobs.ts';
import { openFileStore } from '../../src/storage/file-store.ts';
import { StorageWatch } from '../../src/storage/storage-watch.ts';
import { stagesThat } from '../../test/support/jobs.ts';

const [url, concurrency] = process.argv.slice(2);
const logger = pino({ level: 'silent' });
const folder = mkdtempSync(join(tmpdir(), 'styledna-bench-'));
const database = await openPostgres(url!);
const blobs = await openFileStore(folder);
const storage = new StorageWatch({ logger, check: () => blobs.check() });
const jobs = assembleJobs({ database, blobs, storage, logger, jobEnded: async () => {} });
await jobs.start();
await jobs.startWorker(stagesThat(), { concurrency: Number(concurrency) });
process.send?.('working');
process.once('SIGTERM', async () => {
  await jobs.stop(0);
  await database.close();
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
});
