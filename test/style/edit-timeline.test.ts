/** Framings, transitions and rate of planned edits. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClipFacts, SubjectTrack } from '../../src/analysis/facts.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import type { Warning } from '../../src/domain/stage.ts';
import { framesPerSecond } from '../../src/domain/time.ts';
import type { PlannedSlot } from '../../src/style/edit/edit-plan.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import { editRate } from '../../src/style/plan/edit-shape.ts';
import { planEditTimeline } from '../../src/style/plan/edit-timeline.ts';
import { clipFacts } from '../support/clip-facts.ts';

const style = {
  ...extractStyle(clipFacts({}), { createdAt: new Date(0), fingerprint: null }),
};
const PLENTY = { headSeconds: 5, tailSeconds: 5 };
const DISSOLVE = { type: 'dissolve', durationSeconds: 0.4, easing: 'linear' } as const;

function slot(at: number, sourceStartSeconds: number, more: Partial<PlannedSlot> = {}): PlannedSlot {
  return {
    ...{ take: 0, sourceStartSeconds, sourceEndSeconds: sourceStartSeconds + 2, fit: 1, reasons: [] },
    ...{ startSeconds: 2 * at, endSeconds: 2 * at + 2, beat: null, templateSlot: 0, transition: null },
    ...{ isPinned: false, beatsChanged: 0, focus: null, alternatives: [] },
    ...{ isJumpCut: false, handles: PLENTY },
    ...more,
  };
}

/** In the middle, as long as the take. */
const FACE: SubjectTrack = {
  ...{ kind: 'face' as const, startSeconds: 0, endSeconds: 60, salience: 0.8 },
  boxes: [0, 60].map((timeSeconds) => ({ timeSeconds, box: { x: 0.45, y: 0.4, width: 0.1, height: 0.15 } })),
};

function planned(
  slots: readonly PlannedSlot[],
  config: object = {},
  ratio = style.aspect_ratio,
  subjects: readonly SubjectTrack[] = [FACE],
) {
  const take = clipFacts({ motion: { subjects } });
  return plannedEdit([take, take], slots, [], { config, ratio }).timeline;
}

function plannedEdit(
  takes: readonly ClipFacts[],
  slots: readonly PlannedSlot[],
  warnings: readonly Warning[],
  { config = {}, ratio = style.aspect_ratio } = {},
) {
  return planEditTimeline({
    ...{ takes, music: null, barSeconds: null, template: null },
    style: { ...style, aspect_ratio: ratio },
    plan: { slots, unchanged: slots, musicStartSeconds: null, takes: [], warnings },
    options: { sound: 'music', titles: [] },
    config: jobConfigSchema.parse(config),
    frameRate: { numerator: 25, denominator: 1 },
    metricsOf: () => assert.fail('there are no titles'),
  });
}

describe('jump cuts', () => {
  const widths = (slots: readonly PlannedSlot[], config?: object) =>
    planned(slots, config).clips.map(({ from }) => from.width);
  const jump = { isJumpCut: true };

  test('each second shot of a run is shown closer', () => {
    const [first, second, third, fourth] = widths([
      ...[slot(0, 4), slot(1, 10, jump), slot(2, 16, jump), slot(3, 22, jump)],
    ]);
    assert.equal(first, third);
    for (const closer of [second, fourth]) assert.ok(closer! <= first! / 1.2 + 1e-6, `${closer} of ${first}`);
  });

  test('a shot that lies before the one that it follows is shown closer too', () => {
    const [first, second] = widths([slot(0, 10), slot(1, 4, jump)]);
    assert.ok(second! < first!);
  });

  test('another choice changes the framing of its neighbors at most', () => {
    const run = Array.from({ length: 9 }, (_, at) => slot(at, 4 * at, at === 0 ? {} : jump));
    const pinned = run.map((one, at) =>
      at === 3 ? { ...one, take: 1, isJumpCut: false } : at === 4 ? { ...one, isJumpCut: false } : one,
    );
    const [before, after] = [widths(run), widths(pinned)];
    for (const at of [0, 1, 2, 5, 6, 7, 8]) assert.equal(after[at], before[at], `slot ${at}`);
  });

  test('at the first of a pair whose second has an even number', () => {
    const [, second, third] = widths([slot(0, 4, { take: 1 }), slot(1, 10), slot(2, 16, jump)]);
    assert.ok(second! < third!);
  });

  // [ratio of the output, whether the second of two shots of a 16:9 take is closer]: crops to .75, .5625 and .316 of the width.
  for (const [ratio, isCloser] of [
    ['4:3', true],
    ['1:1', true],
    ['9:16', false],
  ] as const)
    test(`a crop to ${ratio} is shown ${isCloser ? 'closer' : 'as it is: it is close already'}`, () => {
      const { clips } = planned(
        [slot(0, 4), slot(1, 10, jump)],
        { components: { aspect_ratio: true } },
        ratio,
      );
      const [first, second] = clips.map(({ from }) => from.width);
      assert.equal(second! < first!, isCloser);
    });

  test('without a face, whose head could be anywhere, the framing is left', () => {
    const { clips } = planned([slot(0, 4), slot(1, 10, jump)], {}, style.aspect_ratio, []);
    assert.equal(clips[1]!.from.width, clips[0]!.from.width);
  });

  for (const [name, slots, config] of [
    ['another view', [slot(0, 4), slot(1, 10)], {}],
    ['a transition', [slot(0, 4), slot(1, 10, { ...jump, transition: DISSOLVE })], {}],
    ['pacing kept', [slot(0, 4), slot(1, 10, jump)], { pacing: 'keep' }],
    ['pacing switched off', [slot(0, 4), slot(1, 10, jump)], { components: { pacing: false } }],
  ] as const)
    test(`${name} leaves the framing`, () => {
      const [first, second] = widths(slots, config);
      assert.equal(second, first);
    });
});

test('takes without a face have skin guarded in part beside one with a face', () => {
  const shareBeside = (faces: readonly SubjectTrack[]) => {
    const other = clipFacts({ video: { faces } });
    const { timeline } = plannedEdit([clipFacts({}), other], [slot(0, 4), { ...slot(1, 4), take: 1 }], []);
    const grade = timeline.takes[0]!.grade!;
    return 'rgb' in grade || grade.skinGuardDegrees >= 180 ? 0 : (grade.skinShare ?? 1);
  };
  assert.deepEqual([shareBeside([]), shareBeside([FACE])], [0, 0.5]);
});

describe('warnings of an edit', () => {
  const pins = [1, 4].map((number) => ({
    code: 'EDIT_PIN_MOVED',
    message: `The shot pinned in slot ${number} begins later.`,
  }));
  const seen = clipFacts({});
  const unseen = { ...seen, video: { ...seen.video, color: { ...seen.video.color, confidence: 0 } } };
  for (const [name, takes, unmeasured] of [
    ['each of the plan, none of grades', [seen, seen], 0],
    ['each of the plan, one for the grade of one take', [seen, unseen], 1],
    ['each of the plan, one for the grades of both takes', [unseen, unseen], 1],
  ] as const) {
    test(name, () => {
      const { warnings } = plannedEdit(takes, [slot(0, 2), slot(1, 9, { take: 1 })], pins);
      assert.deepEqual(warnings.slice(0, 2), pins);
      assert.equal(warnings.filter(({ code }) => code === 'COLOR_NOT_MEASURED').length, unmeasured);
    });
  }
});

describe('transitions of an edit', () => {
  const SHORT = { headSeconds: 0.1, tailSeconds: 0.1 };
  for (const [name, out, into, hasHandles] of [
    ['enough on both sides', PLENTY, PLENTY, true],
    ['too little before the cut', SHORT, PLENTY, undefined],
    ['too little after it', PLENTY, SHORT, undefined],
  ] as const)
    test(`material beside the shots: ${name}`, () => {
      const { transitions } = planned([
        slot(0, 4, { handles: out }),
        slot(1, 10, { take: 1, handles: into, transition: DISSOLVE }),
      ]);
      assert.deepEqual(
        transitions.map((one) => one.hasHandles),
        [hasHandles],
      );
    });
});

describe('the rate of an edit', () => {
  const take = (numerator: number, durationSeconds: number) =>
    clipFacts({ video: { frameRate: { numerator, denominator: 1 }, durationSeconds } });
  for (const [name, takes, wanted] of [
    ['most of the time', [take(25, 60), take(30, 20)], 25],
    ['no judder while another take has none', [take(10, 200), take(30, 20)], 30],
    ['that of takes which all judder', [take(10, 200), take(15, 20)], 10],
  ] as const)
    test(name, () => {
      const rate = editRate(takes, style, jobConfigSchema.parse({ components: { frame_rate: false } }), []);
      assert.equal(framesPerSecond(rate), wanted);
    });
});
