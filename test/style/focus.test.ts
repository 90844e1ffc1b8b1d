/** The focus set by a person stays in view. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SubjectTrack } from '../../src/analysis/facts.ts';
import { readFocus } from '../../src/cli/framing-options.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import { framingAt } from '../../src/style/model/framing.ts';
import { planTimeline } from '../../src/style/plan/plan.ts';
import { clipFacts, cutAt } from '../support/clip-facts.ts';

const FACE: SubjectTrack = {
  startSeconds: 0,
  endSeconds: 40,
  boxes: Array.from({ length: 200 }, (_, at) => ({
    timeSeconds: at / 5,
    box: { x: 0.1, y: 0.2, width: 0.15, height: 0.5 },
  })),
  salience: 0.9,
  kind: 'face',
};

function clips(
  framing_focus: unknown,
  options: { readonly cutEvery?: number; readonly captions?: boolean } = {},
) {
  const { cutEvery, captions = false } = options;
  const source = clipFacts({
    video: {
      transitions: [cutAt(20)],
      ...(captions
        ? {
            captions: {
              share: 1,
              spans: [
                { startSeconds: 0, endSeconds: 40, box: { x: 0.05, y: 0.8, width: 0.35, height: 0.1 } },
              ],
              style: null,
              confidence: 1,
            },
          }
        : {}),
    },
    motion: { subjects: [FACE] },
  });
  const template = clipFacts({
    video: {
      ...(cutEvery === undefined
        ? { width: 540, height: 960 }
        : { transitions: Array.from({ length: 40 / cutEvery - 1 }, (_, at) => cutAt((at + 1) * cutEvery)) }),
    },
  });
  const { timeline } = planTimeline({
    source,
    style: extractStyle(template, { createdAt: new Date(0), fingerprint: null }),
    template,
    config: jobConfigSchema.parse({ framing_focus, style_strength: 1 }),
  });
  return timeline.clips;
}

/** Middle of the framing at a time of the source. */
function middleAt(of: ReturnType<typeof clips>, seconds: number) {
  const clip = of.find(({ sourceEndSeconds }) => seconds < sourceEndSeconds)!;
  const { sourceStartSeconds: start, sourceEndSeconds: end } = clip;
  const { x, y, width, height } = framingAt(clip, (seconds - start) / (end - start), seconds);
  return { x: x + width / 2, y: y + height / 2 };
}

const isNear = (one: number, other: number) =>
  assert.ok(Math.abs(one - other) < 1e-6, `${one}, not ${other}`);

describe('the focus of crops', () => {
  test('one point is the middle of all of them, as far as the picture goes', () => {
    const at = clips({ x: 0.7, y: 0.5 });
    for (const seconds of [1, 19, 21, 39]) isNear(middleAt(at, seconds).x, 0.7);
    const edge = clips({ x: 0.99, y: 0.5 })[0].from;
    isNear(edge.x + edge.width, 1);
  });

  test('points in time count for their own shot: held before and after, panned between', () => {
    const at = clips([
      { at_seconds: 12, x: 0.7, y: 0.5 },
      { at_seconds: 4, x: 0.3, y: 0.5 },
    ]);
    isNear(middleAt(at, 1).x, 0.3);
    isNear(middleAt(at, 8).x, 0.5);
    isNear(middleAt(at, 16).x, 0.7);
    const automatic = middleAt(clips(null), 30);
    assert.deepEqual(middleAt(at, 30), automatic, 'the second shot has no point');
    assert.ok(Math.abs(automatic.x - 0.3) < 0.2);
  });

  test('closer views are about it too, and read as cuts', () => {
    const at = clips({ x: 0.6, y: 0.4 }, { cutEvery: 2 });
    const closer = at.filter(({ from }) => from.width < 0.99);
    assert.ok(closer.length > 4);
    for (const { from } of closer) {
      assert.ok(from.width <= 1 / 1.3);
      isNear(from.x + from.width / 2, 0.6);
      isNear(from.y + from.height / 2, 0.4);
    }
  });

  test('closer views hold captions, or there are none', () => {
    for (const { from } of clips({ x: 0.9, y: 0.2 }, { cutEvery: 2, captions: true }))
      assert.ok(from.x <= 0.05 + 1e-9 && from.y + from.height >= 0.9 - 1e-9, JSON.stringify(from));
  });
});

describe('the focus of the command line', () => {
  const read = (focus: string) =>
    readFocus({ values: { focus } } as unknown as Parameters<typeof readFocus>[0]);

  test('is a point, or points with times', () => {
    assert.deepEqual(read('0.25,1'), { x: 0.25, y: 1 });
    assert.deepEqual(read('.25,.5@0 0.7,0.5@2.5'), [
      { at_seconds: 0, x: 0.25, y: 0.5 },
      { at_seconds: 2.5, x: 0.7, y: 0.5 },
    ]);
  });

  for (const text of ['', '1', '1.1,0', '-1,0', 'a,b', '0,0 1,1', '0,0@x'])
    test(`${JSON.stringify(text)} is refused`, () => assert.throws(() => read(text), /--focus/));
});
