/** Takes of jobs and previews that turn out to be unusable: they are left out and named, in a real service. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { EditInput } from '../../src/domain/edit-options.ts';
import type { EditResult } from '../../src/style/model/edit-result.ts';
import { call, type Reply } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { NUMBERS_STAY, numberedTake } from '../support/edit-material.ts';
import { file, startFileServer } from '../support/file-server.ts';
import { waitFor } from '../support/processes.ts';
import { createJob, rottenVideo, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

const folder = temporaryFolder();
/** Of an edit of three seconds on a busy machine. */
const BUSY_MS = 120_000;

describe('takes that turn out to be unusable', () => {
  let service: Service;
  let files: Awaited<ReturnType<typeof startFileServer>>;
  let good = '';
  let damaged = '';
  before(async () => {
    files = await startFileServer({
      '/notes.mp4': file(Buffer.from('%PDF-1.7\nno film\n')),
      '/gone.mp4': (answer) => void answer.writeHead(404).end(),
      '/good.mp4': file(readFileSync(await numberedTake(folder, 'other', 1))),
    });
    service = await startService();
    good = await uploaded(service, await numberedTake(folder, 'good', 0));
    damaged = await rottenVideo(
      service,
      await makeClip(folder, { name: 'damaged', durationSeconds: 3, silent: true }),
    );
  });
  after(async () => {
    await service?.[Symbol.asyncDispose]();
    await files?.[Symbol.asyncDispose]();
  });

  async function imported(path: string): Promise<string> {
    const json = { url: files.url + path };
    const { status, body } = await call(service.baseUrl, 'POST', '/api/v1/videos/import', { json });
    assert.equal(status, 202, JSON.stringify(body));
    return body.data.video_id;
  }
  const importEnded = (videoId: string) =>
    waitFor('the import ends', async () => {
      const { body } = await call(service.baseUrl, 'GET', `/api/v1/videos/${videoId}`);
      return body.data.status !== 'importing';
    });
  const request = (video_id: string, takes: readonly string[], edit: EditInput = {}) => ({
    ...{ video_id, preset: 'blockbuster', config: NUMBERS_STAY },
    edit: { takes: takes.map((id) => ({ video_id: id })), duration: 3, ...edit },
  });
  async function result(video_id: string, takes: readonly string[], edit: EditInput = {}) {
    await using job = await createJob(service, request(video_id, takes, edit));
    return await job.ended(BUSY_MS);
  }
  const preview = (json: object): Promise<Reply> =>
    call(service.baseUrl, 'POST', '/api/v1/previews', { json });
  async function previewEnded(json: object) {
    const { body, status } = await preview(json);
    assert.ok(status === 202 || status === 200, JSON.stringify(body));
    return waitFor(
      'the preview ends',
      async () => {
        const { data } = (await call(service.baseUrl, 'GET', `/api/v1/previews/${body.data.preview_id}`))
          .body;
        return ['completed', 'failed'].includes(data.status) && data;
      },
      BUSY_MS,
    );
  }
  async function made(json: object) {
    const ended = await previewEnded(json);
    assert.equal(ended.status, 'completed', JSON.stringify(ended.error));
    return ended;
  }
  const messagesOf = ({ warnings }: { warnings: readonly { code: string; message: string }[] }) =>
    warnings.filter(({ code }) => code === 'TAKE_LEFT_OUT').map(({ message }) => message);
  const UNUSABLE = [
    ['damaged.mp4', /damaged|No frame|not a video/],
    ['notes.mp4', /not a video/],
    ['gone.mp4', /404/],
  ] as const;

  /** The messages and the takes of a result name each unusable take with its reason; the good take fills all slots. */
  function assertLeftOut(
    { edit, ...found }: { edit: EditResult; warnings: readonly { code: string; message: string }[] },
    bad: readonly string[],
    expected: readonly (readonly [string, RegExp])[],
  ): void {
    const messages = messagesOf(found);
    assert.equal(messages.length, bad.length, messages.join('\n'));
    for (const [index, [name, reason]] of expected.entries()) {
      const message = messages.find((text) => text.includes(`"${name}"`)) ?? messages.join('\n');
      assert.match(message, reason);
      const take = edit.takes.find((one) => one.video_id === bad[index]);
      assert.match(take?.left_out ?? '', reason);
      assert.deepEqual([take?.used, take?.passed_over], [[], []]);
    }
    assert.deepEqual(new Set(edit.slots.map((slot) => slot.video_id)), new Set([good]));
  }

  test('a preview of takes that make no edit says why by a code, as its job does', async () => {
    const json = { ...request(good, []), config: { ...NUMBERS_STAY, talk: 'on' }, edit: { takes: [] } };
    await using job = await createJob(service, json);
    const { error: ofJob } = await job.ended(BUSY_MS);
    const { error: ofStoryboard } = await previewEnded({ ...json, kind: 'storyboard' });
    // Of measured takes it is answered at once.
    const { body: plan } = await preview({ ...json, kind: 'plan' });
    for (const { fields } of [ofJob, ofStoryboard, plan.error])
      assert.deepEqual(
        fields?.map(({ code }: { code?: string }) => code),
        ['NOBODY_SPEAKS'],
      );
  });

  test('are left out of a job, whether they were uploaded or imported, also the first', async () => {
    const bad = [damaged, await imported('/notes.mp4'), await imported('/gone.mp4')];
    const found = await result(bad[1]!, [bad[0]!, good, bad[2]!], {
      bans: [{ video_id: damaged, range: [0, 1] }],
    });
    assert.equal(found.status, 'completed', JSON.stringify(found.error));
    assertLeftOut(found, bad, UNUSABLE);
  });

  test('are left out of previews, which are made at once when the others are measured', async () => {
    const [notes, gone] = [await imported('/notes.mp4'), await imported('/gone.mp4')];
    await Promise.all([notes, gone].map(importEnded));
    const wanted = request(good, [damaged, notes, gone]);
    for (const kind of ['plan', 'storyboard']) {
      const found = await made({ ...wanted, kind });
      assertLeftOut(found, [damaged, notes, gone], UNUSABLE);
    }
    const immediate = await preview({ ...wanted, kind: 'plan', edit: { ...wanted.edit, duration: 2 } });
    assert.equal(immediate.status, 200, JSON.stringify(immediate.body));
    assertLeftOut(immediate.body.data, [damaged, notes, gone], UNUSABLE);
    assert.deepEqual(
      immediate.body.data.plan.takes.map((take: { video_id: string }) => take.video_id),
      [good],
    );
  });

  test('fail the job if they must be used or are pinned', async () => {
    for (const edit of [
      { takes: [{ video_id: damaged, must_use: true }] },
      { takes: [{ video_id: damaged }], pins: [{ slot: 0, video_id: damaged }] },
    ]) {
      const found = await result(good, [], edit);
      assert.equal(found.status, 'failed');
      assert.equal(found.error.code, 'INPUT_UNSUPPORTED');
      assert.match(found.error.message + found.error.detail, /"damaged\.mp4"/);
    }
    const gone = await imported('/gone.mp4');
    await importEnded(gone);
    const edit = { ...request(good, []).edit, takes: [{ video_id: gone, must_use: true }] };
    const refused = await call(service.baseUrl, 'POST', '/api/v1/jobs', {
      json: { ...request(good, []), edit },
    });
    assert.equal(refused.body.error.code, 'IMPORT_FAILED');
  });

  test('fail the job if there is no other, with the reason of each', async () => {
    const found = await result(damaged, [await imported('/gone.mp4')]);
    assert.equal(found.status, 'failed');
    for (const name of ['damaged.mp4', 'gone.mp4'])
      assert.ok(JSON.stringify(found.error).includes(name), JSON.stringify(found.error));
  });
});
