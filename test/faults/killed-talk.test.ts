/** A service that is killed while a talk is measured, planned or rendered: the same parts are left out, once, and the bytes stay. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { Random } from '../../bench/generate/random.ts';
import { speakLike } from '../../bench/generate/speech-like.ts';
import type { StageName } from '../../src/domain/stage.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { assertTidy, createJob, type RunningJob, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

const folder = temporaryFolder();
const SECONDS = 14;
const SAMPLE_RATE = 44_100;
/** Stages in which a talk is measured, planned and cut; takes are measured in the first one. */
const OF_SOURCE: readonly StageName[] = ['audio_analysis', 'style_application', 'rendering'];
const OF_TAKES: readonly StageName[] = ['video_analysis', 'rendering'];
const USUAL = { quality: 'low', talk: 'on', components: { talk: 1 } };

/** Somebody who says other syllables with each seed. */
function talkOf(seed: number): Promise<string> {
  const { samples } = speakLike(new Random(seed), SECONDS);
  return makeClip(folder, {
    name: `talk-${seed}`,
    durationSeconds: SECONDS,
    audio: (seconds) => samples[Math.round(seconds * SAMPLE_RATE)] ?? 0,
  });
}

interface Outcome {
  readonly hash: string;
  readonly leftOut: unknown;
}

async function outcomeOf(service: Service, job: RunningJob): Promise<Outcome> {
  const result = await job.ended();
  assert.equal(result.status, 'completed', JSON.stringify(result.error));
  const output = await fetch(`${service.baseUrl}/api/v1/jobs/${job.jobId}/output`);
  const hash = createHash('sha256')
    .update(Buffer.from(await output.arrayBuffer()))
    .digest('hex');
  assertTidy(service);
  const { summary, edit } = result;
  return {
    hash,
    leftOut: edit?.takes?.map((take: { passed_over: unknown }) => take.passed_over) ?? summary.talk,
  };
}

describe('a talk whose service is killed', { concurrency: 1 }, () => {
  let undisturbed: Service;
  let killed: Service;
  before(async () => {
    [undisturbed, killed] = [await startService(), await startService()];
  });
  after(async () => {
    await undisturbed?.[Symbol.asyncDispose]();
    await killed?.[Symbol.asyncDispose]();
  });

  for (const [name, seeds, stages] of [
    ['of one source', [1], OF_SOURCE],
    ['from two takes', [2, 3], OF_TAKES],
  ] as const)
    test(`${name} loses and repeats nothing`, async () => {
      const paths = await Promise.all(seeds.map(talkOf));
      const requested = async (service: Service) => {
        const ids: string[] = [];
        for (const path of paths) ids.push(await uploaded(service, path));
        const takes = ids.map((video_id) => ({ video_id, role: 'talk' }));
        return createJob(service, {
          ...{ video_id: ids[0], preset: 'noir', config: USUAL },
          ...(ids.length > 1 && { edit: { takes } }),
        });
      };
      await using calm = await requested(undisturbed);
      const expected = await outcomeOf(undisturbed, calm);
      assert.match(JSON.stringify(expected.leftOut), /"pause"/);
      await using job = await requested(killed);
      for (const stage of stages) {
        await job.childAt(stage);
        await killed.kill();
        await killed.restart();
      }
      assert.deepEqual(await outcomeOf(killed, job), expected);
    });
});
