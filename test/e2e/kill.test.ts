/** Processes that are killed outright, in each stage of a real job: nothing may be lost, repeated or left behind. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { STAGE_NAMES, type StageName } from '../../src/stage.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { assertGone, childrenOf, waitFor } from '../support/processes.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { assertTidy, createJob, filesUnder, type RunningJob, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

const NOTICED_MS = 2_000;
const RESUMED_MS = 15_000;
/** Past the child's start, well within its work. */
const INTO_WORK_MS = 100;

const folder = temporaryFolder();
let source: string;
let templates: string[];
before(async () => {
  source = await makeClip(folder, { name: 'source', durationSeconds: 4 });
  // Different bytes, so that each is analysed anew.
  templates = [await makeClip(folder, { name: 't1' }), await makeClip(folder, { name: 't2', crf: 24 })];
});

async function jobFor(service: Service, hook: Receiver, template: string): Promise<RunningJob> {
  return createJob(service, {
    video_id: await uploaded(service, source),
    template_video_id: await uploaded(service, template),
    webhook_url: hook.url,
  });
}

/** A media child in the midst of this stage: of rendering, one that has drawn something. */
async function childInMidst(job: RunningJob, stage: StageName): Promise<number> {
  if (stage === 'rendering') {
    let first: number | undefined;
    return job.childAt(stage, ({ percent }) => percent > (first ??= percent));
  }
  const child = await job.childAt(stage);
  await sleep(INTO_WORK_MS);
  return child;
}

/** One output, one announcement, nothing else. */
async function assertEndedOnce(service: Service, hook: Receiver, job: RunningJob): Promise<void> {
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

test('a media child that dies costs a try of its stage, in every stage', async (t) => {
  await using service = await startService();
  await using hook = await openReceiver();
  await using job = await jobFor(service, hook, templates[0]!);
  for (const stage of STAGE_NAMES) {
    await t.test(stage, async () => {
      const child = await childInMidst(job, stage);
      const killedAt = Date.now();
      process.kill(child, 'SIGKILL');
      const line = await waitFor('the next try', () =>
        service.log.find(({ msg, stage: at }) => msg === 'stage is tried again' && at === stage),
      );
      assert.ok(Number(line['time']) - killedAt < NOTICED_MS, `${Number(line['time']) - killedAt} ms`);
      assert.equal((await job.now()).stage, stage);
    });
  }
  await assertEndedOnce(service, hook, job);
  assert.equal((await job.now()).status, 'completed');
});

describe('a service that dies goes on at the same stage when it is back', () => {
  // A job over which five workers died is given up: two jobs share the stages.
  for (const [index, stages] of [STAGE_NAMES.slice(0, 3), STAGE_NAMES.slice(3)].entries()) {
    test(stages.join(', '), async (t) => {
      await using service = await startService();
      await using hook = await openReceiver();
      await using job = await jobFor(service, hook, templates[index]!);
      for (const [count, stage] of stages.entries()) {
        await t.test(stage, () => killAndRestart(service, job, stage, count + 2));
      }
      await assertEndedOnce(service, hook, job);
    });
  }
});

async function killAndRestart(service: Service, job: RunningJob, stage: StageName, attempt: number) {
  await childInMidst(job, stage);
  const children = childrenOf(service.pid);
  await service.kill();
  await assertGone(children, NOTICED_MS);
  const kept = filesUnder(service, 'blobs/results');
  const restartedMs = performance.now();
  await service.restart();
  const taken = await waitFor('the job is taken again', () =>
    service.log.find((line) => line['msg'] === 'job taken' && line['attempt'] === attempt),
  );
  assert.ok(performance.now() - restartedMs < RESUMED_MS);
  assert.equal(taken['stage'], stage);
  await waitFor('the stage is over', async () => (await job.now()).stage !== stage);
  const after = filesUnder(service, 'blobs/results');
  for (const [name, writtenAt] of kept) assert.equal(after.get(name), writtenAt, `${name} was made again`);
}
