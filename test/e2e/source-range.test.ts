/** In and out points over HTTP: jobs, previews, plans, drafts and analyses of a part of a video. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { JobConfig } from '../../src/client/api-types.ts';
import { StyleDnaClient } from '../../src/client/client.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import type { Timeline } from '../../src/style/model/timeline.ts';
import { assertError, call } from '../support/client.ts';
import { makeClip, readNumber, temporaryFolder } from '../support/clips.ts';
import { createJob, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

const folder = temporaryFolder();

describe('a part of a video', { concurrency: 1 }, () => {
  let service: Service;
  let client: StyleDnaClient;
  let sourceId: string;
  let templateId: string;
  before(async () => {
    service = await startService();
    client = new StyleDnaClient({ baseUrl: service.baseUrl });
    sourceId = await uploaded(service, await makeClip(folder, { name: 'numbered', durationSeconds: 6 }));
    templateId = await uploaded(
      service,
      await makeClip(folder, {
        name: 'halves',
        durationSeconds: 8,
        draw: (rgb, seconds) => {
          const [red, blue] = seconds < 4 ? [180, 70] : [70, 180];
          for (let at = 0; at < rgb.length; at += 3) rgb.set([red + (at % 50), 90, blue], at);
        },
      }),
    );
  });
  after(async () => service?.[Symbol.asyncDispose]());

  const config: JobConfig = { source_range: [1.2, 2.6], template_range: [4, 8], quality: 'low' };
  const request = () => ({ video_id: sourceId, template_video_id: templateId, config });

  test('is what a job measures, renders and repeats', async () => {
    const body = {
      ...request(),
      config: { ...config, components: { pacing: false, transitions: false, motion: false, color: false } },
    };
    await using job = await createJob(service, body);
    const result = await job.ended();
    assert.equal(result.status, 'completed', JSON.stringify(result.error));
    assert.deepEqual(result.config.source_range, [1.2, 2.6]);
    assert.ok(Math.abs(result.style_json.source_duration_seconds - 4) < 0.05);
    const output = join(folder, 'output.mp4');
    const answer = await fetch(result.output_video_url);
    writeFileSync(output, Buffer.from(await answer.arrayBuffer()));
    const shown: number[] = [];
    for await (const frame of openFrames(output)) shown.push(readNumber(frame.color));
    assert.deepEqual(
      shown,
      [...Array(35).keys()].map((frame) => 30 + frame),
    );
  });

  test('is what plans, frames and drafts show', async () => {
    const plan = await client.waitForPreview({ ...request(), kind: 'plan' });
    const { clips } = plan.plan!.timeline as unknown as Timeline;
    assert.ok(Math.abs(clips[0]!.sourceStartSeconds - 1.2) < 1e-6);
    assert.ok(Math.abs(clips.at(-1)!.sourceEndSeconds - 2.6) < 1e-6);
    const frames = await client.waitForPreview(request());
    const times = frames.picture!.moments.map(({ at_seconds }) => at_seconds);
    assert.ok(
      times.every((at) => at >= 1.2 && at <= 2.6),
      `${times}`,
    );
    assert.ok(Math.abs(frames.expected!.duration_seconds - 1.4) < 0.05);
    const outside = await call(service.baseUrl, 'POST', '/api/v1/previews', {
      json: { ...request(), at_seconds: [3] },
    });
    assertError(outside, 'VALIDATION_ERROR');
    assert.match(outside.body.error.detail, /at_seconds\.0: 3 s is not in the part .*\[1\.2, 2\.6\]/);
    const draft = await call(service.baseUrl, 'POST', '/api/v1/previews', {
      json: { ...request(), kind: 'draft', start_seconds: 1.5 },
    });
    assertError(draft, 'VALIDATION_ERROR');
  });

  test('is analyzed by itself, beside the whole', async () => {
    const [whole, part] = [
      await client.waitForAnalysis(templateId),
      await client.waitForAnalysis(templateId, { partSeconds: [0, 4] }),
    ];
    const lengthOf = ({ style_json }: typeof whole) => style_json!.source_duration_seconds;
    assert.ok(Math.abs(lengthOf(whole) - 8) < 0.05 && Math.abs(lengthOf(part) - 4) < 0.05);
    assert.equal((await client.getAnalysis(templateId)).style_json!.source_duration_seconds, lengthOf(whole));
    assert.match(part.report_url!, /\/analysis\/report\?start_seconds=0&end_seconds=4$/);
    const page = await (await fetch(part.report_url!)).text();
    assert.match(page, /^<!doctype html>/i);
    assert.doesNotMatch(page, /<video/);
    await assert.rejects(client.getAnalysis(templateId, { partSeconds: [1, 2] }), {
      code: 'ANALYSIS_NOT_FOUND',
    });
    await assert.rejects(client.createAnalysis(templateId, { partSeconds: [1, 20] }), {
      code: 'VALIDATION_ERROR',
    });
  });

  test('that does not fit is refused with the field, the values and a correction', async () => {
    const edit = { takes: [] };
    for (const [more, path, message] of [
      [{ config: { source_range: [3, 9] } }, 'config.source_range', /\[3, 9\] .* runs for 6\.00 s/],
      [{ config: { source_range: [3, 3.2] } }, 'config.source_range', /at least 0\.5 s after the start/],
      [{ config: { source_range: [3, 1] } }, 'config.source_range', /at least 0\.5 s after the start/],
      [{ config: { source_range: [3] } }, 'config.source_range', /\[start, end\] in seconds/],
      [{ config: { source_range: ['a', 4] } }, 'config.source_range.0', /\[start, end\] in seconds/],
      [{ config: { template_range: [0, 60] } }, 'config.template_range', /runs for 8\.00 s/],
      [
        { template_video_id: null, preset: 'noir', config: { template_range: [0, 4] } },
        'config.template_range',
        /name it as template_video_id/,
      ],
      [{ edit, config: { source_range: [1, 3] } }, 'config.source_range', /edit\.takes\.exclude/],
    ] as const) {
      for (const address of ['/api/v1/jobs', '/api/v1/previews']) {
        const kind = address.endsWith('previews') && 'edit' in more ? { kind: 'plan' } : {};
        const reply = await call(service.baseUrl, 'POST', address, {
          json: { ...request(), ...kind, ...more },
        });
        assertError(reply, 'VALIDATION_ERROR');
        const [field] = reply.body.error.fields;
        assert.equal(field.path, path);
        assert.match(field.message, message);
      }
    }
  });
});
