/** Real pairs of source and template through the real service, judged from outside by its outputs. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { LoudnessMeter } from '../../src/analysis/loudness/loudness.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { openSamples } from '../../src/media/decode/samples.ts';
import { probeFile } from '../../src/media/read/probe.ts';
import { styleSchema } from '../../src/style/model/schema.ts';
import { call, upload } from '../support/client.ts';
import { temporaryFolder } from '../support/clips.ts';
import { mediaPath } from '../support/media.ts';
import { type Service, startService } from '../support/service.ts';

interface Pair {
  readonly what: string;
  readonly source: string;
  readonly template: string | null;
  /** Of the output; null: the source's own. */
  readonly ratio: number | null;
  readonly rate: number | null;
  readonly config?: {
    readonly quality?: string;
    readonly components?: object;
    readonly source_range?: readonly [number, number];
  };
}

const PAIRS: readonly Pair[] = [
  {
    what: 'no template',
    source: 'video/mdn_flower.mp4',
    template: null,
    ratio: null,
    rate: null,
  },
  {
    what: 'no sound',
    source: 'video/intel_asl_book.mkv',
    template: 'video/cartoon_surf_8s.mp4',
    ratio: 16 / 9,
    rate: 24,
  },
  {
    what: 'rotated',
    source: 'video/rotated270_h264.mp4',
    template: 'edits/edit_landscape_a.mp4',
    ratio: 16 / 9,
    rate: 25,
  },
  {
    what: 'variable frame rate',
    source: 'video/screenrec_vfr.mp4',
    template: 'video/nasa_webb_13s.mp4',
    ratio: 16 / 9,
    rate: 25,
  },
  {
    what: 'vertical template, landscape source',
    source: 'video/mdn_crystal.mp4',
    template: 'edits/edit_vertical_a.mp4',
    ratio: 9 / 16,
    rate: 30,
  },
  {
    what: 'HDR source',
    source: 'video/vertical_hdr10_av1.mp4',
    template: 'edits/edit_vertical_a.mp4',
    ratio: 9 / 16,
    rate: 30,
    config: { components: { color: false } },
  },
  {
    what: 'two minutes, in segments',
    source: 'video/long_363s_1080p.mp4',
    template: 'edits/edit_vertical_a.mp4',
    ratio: 9 / 16,
    rate: 30,
    // Only the length is tested here: push-ins and a finer encoding would only add minutes.
    config: { quality: 'low', components: { motion: false }, source_range: [120, 240] },
  },
];

const folder = temporaryFolder();
let service: Service | undefined;
const uploads = new Map<string, Promise<string>>();
after(async () => service?.[Symbol.asyncDispose]());

async function uploaded(path: string): Promise<string> {
  service ??= await startService();
  const known =
    uploads.get(path) ?? upload(service.baseUrl, path).then(({ body }) => body.data.video_id as string);
  uploads.set(path, known);
  return known;
}

describe('pairs', () => {
  for (const pair of PAIRS) {
    test(`${pair.what}: ${pair.source} in the style of ${pair.template ?? 'nothing'}`, async (t) => {
      const source = mediaPath(pair.source);
      const template = pair.template === null ? null : mediaPath(pair.template);
      if (source === null) return t.skip(`needs ../shared/media/${pair.source}`);
      const result = await runJob(pair, source, template);
      const path = join(folder, `${pair.what}.mp4`);
      const answer = await fetch(result.output_video_url);
      assert.equal(answer.headers.get('content-type'), 'video/mp4');
      writeFileSync(path, Buffer.from(await answer.arrayBuffer()));
      await checkOutput(pair, source, path, result);
      for (const { url } of result.artifacts) assert.equal((await fetch(url)).status, 200);
    });
  }
});

async function runJob(pair: Pair, source: string, template: string | null) {
  const body = {
    video_id: await uploaded(source),
    ...(template === null ? {} : { template_video_id: await uploaded(template) }),
    // Always the template's shape and rate: footage of all kinds is tested.
    config: {
      quality: 'low',
      ...pair.config,
      components: { aspect_ratio: true, frame_rate: true, ...pair.config?.components },
    },
  };
  const { baseUrl } = service!;
  const created = await call(baseUrl, 'POST', '/api/v1/jobs', { json: body });
  assert.equal(created.status, 201);
  const jobId = created.body.data.job_id as string;
  let progress = 0;
  for (;;) {
    const { body } = await call(baseUrl, 'GET', `/api/v1/jobs/${jobId}`);
    assert.ok(body.data.progress_percent >= progress, 'progress never falls');
    progress = body.data.progress_percent;
    if (['completed', 'failed', 'cancelled'].includes(body.data.status)) break;
    await new Promise((done) => setTimeout(done, 200));
  }
  const { body: answer } = await call(baseUrl, 'GET', `/api/v1/jobs/${jobId}/result`);
  assert.equal(answer.data.status, 'completed', JSON.stringify(answer.data.error));
  assert.ok(styleSchema.safeParse(answer.data.style_json).success);
  return answer.data;
}

interface Result {
  readonly style_json: unknown;
  readonly warnings: readonly { readonly code: string }[];
}

async function checkOutput(pair: Pair, source: string, path: string, result: Result) {
  const limits = { maxDurationSeconds: 1e6 };
  const [before, after] = [await probeFile(source, limits), await probeFile(path, limits)];
  const ratio = pair.ratio ?? before.width / before.height;
  assert.ok(Math.abs(after.width / after.height / ratio - 1) < 0.02, `${after.width}x${after.height}`);
  assert.ok(
    Math.abs(after.frameRate / (pair.rate ?? before.frameRate) - 1) < 0.01,
    `${after.frameRate} frames/s`,
  );
  // Punch-ins lose nothing: the output lasts as long as the source, to a frame of either.
  const frame = 1 / Math.min(before.frameRate, after.frameRate);
  const [start, end] = pair.config?.source_range ?? [0, before.durationSeconds];
  assert.ok(Math.abs(after.durationSeconds - (end - start)) <= frame + 0.05, `${after.durationSeconds} s`);
  assert.equal(after.audioCodec, before.audioCodec === null ? null : 'aac');
  assert.equal(after.videoCodec, 'h264');
  const levels = await greyRange(path);
  if (pair.what === 'HDR source')
    assert.ok(levels.high - levels.low > 110, `washed out: ${JSON.stringify(levels)}`);
  if (before.audioCodec !== null) await checkLoudness(path, result, pair.template === null);
}

async function checkLoudness(path: string, result: Result, clean: boolean) {
  const meter = new LoudnessMeter({ sampleRate: 48_000, channels: 2 });
  for await (const { channels } of openSamples(path, { sampleRate: 48_000, channels: 'stereo' }))
    meter.push(channels);
  const { integratedLufs, truePeakDbtp } = meter.finish();
  if (integratedLufs === null) return;
  assert.ok(truePeakDbtp! <= -0.9, `true peak ${truePeakDbtp} dBTP`);
  const target = clean ? -14 : styleSchema.parse(result.style_json).audio_style!.normalization_level;
  if (result.warnings.some(({ code }) => code === 'LOUDNESS_LIMITED')) {
    // Room noise stays quiet, and a calm source below −12 LUFS.
    assert.ok(integratedLufs < -11.8 && integratedLufs < target, `limited at ${integratedLufs} LUFS`);
  } else {
    assert.ok(Math.abs(integratedLufs - target) < 1, `${integratedLufs} LUFS, wanted ${target}`);
  }
}

async function greyRange(path: string): Promise<{ low: number; high: number }> {
  for await (const { grey, index } of openFrames(path)) {
    if (index < 20) continue;
    const sorted = [...grey.data].sort((a, b) => a - b);
    return {
      low: sorted[Math.floor(sorted.length * 0.05)],
      high: sorted[Math.floor(sorted.length * 0.95)],
    };
  }
  throw new Error('the output has fewer than 20 frames');
}
