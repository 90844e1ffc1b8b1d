/** A talk of several takes as a file: each frame and each sound is where the plan has it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { WHOLE_PICTURE } from '../../src/analysis/facts.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { openSamples } from '../../src/media/decode/samples.ts';
import { render } from '../../src/render/render.ts';
import type { Timeline } from '../../src/style/model/timeline.ts';
import { planEditTimeline } from '../../src/style/plan/edit-timeline.ts';
import { plannedTalk, RATE, silent, speaking, talkStyle } from '../style/edit/made-talk.ts';
import { drawNumber, makeClip, readNumber, temporaryFolder } from '../support/clips.ts';

const folder = temporaryFolder();
const SIZE = { width: 320, height: 180 };
/** Frames of take n are numbered from n × 250. */
const NUMBERS_PER_TAKE = 250;
const SAMPLE_RATE = 48_000;
/** Of a click of 1 ms, encoded. */
const CLICK_LEVEL = 0.2;
const TOLERANCE_SECONDS = 0.01;

const takes = [speaking({ pauses: [1.1, 1.2] }, 1), silent(8, 11), speaking({ pauses: [0.9, 1.3] }, 2)];
const plan = plannedTalk(takes);

function timelineOf(): Timeline {
  const components = { color: false, audio: false, aspect_ratio: false, frame_rate: false };
  const { timeline } = planEditTimeline({
    ...{ plan, style: talkStyle, music: null, barSeconds: null, template: null },
    takes: takes.map(({ facts }) => facts),
    options: { sound: 'music', titles: [] },
    config: jobConfigSchema.parse({ components }),
    frameRate: { numerator: RATE, denominator: 1 },
    metricsOf: () => assert.fail('there are no titles'),
  });
  // Numbers are read from whole pictures.
  const clips = timeline.clips.map((clip) => ({ ...clip, from: WHOLE_PICTURE, to: WHOLE_PICTURE }));
  return { ...timeline, ...SIZE, clips };
}

describe('a rendered talk', () => {
  const timeline = timelineOf();
  const outputPath = join(folder, 'talk.mp4');

  before(async () => {
    const draw = drawNumber(SIZE.width, SIZE.height);
    const takePaths: string[] = [];
    for (const [take, { facts, phrases }] of takes.entries())
      takePaths.push(
        await makeClip(folder, {
          name: `take-${take}`,
          durationSeconds: facts.video.durationSeconds,
          draw: (rgb, seconds, index) => draw(rgb, seconds, index + take * NUMBERS_PER_TAKE),
          ...(phrases.length === 0 ? { audio: () => 0 } : {}),
        }),
      );
    await render({ timeline, preset: 'veryfast', crf: 12, takePaths, outputPath }, () => {});
  });

  test('each frame is the planned one: of the speaker, or of B-roll', async () => {
    const expected = plan.slots.flatMap(({ take, sourceStartSeconds, startSeconds, endSeconds }) => {
      const first = take * NUMBERS_PER_TAKE + Math.round(sourceStartSeconds * RATE);
      const count = Math.round(endSeconds * RATE) - Math.round(startSeconds * RATE);
      return Array.from({ length: count }, (_, at) => first + at);
    });
    const numbers: number[] = [];
    for await (const { color } of openFrames(outputPath)) numbers.push(readNumber(color));
    assert.deepEqual(numbers, expected);
    assert.ok(plan.slots.some(({ role }) => role === 'b_roll'));
  });

  test('each second of a voice is heard at its place, under B-roll too', async () => {
    const samples: number[] = [];
    for await (const { channels } of openSamples(outputPath, { sampleRate: SAMPLE_RATE, channels: 'mono' }))
      samples.push(...channels[0]!);
    const heard = samples.flatMap((value, at) => (Math.abs(value) > CLICK_LEVEL ? [at / SAMPLE_RATE] : []));
    let count = 0;
    for (const [take, { phrases }] of takes.entries())
      for (const { startSeconds, endSeconds } of phrases)
        for (let second = Math.ceil(startSeconds); second <= endSeconds; second++) {
          const part = plan.talk!.parts.find(
            (one) => one.take === take && second >= one.startFrame / RATE && second < one.endFrame / RATE,
          );
          const wanted = second + (part!.outputFrame - part!.startFrame) / RATE;
          assert.ok(
            heard.some((at) => Math.abs(at - wanted) <= TOLERANCE_SECONDS),
            `second ${second} of take ${take} is not heard at ${wanted} s`,
          );
          count++;
        }
    assert.ok(count >= 10, `${count} seconds`);
  });
});
