/** From a sent caption file, or a text track, to letters in the picture that our own analysis finds again. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { CaptionFacts } from '../../src/analysis/facts.ts';
import { Studio } from '../../src/library.ts';
import { CAPTIONED_STYLE } from '../support/captioned-style.ts';
import { call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { noiseScene } from '../support/moving-picture.ts';
import { createJob, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';
import { withTextTracks } from '../support/text-tracks.ts';

const folder = temporaryFolder();
const SECONDS = 8;
const TIMES = [
  [0.6, 2.4, 'Every morning starts'],
  [3, 5, 'with the same walk'],
  [5.4, 7.2, 'along the river'],
] as const;
const stamp = (seconds: number) => `00:00:0${seconds.toFixed(3).replace('.', ',')}`;
const SRT = TIMES.map(
  ([start, end, text], i) => `${i + 1}\n${stamp(start)} --> ${stamp(end)}\n${text}\n`,
).join('\n');
const STYLE = { ...CAPTIONED_STYLE, frame_rate: 15 };
const CONFIG = { quality: 'low', components: { color: false, pacing: false, audio: false } };

let service: Service;
let plain: string;
before(async () => {
  service = await startService();
  // A picture that drifts below the letters.
  const scene = noiseScene(31, 700, 400, 6);
  plain = await makeClip(folder, {
    name: 'plain',
    durationSeconds: SECONDS,
    frameRate: { numerator: 15, denominator: 1 },
    width: 640,
    height: 360,
    silent: true,
    draw: (rgb, _seconds, index) => {
      for (let y = 0, at = 0; y < 360; y++) {
        for (let x = 0; x < 640; x++, at += 3) {
          const level = scene.data[(y + Math.floor(index / 3)) * scene.width + x + Math.floor(index / 2)];
          rgb.fill(Math.round(60 + level / 2), at, at + 3);
        }
      }
    },
  });
});
after(async () => service?.[Symbol.asyncDispose]());

async function completed(video_id: string, meanwhile = async () => {}) {
  await using job = await createJob(service, { video_id, style_json: STYLE, config: CONFIG });
  await meanwhile();
  const result = await job.ended();
  assert.equal(result.status, 'completed', JSON.stringify(result.error));
  const warnings = result.warnings.map(({ code }: { code: string }) => code);
  const artifact = result.artifacts.find(({ name }: { name: string }) => name === 'captions.srt');
  const written = artifact === undefined ? null : await (await fetch(artifact.url)).text();
  return { output: result.output_video_url as string, warnings, written };
}

async function captionsIn(url: string): Promise<CaptionFacts> {
  const path = join(folder, 'output.mp4');
  writeFileSync(path, Buffer.from(await (await fetch(url)).arrayBuffer()));
  const analysis = await new Studio({ workRoot: join(folder, 'work') }).analyze(path);
  assert.ok(analysis.kind === 'clip');
  return analysis.facts.video.captions;
}

function assertShown({ spans, style }: CaptionFacts): void {
  assert.equal(spans.length, TIMES.length, JSON.stringify(spans));
  for (const [index, [start, end]] of TIMES.entries()) {
    const span = spans[index];
    assert.ok(
      Math.abs(span.startSeconds - start) < 0.25 && Math.abs(span.endSeconds - end) < 0.25,
      JSON.stringify(span),
    );
    assert.ok(
      Math.abs(span.box.y + span.box.height - 0.86) < 0.03,
      `lower edge ${span.box.y + span.box.height}`,
    );
    assert.ok(Math.abs(span.box.x + span.box.width / 2 - 0.5) < 0.02);
  }
  assert.ok(style?.outlined && style.position === 'bottom');
  assert.ok(Math.abs(style.lineHeight / 0.07 - 1) < 0.2, `line height ${style.lineHeight}`);
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(style.color.slice(at, at + 2), 16));
  assert.ok(red! > 220 && green! > 190 && blue! < 90, style.color);
}

test('a file that was sent: shown at its times, in the style’s place, size and color', async () => {
  const videoId = await uploaded(service, plain);
  const missing = await completed(videoId);
  assert.deepEqual([missing.written, missing.warnings], [null, ['NO_CAPTION_TRACK']]);
  // The cached plan without captions differs from the one with them.
  const put = async (body: string) => {
    const headers = { 'content-type': 'application/x-subrip' };
    const reply = await call(service.baseUrl, 'PUT', `/api/v1/videos/${videoId}/captions`, { body, headers });
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
  };
  await put(SRT);
  // Captions sent while the job runs apply to later ones.
  const { output, warnings, written } = await completed(videoId, () => put(SRT.replace('river', 'road')));
  assert.deepEqual([written, warnings], [SRT, []]);
  assertShown(await captionsIn(output));
});

test('a text track of the video: the same captions', async () => {
  const cues = TIMES.map(
    ([start, end, text]) => [1000 * start, Math.round(1000 * (end - start)), `<b>${text}</b>`] as const,
  );
  const tracked = await withTextTracks(plain, join(folder, 'tracked.mkv'), [{ codec: 'subrip', cues }]);
  const { warnings, written } = await completed(await uploaded(service, tracked));
  assert.deepEqual([written, warnings], [SRT, []]);
});
