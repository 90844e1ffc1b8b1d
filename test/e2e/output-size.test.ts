/** Sizes through the real service: request, output and warnings. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { probeFile } from '../../src/media/read/probe.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { writePhoneClip } from '../support/phone-clip.ts';
import { createJob, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

const folder = temporaryFolder();
let service: Service;
let sourceId: string;
let templateId: string;
before(async () => {
  service = await startService();
  const length = { durationSeconds: 1 };
  sourceId = await uploaded(
    service,
    await makeClip(folder, { name: 'full-hd', width: 1920, height: 1080, ...length }),
  );
  templateId = await uploaded(
    service,
    await makeClip(folder, { name: 'upright', width: 216, height: 384, ...length }),
  );
});
after(async () => service?.[Symbol.asyncDispose]());

async function sizeAndWarnings(request: Record<string, unknown>) {
  await using job = await createJob(service, request);
  const { status, error, output_video_url, warnings } = await job.ended();
  assert.equal(status, 'completed', JSON.stringify(error));
  const path = join(folder, 'output.mp4');
  writeFileSync(path, Buffer.from(await (await fetch(output_video_url)).arrayBuffer()));
  const { width, height } = await probeFile(path, { maxDurationSeconds: 60 });
  const codes = (warnings as { code: string }[]).map(({ code }) => code);
  return {
    size: [width, height],
    codes: codes.filter((code) => /^(UPSCALED|SIZE_CAPPED|TONE_MAPPED)$/.test(code)),
  };
}

for (const [config, size, codes] of [
  [{}, [1080, 1920], ['UPSCALED']],
  [{ framing: 'pad' }, [1080, 1920], []],
  [{ resolution: 'source' }, [606, 1080], []],
  [{ quality: 'low', resolution: '720p' }, [480, 852], ['SIZE_CAPPED']],
] as const) {
  test(`1920×1080 in an upright style, ${JSON.stringify(config)}: ${size.join('×')}`, async () => {
    const components = { aspect_ratio: true };
    const request = { video_id: sourceId, template_video_id: templateId, config: { components, ...config } };
    assert.deepEqual(await sizeAndWarnings(request), { size, codes });
  });
}

test('HDR is reported as converted to SDR', async () => {
  const clip = { width: 320, height: 180, framesPerSecond: 25, frameCount: 25, hdr: true };
  const video_id = await uploaded(service, await writePhoneClip(join(folder, 'hdr.mp4'), clip));
  assert.deepEqual(await sizeAndWarnings({ video_id }), { size: [320, 180], codes: ['TONE_MAPPED'] });
});
