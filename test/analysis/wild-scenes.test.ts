/** Footage after public bug reports: fades through a color, glitches, an end card. Their README lists the right results. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { VideoFacts } from '../../src/analysis/facts.ts';
import { VideoAnalysis } from '../../src/analysis/video.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { lookOf } from '../../src/style/look/estimate.ts';
import { dialsOfLook } from '../../src/style/model/color-dials.ts';
import type { Look } from '../../src/style/model/look.ts';
import { mediaPath } from '../support/media.ts';

function pathOf(t: TestContext, name: string): string | null {
  const path = mediaPath(`wild/${name}`);
  if (path === null) t.skip(`needs ../shared/media/wild/${name}`);
  return path;
}

function analysisOf(): VideoAnalysis {
  const clip = { width: 640, height: 360, hdr: false, isStill: false, containerDurationSeconds: null };
  return new VideoAnalysis(clip, { withSubjects: false });
}

async function measured(path: string): Promise<VideoFacts> {
  const analysis = analysisOf();
  for await (const frame of openFrames(path, { thinned: true })) analysis.push(frame);
  return analysis.finish().facts;
}

for (const [name, color] of [
  ['fade-through-red.mp4', /^#f[a-f0-9]0[0-9a-f]0[0-9a-f]$/],
  ['fade-through-yellow.mp4', /^#f[a-f0-9]f[0-9a-f]0[0-9a-f]$/],
] as const) {
  test(`${name} is one change, and of that color`, async (t) => {
    const path = pathOf(t, name);
    if (path === null) return;
    const { transitions, shots } = await measured(path);
    assert.deepEqual(
      transitions.map(({ type }) => type),
      ['fade_color'],
    );
    const { startSeconds, endSeconds, color: found } = transitions[0];
    assert.ok(Math.abs((startSeconds + endSeconds) / 2 - 3) <= 0.05, `${startSeconds} to ${endSeconds}`);
    assert.match(found ?? '', color);
    assert.equal(shots.length, 2);
  });
}

for (const name of ['glitch.mp4', 'letterbox-opens.mp4']) {
  test(`${name} has no cut`, async (t) => {
    const path = pathOf(t, name);
    if (path === null) return;
    assert.deepEqual((await measured(path)).transitions, []);
  });
}

test('endcard.mp4 has the look of the film before its card', async (t) => {
  const path = pathOf(t, 'endcard.mp4');
  if (path === null) return;
  const [whole, film] = [analysisOf(), analysisOf()];
  for await (const frame of openFrames(path, { thinned: true })) {
    whole.push(frame);
    if (frame.timeSeconds < 20) film.push(frame);
  }
  const [withCard, without] = [whole.finish().facts, film.finish().facts];
  assert.equal(withCard.shots.length, without.shots.length + 1);
  const [look, expected] = [lookOf(withCard), lookOf(without)];
  const error = largestDifference(look.look, expected.look);
  t.diagnostic(`largest difference of a grey: ${error.toFixed(2)} ΔE`);
  assert.ok(error < 0.5, String(error));
  assert.ok(Math.abs(look.look.chroma - expected.look.chroma) <= 0.02);
  const [dials, wantedDials] = [dialsOfLook(look.look), dialsOfLook(expected.look)];
  for (const name of Object.keys(dials) as (keyof typeof dials)[])
    assert.ok(
      Math.abs(dials[name] - wantedDials[name]) <= 1.5,
      `${name}: ${dials[name]}, ${wantedDials[name]}`,
    );
  const hexes = ({ color }: VideoFacts) => color.palette.map(({ hex }) => hex);
  assert.deepEqual(hexes(withCard), hexes(without));
});

/** ΔE of 1976. */
function largestDifference(one: Look, other: Look): number {
  return Math.max(
    ...one.greys.map((grey, at) => {
      const against = other.greys[at];
      return Math.hypot(grey.out - against.out, grey.a - against.a, grey.b - against.b);
    }),
  );
}
