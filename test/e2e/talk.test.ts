/** Parts of a talk that are left out: picture, sound and captions stay together; the library, the service and exports say what was removed. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { isFailure } from '../../src/domain/errors.ts';
import { Studio } from '../../src/studio.ts';
import { assertError, call } from '../support/client.ts';
import { temporaryFolder } from '../support/clips.ts';
import { beepsOf, flashesOf, flashingClip } from '../support/flash-and-beep.ts';
import { uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

const FRAME_SECONDS = 1 / 25;
const folder = temporaryFolder();
const studio = new Studio();
const source = await flashingClip(folder, 'talk', 8, [1, 4, 6.5]);
const removed = [
  [2, 3.2],
  [5, 5.4],
] satisfies [number, number][];

function assertNear(found: readonly number[], wanted: readonly number[], toleranceSeconds: number): void {
  assert.equal(found.length, wanted.length, `${found}`);
  for (const [at, seconds] of wanted.entries())
    assert.ok(Math.abs(found[at] - seconds) <= toleranceSeconds, `${found} instead of ${wanted}`);
}

describe('removed parts of a talk', () => {
  test('are in neither picture, sound nor captions, which stay together', async () => {
    const captions = join(folder, 'words.srt');
    writeFileSync(
      captions,
      '1\n00:00:04,000 --> 00:00:04,900\nFour\n\n2\n00:00:06,500 --> 00:00:07,500\nSix\n',
    );
    const output = join(folder, 'output.mp4');
    const { plan, summary, warnings } = await studio.apply({
      ...{ source, output, captions },
      look: { preset: 'noir' },
      config: { quality: 'low', captions: 'transcribe', talk: { mode: 'off', remove: removed } },
    });
    const wanted = [1, 2.8, 4.9];
    const { seconds, frames } = await flashesOf(output);
    assertNear(seconds, wanted, FRAME_SECONDS);
    assertNear(await beepsOf(output), wanted, FRAME_SECONDS);
    assert.equal(frames, 160);
    assertNear(
      plan.timeline.captions.map(({ startSeconds }) => startSeconds),
      [2.8, 4.9],
      FRAME_SECONDS,
    );
    assert.deepEqual(summary.talk?.removals, [
      { start_seconds: 2, end_seconds: 3.2, at_seconds: 2, reason: 'requested', certainty: 1 },
      { start_seconds: 5, end_seconds: 5.4, at_seconds: 3.8, reason: 'requested', certainty: 1 },
    ]);
    assert.match(summary.text, /2 requested parts left out \(1\.6 s\)/);
    assert.ok(!warnings.some(({ code }) => code === 'TALK_LEFT'));
    assert.equal(JSON.parse(plan.otio).tracks.children[0].children.length, 3);
  });

  test('words of takes: from a file of each, from the engine, and in a talk alone', async () => {
    const captions = join(folder, 'take.srt');
    writeFileSync(captions, '1\n00:00:04,000 --> 00:00:04,900\nFour\n');
    const take = { file: source, exclude: [[2, 3.2]] as const, captions };
    const look = { preset: 'noir' } as const;
    const { plan } = await studio.planEdit({
      ...{ look, takes: [{ ...take, role: 'talk' }] },
      config: { talk: 'on' },
    });
    assert.deepEqual(
      plan.timeline.captions.map(({ lines }) => lines),
      [['Four']],
    );
    assertNear([plan.timeline.captions[0]!.startSeconds], [2.8], FRAME_SECONDS);
    await assert.rejects(
      studio.planEdit({ look, takes: [take] }),
      /used in a talk only: set config.talk to "on"/,
    );
    await assert.rejects(
      studio.planEdit({ look, takes: [{ ...take, captions: source }], config: { talk: 'on' } }),
      (error) => isFailure(error, 'INVALID_CAPTIONS', 'INPUT_UNSUPPORTED'),
    );
    await assert.rejects(
      studio.planEdit({ look, takes: [source], config: { talk: 'on', captions: 'transcribe' } }),
      (error) => isFailure(error, 'TRANSCRIPTION_UNAVAILABLE'),
    );
  });

  test('count in the file, also with a part of the source', async () => {
    const output = join(folder, 'part.mp4');
    const { summary } = await studio.apply({
      ...{ source, output, look: { preset: 'noir' } },
      config: { quality: 'low', source_range: [3.6, 8], talk: { remove: removed } },
    });
    assertNear((await flashesOf(output)).seconds, [0.4, 2.5], FRAME_SECONDS);
    assert.deepEqual(
      summary.talk?.removals.map(({ start_seconds, at_seconds }) => [start_seconds, at_seconds]),
      [[5, 1.4]],
    );
  });

  test('and pauses of a source without speech stay, with the reason', async () => {
    const output = join(folder, 'left.mp4');
    const { warnings } = await studio.apply({
      ...{ source, output, look: { preset: 'noir' } },
      config: { quality: 'low', talk: 'on' },
    });
    assert.match(warnings.find(({ code }) => code === 'TALK_LEFT')?.message ?? '', /no speech was found/);
    assert.equal((await flashesOf(output)).frames, 200);
  });
});

describe('a service', { concurrency: 1 }, () => {
  let service: Service;
  let videoId: string;
  before(async () => {
    service = await startService();
    videoId = await uploaded(service, source);
  });
  after(async () => service?.[Symbol.asyncDispose]());

  for (const [name, talk, path, edit] of [
    ['ranges beyond the video', { remove: [[1, 99]] }, 'config.talk'],
    ['a part that stays and goes', { keep: [[1, 3]], remove: [[2, 4]] }, 'config.talk.remove'],
    ['nothing left', { remove: [[0, 8]] }, 'config.talk.remove'],
    ['parts of an edit of takes', { mode: 'on', remove: [[1, 2]] }, 'config.talk', { takes: [] }],
    ['another key', { cut: [[1, 2]] }, 'config.talk'],
  ] as const)
    test(`refuses ${name}`, async () => {
      const body = {
        ...{ video_id: videoId, preset: 'noir', config: { talk } },
        ...(edit === undefined ? {} : { edit }),
      };
      const answer = await call(service.baseUrl, 'POST', '/api/v1/jobs', { json: body });
      assertError(answer, 'VALIDATION_ERROR');
      const fields = answer.body.error.fields.map((field: { path: string }) => field.path);
      assert.ok(fields.includes(path), JSON.stringify(answer.body));
    });
});
