/** Crops of an edit's slots follow the points that their pins set. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SubjectTrack } from '../../src/analysis/facts.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import type { PlannedSlot, Point } from '../../src/style/edit/edit-plan.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import { planEditTimeline } from '../../src/style/plan/edit-timeline.ts';
import { clipFacts } from '../support/clip-facts.ts';

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
const TAKE = clipFacts({ motion: { subjects: [FACE] } });
const UPRIGHT = clipFacts({ video: { width: 540, height: 960 } });
const FRAME_RATE = { numerator: 25, denominator: 1 };

interface MadeSlot {
  readonly from: number;
  readonly focus: Point | null;
}

/** Slots of two seconds of one take, in an upright output. */
function middles(
  slots: readonly MadeSlot[],
  config: object = { components: { aspect_ratio: true } },
): Point[] {
  const planned = slots.map(
    ({ from, focus }, at): PlannedSlot => ({
      ...{ take: 0, sourceStartSeconds: from, sourceEndSeconds: from + 2, fit: 1, reasons: [] },
      ...{ startSeconds: 2 * at, endSeconds: 2 * at + 2, beat: null, templateSlot: 0, transition: null },
      ...{ isPinned: focus !== null, beatsChanged: 0, alternatives: [], focus },
      ...{ isJumpCut: false, handles: { headSeconds: 0, tailSeconds: 0 } },
    }),
  );
  const { timeline } = planEditTimeline({
    takes: [TAKE],
    music: null,
    barSeconds: null,
    plan: {
      slots: planned,
      unchanged: planned,
      musicStartSeconds: null,
      takes: [{ used: [], passedOver: [] }],
      warnings: [],
    },
    options: { sound: 'takes', titles: [] },
    style: extractStyle(UPRIGHT, { createdAt: new Date(0), fingerprint: null }),
    template: UPRIGHT,
    config: jobConfigSchema.parse(config),
    frameRate: FRAME_RATE,
    metricsOf: () => {
      throw new Error('no texts');
    },
  });
  assert.equal(timeline.clips.length, slots.length);
  return timeline.clips.map(({ from }) => ({ x: from.x + from.width / 2, y: from.y + from.height / 2 }));
}

const isNear = (one: number, other: number) =>
  assert.ok(Math.abs(one - other) < 0.01, `${one}, not ${other}`);

describe('the focus of a pin', () => {
  test('is the middle of its slot’s crop, and of no other', () => {
    const [first, second, third] = middles([
      { from: 1, focus: null },
      { from: 5, focus: { x: 0.7, y: 0.5 } },
      { from: 9, focus: null },
    ]);
    isNear(second!.x, 0.7);
    const chosen = middles([
      { from: 1, focus: null },
      { from: 5, focus: null },
      { from: 9, focus: null },
    ]);
    assert.deepEqual([first, third], [chosen[0], chosen[2]]);
    assert.ok(chosen[1]!.x < 0.4, 'at the face');
  });

  test('two slots show one moment, each with its own', () => {
    const [left, right] = middles([
      { from: 5, focus: { x: 0.3, y: 0.5 } },
      { from: 5.5, focus: { x: 0.75, y: 0.5 } },
    ]);
    isNear(left!.x, 0.3);
    isNear(right!.x, 0.75);
  });

  test('where the picture ends, the crop ends', () => {
    const [edge] = middles([{ from: 1, focus: { x: 1, y: 0 } }]);
    assert.ok(edge!.x < 0.9 && edge!.x > 0.8);
  });
});
