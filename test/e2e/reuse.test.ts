/** Measurements are not repeated; effect of a template that cannot be measured. */
import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { Studio, type StyleSource } from '../../src/library.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { createJob, filesUnder, rottenVideo, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

const folder = temporaryFolder();
let service: Service;
let sourceId: string;
let templateId: string;
before(async () => {
  service = await startService();
  sourceId = await uploaded(service, await makeClip(folder, { name: 'source', durationSeconds: 1 }));
  templateId = await uploaded(
    service,
    await makeClip(folder, { name: 'template', durationSeconds: 1, crf: 21 }),
  );
});
after(async () => service?.[Symbol.asyncDispose]());

async function completed(request: Record<string, unknown>) {
  await using job = await createJob(service, request);
  const result = await job.ended();
  assert.equal(result.status, 'completed', JSON.stringify(result.error));
  return { result, seen: job.seen };
}

/** Kinds of cached results that this work has made, sorted; `video-1` becomes `video`. */
async function measuredBy(work: () => Promise<unknown>): Promise<string[]> {
  const before = filesUnder(service, 'blobs/results');
  await work();
  return [...filesUnder(service, 'blobs/results')]
    .filter(([name, writtenAt]) => name.endsWith('.json') && before.get(name) !== writtenAt)
    .map(([name]) => basename(name).split('-')[0])
    .sort();
}

let style_json: unknown;

test('the first job measures both clips', async () => {
  const made = await measuredBy(async () => {
    const { result } = await completed({ video_id: sourceId, template_video_id: templateId });
    style_json = result.style_json;
  });
  // Both have a style: the report shows the source's beside the template's.
  const ofEach = ['audio', 'motion', 'report', 'style', 'video'];
  assert.deepEqual(made, [...ofEach, ...ofEach, 'plan'].sort());
});

test('another quality costs a plan and a rendering', async () => {
  const config = { quality: 'medium' };
  const made = await measuredBy(async () => {
    const { seen } = await completed({ video_id: sourceId, template_video_id: templateId, config });
    const analysing = ['video_analysis', 'audio_analysis', 'motion_analysis', 'style_extraction'];
    const polls = seen.filter(({ stage }) => stage !== null && analysing.includes(stage));
    // Four cached results are read: some milliseconds each.
    assert.ok((polls.at(-1)?.atMs ?? 0) - (polls[0]?.atMs ?? 0) < 1_000);
  });
  assert.deepEqual(made, ['plan']);
});

test('a template is measured once, however many sources use it', async () => {
  const clip = await makeClip(folder, { name: 'another', durationSeconds: 0.6, crf: 22 });
  const made = await measuredBy(async () =>
    completed({ video_id: await uploaded(service, clip), template_video_id: templateId }),
  );
  assert.deepEqual(made, ['audio', 'motion', 'plan', 'report', 'style', 'video']);
});

test('the same clip as source and template is measured once', async () => {
  const made = await measuredBy(() => completed({ video_id: sourceId, template_video_id: sourceId }));
  assert.deepEqual(made, ['plan']);
});

test('a style from an earlier result replaces its template', async () => {
  const made = await measuredBy(async () => {
    const { result } = await completed({ video_id: sourceId, style_json });
    assert.deepEqual(result.style_json, style_json);
    assert.equal(result.template_video_id, null);
  });
  assert.deepEqual(made, ['plan']);
});

test('a template that cannot be measured costs the style, not the job', async () => {
  const template = await makeClip(folder, { name: 'rotten', durationSeconds: 0.6, crf: 24 });
  const { result } = await completed({
    video_id: sourceId,
    template_video_id: await rottenVideo(service, template),
  });
  assert.equal(result.style_json, null);
  const codes = result.warnings.map(({ code }: { code: string }) => code);
  assert.ok(codes.includes('TEMPLATE_UNUSABLE'), JSON.stringify(result.warnings));
  assert.ok(codes.includes('STYLE_EXTRACTION_FAILED'), JSON.stringify(result.warnings));
});

test('an unreadable source fails the job, with the reason', async () => {
  const source = await makeClip(folder, { name: 'rotten', durationSeconds: 0.6, crf: 25 });
  await using job = await createJob(service, { video_id: await rottenVideo(service, source) });
  const { status, error } = await job.ended();
  assert.equal(status, 'failed');
  assert.equal(error.code, 'INPUT_UNSUPPORTED');
  assert.equal(error.stage, 'video_analysis');
});

test('the library uses the measurements of a template without measuring it again', async () => {
  const studio = new Studio({ workRoot: join(folder, 'work') });
  const [source, template] = [join(folder, 'source.mp4'), join(folder, 'template.mp4')];
  const measured = await studio.analyze(template);
  assert.ok(measured.kind === 'clip' && measured.style !== undefined);
  const config = { components: { frame_rate: true } };
  const planned = async (look: StyleSource) => (await studio.plan({ source, look, config })).timeline;
  // Of a clip in its own style: it is measured once here, and the other time not at all.
  const own = async (look: StyleSource) => (await studio.plan({ source: template, look })).timeline;
  assert.deepEqual(await own({ template, measured }), await own({ template }));
  const faster = { ...measured.style, frame_rate: 50 };
  const { frameRate } = await planned({ template, measured: { ...measured, style: faster } });
  assert.deepEqual(frameRate, { numerator: 50, denominator: 1 });
});
