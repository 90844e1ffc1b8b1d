/**
 * A service of its own for tests that kill or stop one: `node jobs-child.ts <directory or postgres url>`. It makes jobs
 * while it runs, writes `created <id>` once each is acknowledged, runs them, and writes `stage <id> <stage>`
 * as each stage begins. The stage `motion_analysis` of the first job never ends.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openPglite } from '../../src/database/pglite.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { isFailure } from '../../src/domain/errors.ts';
import { newJob, openService, stagesThat, untilAborted } from './jobs.ts';

const place = process.argv[2];
const database = place.startsWith('postgres:') ? await openPostgres(place) : await openPglite(place);
const service = await openService({ database });
let first: string | undefined;
const stages = stagesThat(async (work) => {
  first ??= work.jobId;
  process.stdout.write(`stage ${work.jobId} ${work.stage}\n`);
  if (work.jobId === first && work.stage === 'motion_analysis') await untilAborted(work.signal);
});
await service.jobs.startWorker(stages, { concurrency: 1 });
for (;;) {
  // A suspended process has a statement without an answer for too long: that job was not acknowledged.
  const job = await newJob(service, { webhookUrl: 'http://127.0.0.1:9/' }).catch((error) => {
    if (isFailure(error, 'SERVICE_UNAVAILABLE')) return null;
    throw error;
  });
  if (job !== null) process.stdout.write(`created ${job.jobId}\n`);
  await sleep(20);
}
