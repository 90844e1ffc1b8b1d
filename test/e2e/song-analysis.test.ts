/** A song is measured on its own, so that no plan waits for it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isStyleDnaError, StyleDnaClient } from '../../src/client/client.ts';
import { temporaryFolder } from '../support/clips.ts';
import { beatSong, takeClip } from '../support/reel-clips.ts';
import { uploaded } from '../support/running-job.ts';
import { startService } from '../support/service.ts';

test('a song is analyzed with a report and its style; then plans with it are made at once', async () => {
  const folder = temporaryFolder();
  await using service = await startService();
  const client = new StyleDnaClient({ baseUrl: service.baseUrl });
  const take = await uploaded(service, await takeClip(folder, { name: 'one', tone: 30, durationSeconds: 7 }));
  const song = await uploaded(service, beatSong(folder));
  await client.waitForAnalysis(take);
  await assert.rejects(client.getAnalysis(song), (error) => isStyleDnaError(error, 'ANALYSIS_NOT_FOUND'));
  const analysis = await client.waitForAnalysis(song);
  assert.deepEqual([analysis.style_json?.source_kind, analysis.error], ['audio', null]);
  assert.match(analysis.description!, /^Sound alone, \d+ BPM/);
  assert.match(await (await client.getAnalysisReport(song)).text(), /^<!doctype html>/);
  assert.equal((await client.createAnalysis(song)).status, 'completed', 'it is cached');
  const withMusic = { takes: [{ video_id: take }], music: { video_id: song } };
  const request = { video_id: take, preset: 'vertical-short', kind: 'plan', edit: withMusic } as const;
  assert.equal((await client.createPreview(request)).status, 'completed');
  const cutToIt = { video_id: take, template_video_id: song, kind: 'plan', edit: {} } as const;
  const planned = await client.createPreview(cutToIt);
  assert.equal(planned.status, 'completed');
  assert.equal(planned.plan?.music?.video_id, song);
  const body = { video_id: take, template_video_id: song, config: { quality: 'low' } } as const;
  const edit = await client.createJob({ ...body, edit: { duration: 3 } });
  const styled = await client.createJob(body);
  for (const [{ job_id }, sized] of [
    [edit, ['UPSCALED']],
    [styled, []],
  ] as const) {
    const { status, warnings } = await client.waitForJob(job_id);
    // The song is quieter than a video may be, and made of clicks, which no limiter makes as loud as planned.
    assert.deepEqual(
      [status, [...new Set(warnings.map(({ code }) => code))]],
      ['completed', [...sized, 'LOUDNESS_LIMITED']],
    );
    const result = await client.getJobResult(job_id);
    assert.equal(result.style_json?.source_kind, 'audio');
    assert.deepEqual(
      result.artifacts
        .map(({ name }) => name)
        .filter((name) => /report|otio/.test(name))
        .sort(),
      ['report.html', 'timeline.otio'],
    );
  }
});
