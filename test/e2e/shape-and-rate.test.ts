/** Rendered outputs of a template with another shape and rate: left, followed by `auto`, followed on request. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Studio } from '../../src/library.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';

const folder = temporaryFolder();
const studio = new Studio({ workRoot: join(folder, 'work') });
const clip = (name: string, width: number, height: number, frames: number) =>
  makeClip(folder, {
    name,
    width,
    height,
    frameRate: { numerator: frames, denominator: 1 },
    durationSeconds: 1,
  });

const [wide60, wide24, upright30] = [
  await clip('wide60', 320, 180, 60),
  await clip('wide24', 320, 180, 24),
  await clip('upright30', 180, 320, 30),
];

describe('a rendered output', () => {
  for (const [what, source, template, components, expected] of [
    // Of a test picture nobody knows what an upright crop would have to show.
    ['takes half of the rate, and no upright shape', wide60, upright30, {}, ['16:9', 30]],
    ['takes an upright shape on request', wide60, upright30, { aspect_ratio: true }, ['9:16', 30]],
    ['keeps an upright shape and its rate', upright30, wide24, {}, ['9:16', 30]],
    ['keeps a rate that is no multiple', wide24, upright30, { aspect_ratio: false }, ['16:9', 24]],
    ['follows both on request', upright30, wide24, { aspect_ratio: true, frame_rate: true }, ['16:9', 24]],
  ] as const)
    test(what, async () => {
      const output = join(folder, `${what.replaceAll(' ', '-')}.mp4`);
      const { summary } = await studio.apply({
        source,
        output,
        look: { template },
        config: { quality: 'low', components },
      });
      assert.deepEqual([summary.framing.aspect_ratio, summary.output.frame_rate], expected);
      const style = await studio.extract(output);
      assert.deepEqual([style.aspect_ratio, style.frame_rate], expected, 'as measured in the file');
    });
});
