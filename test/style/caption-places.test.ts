import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Box, ClipFacts, SubjectTrack } from '../../src/analysis/facts.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import type { MetricsOf } from '../../src/style/model/caption-face.ts';
import type { Style } from '../../src/style/model/schema.ts';
import { planTimeline } from '../../src/style/plan/plan.ts';
import { CAPTIONED_STYLE } from '../support/captioned-style.ts';
import { clipFacts, cutAt } from '../support/clip-facts.ts';

const metricsOf: MetricsOf = () => ({ capHeightEm: 0.7, advanceEm: () => 0.5 });
const TIMES = [
  [1, 3],
  [5, 7],
  [11, 13],
  [15, 17],
] as const;

/** A head with its shoulders, between two times. */
function face(box: Box, startSeconds: number, endSeconds: number): SubjectTrack {
  const boxes = Array.from({ length: (endSeconds - startSeconds) * 5 }, (_, n) => ({
    timeSeconds: startSeconds + n / 5,
    box,
  }));
  return { kind: 'face', startSeconds, endSeconds, boxes, salience: 1 };
}

/** Places of the four captions: by thirds of the picture. */
function places({ video, audio, motion }: ClipFacts, subjects: readonly SubjectTrack[] = []): string[] {
  const { timeline } = planTimeline({
    source: { video, audio, motion: { ...motion, subjects } },
    style: { ...(CAPTIONED_STYLE as Style), aspect_ratio: '16:9' },
    template: null,
    config: jobConfigSchema.parse({ components: { pacing: false, motion: false, color: false } }),
    captions: {
      ...{ origin: 'file', signCount: 0, isTelemetry: false, guessedEncoding: null, metricsOf },
      cues: TIMES.map(([startSeconds, endSeconds]) => ({ startSeconds, endSeconds, text: 'what is said' })),
    },
  });
  assert.equal(timeline.captions.length, TIMES.length);
  return timeline.captions.map(
    ({ baselineY }) => ['top', 'middle', 'bottom'][Math.floor((3 * baselineY) / timeline.height)],
  );
}

/** The head of it, the upper half, lies where captions of the style are. */
const LOW: Box = { x: 0.3, y: 0.7, width: 0.4, height: 0.6 };
const HIGH: Box = { x: 0.3, y: 0.05, width: 0.4, height: 0.9 };

describe('captions', () => {
  test('stay where the style has them while they cover nothing', () => {
    assert.deepEqual(places(clipFacts(), [face(HIGH, 0, 20)]), ['bottom', 'bottom', 'bottom', 'bottom']);
  });

  test('move away from a head, and stay there until the next shot', () => {
    const cut = clipFacts({ video: { transitions: [cutAt(10)] } });
    assert.deepEqual(places(cut, [face(LOW, 0, 4)]), ['top', 'top', 'bottom', 'bottom']);
    assert.deepEqual(places(cut, [face(LOW, 10, 20)]), ['bottom', 'bottom', 'top', 'top']);
  });

  test('move away from a text in the picture', () => {
    const facts = clipFacts();
    const span = { startSeconds: 4, endSeconds: 8, box: { x: 0.2, y: 0.78, width: 0.6, height: 0.1 } };
    const captions = { ...facts.video.captions, spans: [span] };
    const source = { ...facts, video: { ...facts.video, captions } } as ClipFacts;
    assert.deepEqual(places(source), ['bottom', 'top', 'top', 'top']);
  });

  test('cover the least where every place covers something', () => {
    const small: Box = { x: 0.45, y: 0.04, width: 0.1, height: 0.24 };
    const heads = [face(LOW, 0, 20), face(small, 0, 20)];
    assert.deepEqual(places(clipFacts(), heads), ['bottom', 'bottom', 'bottom', 'bottom']);
  });
});
