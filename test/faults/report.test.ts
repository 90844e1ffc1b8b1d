/** A report that cannot be made does not fail the job: the output exists, and a warning names what is missing. */
import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { IS_FULL, tellFigures } from '../support/figures.ts';
import { childrenOf, waitFor } from '../support/processes.ts';
import { assertTidy, createJob, filesUnder, type RunningJob, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

const folder = temporaryFolder();
let service: Service;
let source: string;
before(async () => {
  source = await makeClip(folder, { name: 'source', durationSeconds: 4 });
  service = await startService({ STAGE_IDLE_SECONDS: '5' });
  // It tries a child at its start, which would be taken for one of a job.
  await call(service.baseUrl, 'GET', '/api/v1/health');
  await waitFor('the child of the start is over', () => childrenOf(service.pid).length === 0, 60_000);
});
after(() => service?.[Symbol.asyncDispose]());

/** The child that takes the template's pictures: the one that follows the child which renders. */
async function picturesChild(job: RunningJob): Promise<number> {
  await job.childDrawing();
  // Of the stage before, a child may still be ending.
  const earlier = childrenOf(service.pid);
  return waitFor('the child after rendering', () =>
    childrenOf(service.pid).find((child) => !earlier.includes(child)),
  );
}

/** Each with the text of its warning. `isVariant`: another reason for what a fault above it tests, tried with `FAULT_TRIES=full`. */
const FAULTS: Readonly<
  Record<
    string,
    { said: RegExp; isVariant?: true; strike: (job: RunningJob, templateId: string) => Promise<void> }
  >
> = {
  'its child dies': {
    said: /media process/,
    strike: async (job) => {
      process.kill(await picturesChild(job), 'SIGKILL');
    },
  },
  'its child stands still': {
    said: /5 s/,
    isVariant: true,
    strike: async (job) => {
      process.kill(-(await picturesChild(job)), 'SIGSTOP');
    },
  },
  'the template rots while the output is drawn': {
    said: /container|read|damaged/i,
    isVariant: true,
    strike: async (job, templateId) => {
      await job.childDrawing();
      const blob = join(service.dataDir, 'blobs/videos', templateId);
      writeFileSync(blob, Buffer.alloc(statSync(blob).size));
    },
  },
  'what is kept for it is damaged': {
    said: /internal error/,
    strike: async (job) => {
      await job.childAt('rendering');
      const stored = [...filesUnder(service, 'blobs/results').keys()].filter((name) =>
        name.includes('report-'),
      );
      assert.ok(stored.length > 0, 'the source’s own, of the jobs before');
      for (const name of stored) writeFileSync(join(service.dataDir, 'blobs/results', name), '{"stills": [');
    },
  },
};

for (const [index, [fault, { said, isVariant, strike }]] of Object.entries(FAULTS).entries()) {
  const skip = isVariant === true && !IS_FULL ? 'a variant: FAULT_TRIES=full npm run test:faults' : false;
  test(`when ${fault}`, { skip }, async (t) => {
    const template = await makeClip(folder, {
      name: `template-${index}`,
      durationSeconds: 2,
      crf: 20 + index,
    });
    const templateId = await uploaded(service, template);
    await using job = await createJob(service, {
      video_id: await uploaded(service, source),
      template_video_id: templateId,
    });
    await strike(job, templateId);
    const result = await job.ended();
    assert.equal(result.status, 'completed', JSON.stringify(result.error));
    const reported = result.warnings.find(({ code }: { code: string }) => code === 'REPORT_FAILED');
    assert.match(reported?.message ?? '', said);
    const names = result.artifacts.map(({ name }: { name: string }) => name);
    assert.ok(!names.includes('report.html'));
    for (const name of ['style.json', 'poster.jpg', 'filmstrip.jpg', 'timeline.otio'])
      assert.ok(names.includes(name), name);
    assert.equal((await fetch(result.output_video_url)).status, 200);
    assert.equal(result.attempt, 1);
    assertTidy(service);
    tellFigures(t, `no report, because ${fault}`, { tried: 1, lost: 0 });
  });
}
