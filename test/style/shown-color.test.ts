import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CaptionSpan, ColorStatistics, VideoFacts } from '../../src/analysis/facts.ts';
import { shownColor } from '../../src/style/look/shown-color.ts';
import type { Clip, Reframe } from '../../src/style/model/timeline.ts';
import { clipFacts } from '../support/clip-facts.ts';
import { drawnVideo } from '../support/drawn-video.ts';

/** As long as drawn clips are. */
const SECONDS = 10;

/** Left half orange, right half blue; the lower fifth of the right half is white. */
function twoSided(captions: readonly CaptionSpan[] = []): VideoFacts {
  return drawnVideo(
    (x, y) => {
      if (x < 0.5) return [220, 140, 40];
      return y >= 0.8 ? [255, 255, 255] : [40, 60, 200];
    },
    { captions: { ...clipFacts().video.captions, spans: captions } },
  );
}

function clip(from: Reframe, sourceStartSeconds = 0, sourceEndSeconds = SECONDS): Clip {
  const framing = { from, to: from, easing: 'linear', fit: 'crop', reason: 'start' } as const;
  return { take: 0, sourceStartSeconds, sourceEndSeconds, ...framing };
}

const LEFT = { x: 0, y: 0, width: 0.5, height: 1 };
const RIGHT = { x: 0.5, y: 0, width: 0.5, height: 1 };

test('what most of the picture is shown of has the colors of the clip', () => {
  const video = twoSided();
  const { statistics } = shownColor(video, [clip({ x: 0.05, y: 0, width: 0.9, height: 1 })]);
  assert.equal(statistics, video.color.clip);
});

test('a crop has the colors of what it shows, in the shares of time in which it shows it', () => {
  const video = twoSided();
  const [left, right] = [LEFT, RIGHT].map((side) => shownColor(video, [clip(side)]).statistics) as [
    ColorStatistics,
    ColorStatistics,
  ];
  assert.ok(left.meanB > 40 && left.covariance[2] < 1, JSON.stringify(left));
  assert.ok(right.meanB < -40 && right.lightnessPercentiles.at(-1)! > 99, JSON.stringify(right));
  const both = shownColor(video, [clip(LEFT, 0, 7.5), clip(RIGHT, 7.5, 10)]).statistics;
  const expected = 0.75 * left.meanB + 0.25 * right.meanB;
  assert.ok(Math.abs(both.meanB - expected) < 3, `${both.meanB} for ${expected}`);
});

test('captions do not count', () => {
  const box = { x: 0.5, y: 0.75, width: 0.5, height: 0.25 };
  const { statistics, cloud } = shownColor(twoSided([{ startSeconds: 0, endSeconds: SECONDS, box }]), [
    clip(RIGHT),
  ]);
  assert.ok(statistics.lightnessPercentiles.at(-1)! < 50, JSON.stringify(statistics));
  assert.ok(cloud.at(-3)! < 50);
});

test('colors that pictures lack are those of the whole', () => {
  const video = twoSided();
  assert.equal(shownColor(video, [clip(LEFT, 20, 30)]).statistics, video.color.clip);
});

test('the cloud holds the colors of all of it, in their shares', () => {
  const { cloud } = shownColor(twoSided(), []);
  const points = Array.from({ length: cloud.length / 3 }, (_, at) =>
    Array.from(cloud.subarray(3 * at, 3 * at + 3)),
  );
  assert.deepEqual(
    points.map(([lightness]) => lightness),
    points.map(([lightness]) => lightness!).sort((one, other) => one - other),
  );
  const share = (holds: (b: number) => boolean) =>
    points.filter(([, , b]) => holds(b!)).length / points.length;
  assert.ok(Math.abs(share((b) => b > 40) - 0.5) < 0.03, 'orange');
  assert.ok(Math.abs(share((b) => b < -40) - 0.4) < 0.04, 'blue');
});

test('black bars of a shot do not count', () => {
  const video = twoSided();
  const moments = { ...video.color.moments, areas: video.color.moments.areas.map(() => LEFT) };
  const { cloud } = shownColor({ ...video, color: { ...video.color, moments } }, []);
  for (let at = 2; at < cloud.length; at += 3) assert.ok(cloud[at] > 40);
});
