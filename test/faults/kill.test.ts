/** Processes that are killed outright, in each stage of a real job: nothing may be lost, repeated or left behind. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { STAGE_NAMES, type StageName } from '../../src/domain/stage.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { tellFigures } from '../support/figures.ts';
import { assertGone, childrenOf, isRunning, waitFor } from '../support/processes.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { assertTidy, createJob, filesUnder, type RunningJob, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

const NOTICED_MS = 2_000;
/** The target is 15 s: 3.5 were seen, 8.3 beside much other work. */
const RESUMED_MS = 30_000;
/** Those whose children live hardly longer than their own start. */
const SHORT_STAGES: readonly StageName[] = ['motion_analysis', 'style_extraction', 'style_application'];
/** Past the child's start, well within its work. */
const INTO_WORK_MS = 100;
/** Jobs after which a stage in which no child was hit is a fault of the test. */
const MAX_JOBS = 6;

const folder = temporaryFolder();
let service: Service;
let hook: Receiver;
let source: string;
before(async () => {
  source = await makeClip(folder, { name: 'source', durationSeconds: 4 });
  service = await startService();
  hook = await openReceiver();
});
after(async () => {
  await service?.[Symbol.asyncDispose]();
  await hook?.[Symbol.asyncDispose]();
});

/** A job whose template nobody has seen before. */
async function newJob(crf: number): Promise<RunningJob> {
  const template = await makeClip(folder, { name: `template-${crf}`, durationSeconds: 2, crf });
  return createJob(service, {
    video_id: await uploaded(service, source),
    template_video_id: await uploaded(service, template),
    webhook_url: hook.url,
  });
}

/** A media child in the midst of this stage: of rendering, one that has drawn something. Short stages are caught as they start. */
async function childInMidst(job: RunningJob, stage: StageName): Promise<number> {
  if (stage === 'rendering') return job.childDrawing();
  const child = await job.childAt(stage);
  if (SHORT_STAGES.includes(stage)) return child;
  await sleep(INTO_WORK_MS);
  // It was at its end, and there is one more: each analysis has a child for the source and one for the template.
  return isRunning(child) ? child : job.childAt(stage);
}

/** One output, one announcement, nothing else. */
async function assertEndedOnce(job: RunningJob): Promise<void> {
  const result = await job.ended();
  assert.equal(result.status, 'completed', JSON.stringify(result.error));
  const files = [...filesUnder(service, `blobs/jobs/${job.jobId}`).keys()];
  assert.deepEqual(
    files.filter((name) => name.endsWith('.mp4')),
    [`${result.attempt}/output.mp4`],
  );
  assert.ok(files.every((name) => name.startsWith(`${result.attempt}/`)));
  const mine = () => hook.calls.filter(({ body }) => body.data.job_id === job.jobId);
  await waitFor('the webhook', () => mine().length > 0);
  assert.deepEqual(new Set(mine().map(({ event }) => event)), new Set(['job.completed']));
  assert.equal(new Set(mine().map(({ webhookId }) => webhookId)).size, 1);
  assertTidy(service);
}

/** Resolves with the milliseconds until it was noticed; null when the child had sent its result before it exited. */
async function killChild(job: RunningJob, stage: StageName): Promise<number | null> {
  const child = await childInMidst(job, stage);
  const killedAt = Date.now();
  process.kill(child, 'SIGKILL');
  const tried = () =>
    service.log.find(
      (one) => one['msg'] === 'stage is tried again' && one['stage'] === stage && one['jobId'] === job.jobId,
    );
  const line = await waitFor(`the next try of ${stage}`, async () => {
    const now = await job.now();
    // In this order: the log reports an attempt before the stage can end.
    return tried() ?? (now.stage !== stage && ({ isOver: true } as const));
  });
  if (line['isOver'] === true) return null;
  const noticedMs = Number(line['time']) - killedAt;
  assert.ok(noticedMs < NOTICED_MS, `${noticedMs} ms`);
  assert.equal((await job.now()).stage, stage);
  return noticedMs;
}

/** Resolves with the milliseconds from the next start to the stage's. */
async function killService(job: RunningJob, stage: StageName): Promise<number> {
  await childInMidst(job, stage);
  const children = childrenOf(service.pid);
  await service.kill();
  await assertGone(children, NOTICED_MS);
  const stored = filesUnder(service, 'blobs/results');
  const lines = service.log.length;
  const restartedMs = performance.now();
  await service.restart();
  const claimed = await waitFor(`the job is taken again in ${stage}`, () =>
    service.log.slice(lines).find(({ msg, jobId }) => msg === 'job taken' && jobId === job.jobId),
  );
  const resumedMs = performance.now() - restartedMs;
  assert.ok(resumedMs < RESUMED_MS, `${resumedMs} ms`);
  assert.equal(claimed['stage'], stage);
  await waitFor(`${stage} is over`, async () => (await job.now()).stage !== stage);
  const after = filesUnder(service, 'blobs/results');
  for (const [name, writtenAt] of stored) assert.equal(after.get(name), writtenAt, `${name} was made again`);
  return resumedMs;
}

test('a media child that crashes in any stage costs an attempt of that stage', async (t) => {
  const noticed: number[] = [];
  let left: readonly StageName[] = STAGE_NAMES;
  // The child of a short stage may be done before it is hit: then that stage of another job counts.
  for (let crf = 30; left.length > 0; crf++) {
    assert.ok(crf < 30 + MAX_JOBS, `no child was hit in ${left.join(', ')}`);
    await using job = await newJob(crf);
    const missed: StageName[] = [];
    for (const stage of left) {
      const ms = await killChild(job, stage);
      if (ms === null) missed.push(stage);
      else noticed.push(ms);
    }
    left = missed;
    await assertEndedOnce(job);
    assert.equal((await job.now()).status, 'completed');
  }
  tellFigures(t, 'kill -9 of a media child in each stage', {
    tried: noticed.length,
    slowestMs: Math.max(...noticed),
    lost: 0,
  });
});

// A job fails after five lost workers: two jobs share the stages.
for (const [index, stages] of [STAGE_NAMES.slice(0, 3), STAGE_NAMES.slice(3)].entries()) {
  test(`a service that crashes continues at the same stage: ${stages.join(', ')}`, async (t) => {
    await using job = await newJob(21 + index);
    const resumed: number[] = [];
    for (const stage of stages) resumed.push(await killService(job, stage));
    await assertEndedOnce(job);
    tellFigures(t, `kill -9 of the service in ${stages.join(', ')}`, {
      tried: resumed.length,
      slowestMs: Math.max(...resumed),
      lost: 0,
    });
  });
}
